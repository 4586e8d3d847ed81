import { parentPort, workerData } from 'node:worker_threads';
import { startEventStore, type EventStoreOptions } from './event-store-server.js';
import type { Log } from './log.js';
import { STOP, type WorkerReport } from './worker-messages.js';

// The entry of the thread: the whole store, on an event loop of its own.
if (parentPort) {
  const owner = parentPort;
  const report = (message: WorkerReport) => owner.postMessage(message);
  const log: Log = (...line) => report({ kind: 'log', line });
  try {
    const store = await startEventStore({ ...(workerData as EventStoreOptions), log });
    owner.on('message', (message) => {
      if (message === STOP) void store.stop().finally(() => owner.close());
    });
    report({ kind: 'started', port: store.port, connectionString: store.connectionString });
  } catch (error) {
    const { name, message } = error as Error;
    report({ kind: 'failed', name, message });
  }
}
