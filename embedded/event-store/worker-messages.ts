import type { Log } from './storage/log.js';

/** What the thread tells its owner. */
export type WorkerReport =
  | { kind: 'started'; port: number; connectionString: string }
  | { kind: 'failed'; name: string; message: string }
  | { kind: 'log'; line: Parameters<Log> };

/** What the owner tells the thread after the options to start with. */
export const STOP = 'stop';
