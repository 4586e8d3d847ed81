import { parentPort, MessagePort } from 'node:worker_threads';
import { startEventStore, type EventStoreHere, type EventStoreOptions } from './event-store-server.js';
import type { Log } from './storage/log.js';
import { STOP, type WorkerReport } from './event-store-thread.js';

// The entry of the thread: the whole store, on an event loop of its own.
if (parentPort) listenTo(parentPort);

function listenTo(owner: MessagePort): void {
  const report = (message: WorkerReport) => owner.postMessage(message);
  const log: Log = (...line) => report({ kind: 'log', line });
  let store: EventStoreHere | undefined;
  const start = async (options: EventStoreOptions) => {
    try {
      store = await startEventStore({ ...options, log });
      report({ kind: 'started', port: store.port, connectionString: store.connectionString });
    } catch (error) {
      const { name, message } = error as Error;
      report({ kind: 'failed', name, message });
    }
  };
  owner.on('message', (message: EventStoreOptions | MessagePort | typeof STOP) => {
    if (message instanceof MessagePort) store?.appendOver(message);
    else if (message !== STOP) void start(message);
    else if (store) void store.stop().finally(() => owner.close());
  });
}
