import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { isLater } from './positions.js';

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
