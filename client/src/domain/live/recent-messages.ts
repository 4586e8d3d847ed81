import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';

/** A borrow as a message has it, and its status before that, where it was known. */
interface BorrowMessage {
  borrow: BorrowView;
  before: BorrowStatus | undefined;
  /** On this machine's clock. */
  at: number;
}

/** No list is on its way for longer than this. */
const KEPT_MS = 60_000;

let messages: BorrowMessage[] = [];

/**
 * The live messages of the last minute. A list that was requested before a message and answered after it does not include
 * it: the message is then applied to the answer.
 */
export const recentMessages = {
  add: (message: BorrowMessage): void => {
    messages = [...messages.filter(({ at }) => message.at - at < KEPT_MS), message];
  },
  since: (time: number): readonly BorrowMessage[] => messages.filter(({ at }) => at >= time),
  forget: (): void => {
    messages = [];
  },
};

/** Whether a log position is later than another; both are decimal numbers too large for a double. */
export function isLater(position: string, than: string): boolean {
  return BigInt(position) > BigInt(than);
}

export function later(one: string, other: string): string {
  return isLater(one, other) ? one : other;
}

/** Enough for every row of the pages that stay cached. */
const LIMIT = 2000;

const known = new Map<string, BorrowView>();

/**
 * The latest known state of each borrow, from lists and from live messages. Without it, a list that was requested before
 * a message and answered after it would overwrite the newer row.
 */
export const knownBorrows = {
  get: (id: string): BorrowView | undefined => known.get(id),

  /** Stores a borrow if it is newer than the known state. @returns the newest state */
  latest: (borrow: BorrowView): BorrowView => {
    const before = known.get(borrow.id);
    if (before && isLater(before.position, borrow.position)) return before;
    known.delete(borrow.id);
    known.set(borrow.id, borrow);
    const [oldest] = known.keys();
    if (known.size > LIMIT && oldest !== undefined) known.delete(oldest);
    return borrow;
  },

  forget: (): void => known.clear(),
};
