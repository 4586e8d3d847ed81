import * as m from '#words/messages.js';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { STATE_PAGE_SIZE } from '#contracts/audit/as-of.js';
import { readEvent, readPastBorrow, readPastBorrows } from '#contracts/audit/audit-calls.js';
import { queryOf } from '../../../../lib/api/send.js';
import type { HistoryEvent } from '../history/history.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { statusLabel } from '../../../../domain/borrowing/status-badge.js';
import { isoMinute } from '../../../../lib/dates.js';
import { feeText, amountText } from '../../../../domain/fees/money.js';

/** The past does not change: what was fetched once stays right. */
const past = { staleTime: Infinity, meta: { inPlace: true } } as const;

function stateAt(readerId: string, revision: number, pageNumber: number) {
  const query = { at: revision, pageNumber, pageSize: STATE_PAGE_SIZE };
  return { ...queryOf(readPastBorrows, { params: { readerId }, query }), ...past };
}

const borrowAt = (borrowId: string, revision: number) => ({
  ...queryOf(readPastBorrow, { params: { borrowId }, query: { at: revision } }),
  ...past,
});

/** All borrows after an event, of the server; the state before stays on the screen until the next is there. */
export function usePastState(readerId: string, revision: number, page: number) {
  return useQuery({ ...stateAt(readerId, revision, page), placeholderData: keepPreviousData });
}

/** The borrow that an event is about, before and after it. */
export function useChange(event: HistoryEvent | undefined) {
  const revision = event?.revision ?? 0;
  const borrowId = event?.borrowId ?? '';
  const enabled = borrowId !== '' && event?.type !== 'RentAbandoned';
  const before = useQuery({ ...borrowAt(borrowId, revision - 1), enabled });
  const after = useQuery({ ...borrowAt(borrowId, revision), enabled });
  return { before, after };
}

/** Fetches the states beside the one that is looked at: a step then shows at once. */
export function usePrefetchedNeighbours(
  readerId: string,
  events: readonly HistoryEvent[],
  number: number,
  wanted: boolean,
): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!wanted) return;
    for (const neighbour of [number + 1, number - 1]) {
      const event = events[neighbour - 1];
      if (!event) continue;
      void client.prefetchQuery(stateAt(readerId, event.revision, 1));
      if (event.borrowId !== '') void client.prefetchQuery(borrowAt(event.borrowId, event.revision));
    }
  }, [client, readerId, events, number, wanted]);
}

/** An event as it is stored, with its data and metadata. */
export const useStoredEvent = (readerId: string, revision: number) =>
  useQuery({ ...queryOf(readEvent, { params: { readerId, revision } }), ...past });

/** What of a borrow says who and what it is, what may be done with it, or follows from other fields. */
type NotShown =
  | 'id'
  | 'user'
  | 'borrowedBooks'
  | 'position'
  | 'availableActions'
  | 'undo'
  | 'finePaid'
  | 'lossAmount';
export type FieldName = Exclude<keyof BorrowView, NotShown>;

interface Field {
  label: string;
  text: (borrow: BorrowView) => string;
  /** Whether it stands among the facts of a borrow; the others have a place of their own there. */
  isFact: boolean;
}

const NONE = '–';
const moment = (time: string | null) => (time === null ? NONE : isoMinute(time));

/** In the order in which they are shown. */
export const FIELDS: Record<FieldName, Field> = {
  status: { label: m.common_status(), text: ({ status }) => statusLabel(status), isFact: false },
  rentDate: { label: m.audit_field_rented(), text: ({ rentDate }) => moment(rentDate), isFact: true },
  collectBy: { label: m.common_collect_by(), text: ({ collectBy }) => moment(collectBy), isFact: true },
  issueDate: { label: m.audit_field_issued(), text: ({ issueDate }) => moment(issueDate), isFact: true },
  dueDate: { label: m.common_due(), text: ({ dueDate }) => moment(dueDate), isFact: true },
  returnDate: { label: m.audit_field_returned(), text: ({ returnDate }) => moment(returnDate), isFact: true },
  renewals: { label: m.audit_field_renewals(), text: ({ renewals }) => String(renewals), isFact: true },
  fineAmount: { label: m.common_fee(), text: ({ fineAmount }) => feeText(fineAmount), isFact: false },
  fineWaived: {
    label: m.audit_field_waived(),
    text: ({ fineWaived }) => amountText(fineWaived),
    isFact: false,
  },
  fineDue: { label: m.audit_field_still_to_pay(), text: ({ fineDue }) => amountText(fineDue), isFact: false },
  refundDue: {
    label: m.audit_field_to_give_back(),
    text: ({ refundDue }) => amountText(refundDue),
    isFact: false,
  },
  books: { label: m.common_books(), text: ({ books }) => booksText(books), isFact: false },
};

const STATES: Record<BorrowView['books'][number]['state'], string> = {
  reserved: m.audit_book_waiting(),
  lent: m.audit_book_lent(),
  returned: m.audit_book_back(),
  expired: m.audit_book_not_collected(),
  cancelled: m.audit_book_cancelled(),
  undone: m.audit_book_undone(),
  lost: m.audit_book_lost(),
  damaged: m.audit_book_damaged(),
  other: m.audit_book_other(),
};

/** Says of each book what it is, where they are not all the same. */
function booksText(books: BorrowView['books']): string {
  const isMixed = new Set(books.map(({ state }) => state)).size > 1 || books.some(isGone);
  return books.map(({ title, state }) => (isMixed ? `${title} (${STATES[state]})` : title)).join(', ');
}

const isGone = ({ state }: BorrowView['books'][number]) => state === 'lost' || state === 'damaged';

export interface ChangedField {
  name: FieldName;
  label: string;
  /** null where the borrow was not there. */
  before: string | null;
  after: string;
}

export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** What an event did to a borrow: the fields that say something else than before. */
export function changedFields(before: BorrowView | null, after: BorrowView | null): ChangedField[] {
  if (after === null) return [];
  return FIELD_NAMES.flatMap((name) => {
    const { label, text } = FIELDS[name];
    const was = before && text(before);
    const is = text(after);
    // Of a borrow that has just come to be, what is not known yet is no news.
    const isNews = before === null ? is !== NONE && !isNothing(name, after) : was !== is;
    return isNews ? [{ name, label, before: was, after: is }] : [];
  });
}

function isNothing(name: FieldName, borrow: BorrowView): boolean {
  return (
    (name === 'renewals' ||
      name === 'fineAmount' ||
      name === 'fineDue' ||
      name === 'fineWaived' ||
      name === 'refundDue') &&
    borrow[name] === 0
  );
}
