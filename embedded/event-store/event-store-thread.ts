import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { ownStores } from '#platform/event-log/own-store.js';
import { packageRoot } from '#platform/package-root.js';
import type { EventStoreOptions, RunningEventStore } from './event-store-server.js';
import { noLog, type Log } from './storage/log.js';

export interface EventStoreThreadOptions extends EventStoreOptions {
  /** Called once when the thread ends though nobody stopped it. The store is then gone. */
  onExit?: (reason: Error) => void;
}

const ENTRY = join(packageRoot(), 'dist/embedded/event-store/event-store-worker.js');

/**
 * Starts the event store on a thread of its own, so that busy request handlers do not delay appends.
 * The rest is as `startEventStore` has it.
 * @throws what `startEventStore` throws, by name and message
 */
export function startEventStoreThread(options: EventStoreThreadOptions): Promise<RunningEventStore> {
  return new EventStoreThread(ENTRY).start(options);
}

/** A thread that loads what the event store needs, and starts it when it is told where its database is. */
export class EventStoreThread {
  private readonly worker: Worker;
  private readonly exited: Promise<Error>;
  private crash: Error | undefined;
  private stopping = false;

  /** @param entry the file that the thread runs */
  constructor(entry: string | URL = ENTRY) {
    // Flags of this process speak of its own entry file.
    this.worker = new Worker(entry, { execArgv: [] });
    this.worker.on('error', (error: Error) => (this.crash = error));
    this.exited = new Promise((resolve) => {
      this.worker.once('exit', (code) =>
        resolve(this.crash ?? new Error(`The thread of the event store ended with code ${code}.`)),
      );
    });
  }

  /** As `startEventStoreThread`, once. */
  async start({ log = noLog, onExit, ...options }: EventStoreThreadOptions): Promise<RunningEventStore> {
    const started = new Promise<Extract<WorkerReport, { kind: 'started' }>>((resolve, reject) => {
      this.worker.on('message', (report: WorkerReport) => {
        if (report.kind === 'log') log(...report.line);
        else if (report.kind === 'started') resolve(report);
        else reject(Object.assign(new Error(report.message), { name: report.name }));
      });
      void this.exited.then(reject);
    });
    this.worker.postMessage(options);
    try {
      const { port, connectionString } = await started;
      const address = new URL(connectionString).host;
      ownStores.set(address, () => this.openPort());
      void this.exited.then((reason) => {
        ownStores.delete(address);
        if (!this.stopping) onExit?.(reason);
      });
      return { port, connectionString, stop: () => this.stop() };
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  /** Ends the thread of a store that was not started. */
  async discard(): Promise<void> {
    await this.worker.terminate();
  }

  private openPort() {
    const { port1, port2 } = new MessageChannel();
    this.worker.postMessage(port2, [port2]);
    return port1;
  }

  private async stop(): Promise<void> {
    this.stopping = true;
    this.worker.postMessage(STOP);
    await this.exited;
  }
}

/** What the thread tells its owner. */
export type WorkerReport =
  | { kind: 'started'; port: number; connectionString: string }
  | { kind: 'failed'; name: string; message: string }
  | { kind: 'log'; line: Parameters<Log> };

/** What the owner tells the thread after the options to start with. */
export const STOP = 'stop';
