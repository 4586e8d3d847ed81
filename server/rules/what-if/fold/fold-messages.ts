import type { RuleBook } from '#borrowing/rule-book.js';
import type { TrialOrder, TrialResult } from '#borrowing/trial.js';

/** What the thread that folds begins with. */
export interface FoldOrder {
  order: TrialOrder;
  /** All events of the rules. */
  rules: Parameters<typeof RuleBook.of>[0];
  /** The ids of events that are left out. */
  setAside: readonly string[];
}

/** Of a recorded event in a reader's stream: its id, the stream's key, its revision, type, data and metadata. */
export type RecordedTuple = [string, string, number, string, unknown, unknown];

/**
 * A message to the thread: some events of the log, as the JSON of tuples. Objects themselves would be copied one by one, which
 * takes twice as long as this text and its parsing.
 */
export type FoldPiece = string;

/** The last message to the thread. */
export const END_OF_LOG = null;

/** Messages from the thread: a piece is done, or all is. */
export type FoldReport = { kind: 'piece-done' } | FoldOutcome;

export type FoldOutcome =
  | { kind: 'folded'; result: TrialResult }
  /** An event can be neither read nor applied, and no operator has set it aside. */
  | { kind: 'unreadable'; message: string }
  /** Events were folded that an operator has set aside later on. */
  | { kind: 'set-aside-later'; events: readonly string[] };
