import type { Log } from './log.js';

/** What the thread tells its owner. */
export type WorkerReport =
  | { kind: 'started'; port: number; connectionString: string }
  | { kind: 'failed'; name: string; message: string }
  | { kind: 'log'; line: Parameters<Log> };

/** The one thing that the owner tells the thread. */
export const STOP = 'stop';
