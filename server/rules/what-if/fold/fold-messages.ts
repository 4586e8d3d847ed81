import type { RuleBook } from '#circulation/rules/rule-book.js';
import type { TrialOrder, TrialResult } from '#circulation/simulation/trial.js';

/** What the thread that folds begins with. */
export interface FoldOrder {
  order: TrialOrder;
  /** All events of the rules. */
  rules: Parameters<typeof RuleBook.of>[0];
  /** The ids of events that are left out. */
  setAside: readonly string[];
  /** The place of the last event to fold. */
  end: bigint;
}

/** A message to the thread: some events of the log as they came from the store, in memory that goes over to the thread. */
export type FoldPiece = Uint8Array<ArrayBuffer>;

/** The last message to the thread. */
export const END_OF_LOG = null;

/** Messages from the thread: a piece is done, up to a place in the log, or all is. */
export type FoldReport = { kind: 'piece-done'; reached: bigint } | FoldOutcome;

export type FoldOutcome =
  | { kind: 'folded'; result: TrialResult }
  /** The log's last event was not among what came. */
  | { kind: 'broke-off' }
  /** An event can be neither read nor applied, and no operator has set it aside. */
  | { kind: 'unreadable'; message: string }
  /** Events were folded that an operator has set aside later on. */
  | { kind: 'set-aside-later'; events: readonly string[] };
