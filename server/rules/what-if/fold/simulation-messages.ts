import type { ExpectedLog } from '#platform/event-log/log-proof.js';
import type { SimulationInput, SimulationResult } from '#circulation/simulation/simulation.js';

/** The single message to the process of a trial. Sent over the IPC channel, never on a command line. */
export interface SimulationRequest {
  /** With its secret. */
  eventStoreUrl: string;
  /** What is known of the log that it leads to. */
  log: ExpectedLog;
  order: SimulationInput;
}

/** Messages from it. */
export type SimulationMessage =
  /** Sent as long as events come. */
  | { kind: 'progress'; percent: number }
  | { kind: 'done'; result: SimulationResult }
  | { kind: 'failed'; failure: SimulationFailure; message: string; stack: string | undefined };

/** The log is away, it has an event that cannot be read or applied, or something else went wrong. */
export type SimulationFailure = 'log-away' | 'unreadable' | 'unexpected';
