import { Worker } from 'node:worker_threads';
import type { EventStoreOptions, RunningEventStore } from './event-store-server.js';
import { silent } from './log.js';
import { STOP, type WorkerReport } from './worker-messages.js';

export interface EventStoreThreadOptions extends EventStoreOptions {
  /** Called once when the thread ends though nobody stopped it. The store is then gone. */
  onExit?: (reason: Error) => void;
}

/**
 * Starts the event store on a thread of its own, so that busy request handlers do not delay appends.
 * The rest is as `startEventStore` has it.
 * @throws what `startEventStore` throws, by name and message
 */
export function startEventStoreThread(options: EventStoreThreadOptions): Promise<RunningEventStore> {
  return startThread(new URL('./event-store-worker.js', import.meta.url), options);
}

/**
 * As `startEventStoreThread`.
 * @param entry the file that the thread runs
 */
export async function startThread(entry: URL, options: EventStoreThreadOptions): Promise<RunningEventStore> {
  const { log = silent, onExit, ...workerData } = options;
  // Flags of this process speak of its own entry file.
  const worker = new Worker(entry, { workerData, execArgv: [] });
  let stopping = false;
  let crash: Error | undefined;
  worker.on('error', (error: Error) => (crash = error));
  const exited = new Promise<Error>((resolve) => {
    worker.once('exit', (code) =>
      resolve(crash ?? new Error(`The thread of the event store ended with code ${code}.`)),
    );
  });

  const started = new Promise<Extract<WorkerReport, { kind: 'started' }>>((resolve, reject) => {
    worker.on('message', (report: WorkerReport) => {
      if (report.kind === 'log') log(...report.line);
      else if (report.kind === 'started') resolve(report);
      else reject(Object.assign(new Error(report.message), { name: report.name }));
    });
    void exited.then(reject);
  });
  try {
    const { port, connectionString } = await started;
    void exited.then((reason) => {
      if (!stopping) onExit?.(reason);
    });
    return {
      port,
      connectionString,
      stop: async () => {
        stopping = true;
        worker.postMessage(STOP);
        await exited;
      },
    };
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}
