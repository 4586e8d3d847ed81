import type { ExpectedLog } from '#platform/event-log/log-proof.js';
import type { TrialOrder, TrialResult } from '#circulation/simulation/trial.js';

/** The single message to the process of a trial. Sent over the IPC channel, never on a command line. */
export interface TrialJob {
  /** With its secret. */
  eventStoreUrl: string;
  /** What is known of the log that it leads to. */
  log: ExpectedLog;
  order: TrialOrder;
}

/** Messages from it. */
export type TrialReport =
  /** Sent as long as events come. */
  | { kind: 'progress'; percent: number }
  | { kind: 'done'; result: TrialResult }
  | { kind: 'failed'; failure: TrialFailure; message: string; stack: string | undefined };

/** The log is away, it has an event that cannot be read or applied, or something else went wrong. */
export type TrialFailure = 'log-away' | 'unreadable' | 'unexpected';
