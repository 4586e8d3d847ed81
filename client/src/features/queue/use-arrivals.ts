import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useState } from 'react';
import { listBorrows } from '#contracts/borrowing/borrow-calls.js';
import type { BorrowListQuery } from '#contracts/borrowing/borrow-views.js';
import {
  MARK_MS,
  type QueuePage,
  admitArrivals,
  isTopOfNewest,
  unmark,
} from '../../domain/live/queue-page.js';
import { keyOf } from '../../lib/api/send.js';
import type { ChangeQuery } from './queue-tools.js';

interface Arrivals {
  /** How many wait. */
  count: number;
  /** Lets them in; from elsewhere in the queue, by going to the newest first. */
  show: () => void;
}

/** New borrows come in by themselves while the top of the newest is at rest, and wait behind a bar otherwise. */
export function useArrivals(
  page: QueuePage | undefined,
  query: BorrowListQuery,
  changeQuery: ChangeQuery,
  list: RefObject<HTMLElement | null>,
): Arrivals {
  const client = useQueryClient();
  const atRest = useListAtRest(list);
  const count = page?.arrivals.length ?? 0;
  const top = isTopOfNewest(query);
  const key = JSON.stringify(query);

  const admit = useCallback(() => {
    const asked = JSON.parse(key) as BorrowListQuery;
    const change = (next: (before: QueuePage) => QueuePage) =>
      client.setQueryData<QueuePage>(
        keyOf(listBorrows, { query: asked }),
        (before) => before && next(before),
      );
    change((before) => admitArrivals(before, asked, Date.now()));
    setTimeout(() => change((before) => unmark(before, Date.now())), MARK_MS);
  }, [client, key]);

  useEffect(() => {
    if (count > 0 && atRest && top) admit();
  }, [count, atRest, top, admit]);

  const show = () => {
    if (top) admit();
    else changeQuery({ OrderBy: 'RentDate', Direction: 'Descending', pageNumber: 1 });
    list.current?.scrollIntoView({ block: 'start' });
  };
  return { count, show };
}

/** How long after the pointer or the focus has left, the list counts as at rest. */
const SETTLE_MS = 2500;

/**
 * Whether nobody is using the list: no pointer over it, no focus within, and its top in view. Then a new row may
 * take its place; otherwise it would push away what is being aimed at or read.
 */
function useListAtRest(list: RefObject<HTMLElement | null>): boolean {
  const [inUse, setInUse] = useState(false);
  const [atTop, setAtTop] = useState(true);

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    let timer: number | undefined;
    const use = () => {
      window.clearTimeout(timer);
      setInUse(true);
    };
    const leave = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (!element.matches(':hover') && !element.matches(':focus-within')) setInUse(false);
      }, SETTLE_MS);
    };
    const look = () => setAtTop(element.getBoundingClientRect().top >= 0);
    element.addEventListener('pointerenter', use);
    element.addEventListener('pointermove', use);
    element.addEventListener('pointerleave', leave);
    element.addEventListener('focusin', use);
    element.addEventListener('focusout', leave);
    window.addEventListener('scroll', look, { passive: true });
    return () => {
      window.clearTimeout(timer);
      element.removeEventListener('pointerenter', use);
      element.removeEventListener('pointermove', use);
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('focusin', use);
      element.removeEventListener('focusout', leave);
      window.removeEventListener('scroll', look);
    };
  }, [list]);

  return !inUse && atTop;
}
