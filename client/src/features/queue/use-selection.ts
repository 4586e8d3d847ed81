import { useCallback, useState } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';

/** Rows of the page that were chosen to do something with all of them. */
export interface Selection {
  /** In the order of the page, as they are now. */
  chosen: readonly BorrowView[];
  has: (id: string) => boolean;
  /** Always the same function. */
  toggle: (id: string) => void;
  toggleAll: () => void;
  clear: () => void;
  /** Takes out what is done. */
  remove: (id: string) => void;
}

const NONE: ReadonlySet<string> = new Set();

/** @param of what is chosen from: of another one nothing is chosen */
export function useSelection(items: readonly BorrowView[], of: string): Selection {
  const [ids, setIds] = useState(NONE);
  const [from, setFrom] = useState(of);
  if (from !== of) {
    setFrom(of);
    setIds(NONE);
  }
  const chosen = items.filter(({ id }) => ids.has(id));
  return {
    chosen,
    has: (id) => ids.has(id),
    toggle: useCallback(
      (id: string) => setIds((before) => (before.has(id) ? without(before, id) : new Set([...before, id]))),
      [],
    ),
    toggleAll: () => setIds(chosen.length === items.length ? NONE : new Set(items.map(({ id }) => id))),
    clear: () => setIds(NONE),
    remove: (id) => setIds((before) => without(before, id)),
  };
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((each) => each !== id));
}
