import type { ExpectedLog } from '#platform/event-log/log-proof.js';
import type { SimulationInput, SimulationResult } from '#circulation/simulation/simulation.js';
import type { RuleBook } from '#circulation/rules/rule-book.js';

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

/** What the thread that folds begins with. */
export interface FoldRequest {
  order: SimulationInput;
  /** All events of the rules. */
  rules: Parameters<typeof RuleBook.of>[0];
  /** The ids of events that are left out. */
  setAside: readonly string[];
  /** The place of the last event to fold. */
  end: bigint;
}

/** A message to the thread: some events of the log as they came from the store, in memory that goes over to the thread. */
export type FoldChunk = Uint8Array<ArrayBuffer>;

/** The last message to the thread. */
export const END_OF_LOG = null;

/** Messages from the thread: a piece is done, up to a place in the log, or all is. */
export type FoldMessage = { kind: 'piece-done'; reached: bigint } | FoldOutcome;

export type FoldOutcome =
  | { kind: 'folded'; result: SimulationResult }
  /** The log's last event was not among what came. */
  | { kind: 'broke-off' }
  /** An event can be neither read nor applied, and no operator has skipped it. */
  | { kind: 'unreadable'; message: string }
  /** Events were folded that an operator has skipped later on. */
  | { kind: 'skipped-later'; events: readonly string[] };
