import { BORROW_EVENT_TYPES, type BorrowEventType } from '#contracts/borrowing/borrow-events.js';
import type { Timeline } from '#contracts/audit/timeline.js';
import { borrowStatusSchema, type BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import { historyOf, type HistoryEvent } from '../src/features/audit/replay/history/history.js';
import { ID } from './views.js';

export interface TestEvent {
  type: BorrowEventType;
  /** Which borrow: a letter will do. */
  borrow: string;
  /** `2026-03-04T10:22:00Z` */
  at: string;
  /** Grosze. */
  amount?: number;
  due?: string;
  /** After it, where the type does not say. */
  status?: BorrowStatus;
}

const LEADS_TO: Partial<Record<BorrowEventType, BorrowStatus>> = {
  BooksRented: 'Rented',
  BooksIssued: 'Issued',
  BorrowRenewed: 'Issued',
  BorrowExpired: 'Expired',
  RentCancelled: 'Expired',
  FineCharged: 'Not_Paid',
  FinePaid: 'Paid',
  BooksReturned: 'Returned',
};

function statusAfter({ type, status = LEADS_TO[type] }: TestEvent): number | null {
  return status === undefined ? null : borrowStatusSchema.options.indexOf(status);
}

export const borrowIdOf = (letter: string) =>
  `3f2504e0-4f89-41d3-9a0c-${letter.charCodeAt(0).toString(16).padStart(12, '0')}`;

/** The answer to the timeline's call, for such events. */
export function timelineOf(events: readonly TestEvent[], after = -1): Timeline {
  const types: string[] = BORROW_EVENT_TYPES;
  const letters = [...new Set(events.map(({ borrow }) => borrow))];
  return {
    reader: { id: ID, fullname: 'Anna Nowak' },
    totalCount: events.length,
    lastRevision: events.length - 1,
    types,
    borrows: letters.map((letter) => ({ id: borrowIdOf(letter), titles: [`Book ${letter}`] })),
    actors: [{ id: ID, name: 'Anna Nowak', kind: 'account' }],
    holds: {},
    kinds: {},
    rows: events
      .map((event, revision): Timeline['rows'][number] => {
        const { type, borrow, at, amount, due } = event;
        return [
          revision,
          types.indexOf(type),
          letters.indexOf(borrow),
          0,
          Date.parse(at),
          Date.parse(at),
          amount ?? null,
          type === 'FineCharged' ? 1 : null,
          due === undefined ? null : Date.parse(due),
          statusAfter(event),
        ];
      })
      .filter(([revision]) => revision > after),
  };
}

export function eventsOf(events: readonly TestEvent[]): readonly HistoryEvent[] {
  return historyOf(timelineOf(events)).events;
}
