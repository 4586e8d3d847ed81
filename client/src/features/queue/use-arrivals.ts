import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, type RefObject } from 'react';
import { listBorrows } from '#contracts/borrowing/borrow-calls.js';
import type { BorrowListQuery } from '#contracts/borrowing/borrow-views.js';
import {
  admitArrivals,
  isTopOfNewest,
  MARK_MS,
  unmark,
  type QueuePage,
} from '../../domain/live/queue-page.js';
import { keyOf } from '../../lib/api/send.js';
import type { ChangeQuery } from './queue-address.js';
import { useListAtRest } from './use-list-at-rest.js';

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
