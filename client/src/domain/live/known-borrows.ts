import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { isLater } from './positions.js';

/** Enough for every row of the pages that stay cached. */
const LIMIT = 2000;

const known = new Map<string, BorrowView>();

/**
 * The latest state seen of each borrow, from lists and from live messages. A list that was asked for before a
 * message came and answered after it would otherwise turn its row back.
 */
export const knownBorrows = {
  get: (id: string): BorrowView | undefined => known.get(id),

  /** Remembers a borrow if it is the latest seen; gives back the latest. */
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
