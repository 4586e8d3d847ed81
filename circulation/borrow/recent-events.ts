import { borrowEventTime, DESK, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { RecentEvent } from '#contracts/borrowing/borrowed-book.js';

/** Milliseconds for which a borrow knows its events as recent: no rules let anything be undone for longer. */
export const RECENT_FOR = 10 * 60_000;

interface BeforeEvent {
  readonly recent: readonly RecentEvent[];
  readonly dueDate: string | null;
}

/** The recent events of a borrow after one of its events. What is undone is no longer among them. */
export function recentAfter(
  before: BeforeEvent,
  event: BorrowEvent,
  revision: number,
): readonly RecentEvent[] {
  const entry = entryOf(before, event, revision);
  if (before.recent.length === 0) return entry ? [entry] : before.recent;
  const now = Date.parse(borrowEventTime(event));
  const left = before.recent.filter(
    (recent) => now - Date.parse(recent.at) <= RECENT_FOR && !isUndoneBy(event, recent),
  );
  return entry ? [...left, entry] : left;
}

function entryOf(
  { dueDate }: BeforeEvent,
  { type, data }: BorrowEvent,
  revision: number,
): RecentEvent | undefined {
  if (type === 'BooksIssued') return { revision, type, at: data.issuedAt, bookIds: data.bookIds, dueDate };
  if (type === 'BooksReturned') return { revision, type, at: data.returnedAt, bookIds: data.bookIds };
  if (type === 'BooksTakenBack') return { revision, type, at: data.takenBackAt, bookIds: data.bookIds };
  if (type === 'BookLost' || type === 'BookDamaged') {
    const { reportedAt: at, bookId, amount } = data;
    return { revision, type, at, bookIds: [bookId], amount };
  }
  if (type === 'LostBookFound') {
    const { foundAt: at, bookId, amount } = data;
    return { revision, type, at, bookIds: [bookId], amount };
  }
  if (type === 'RefundPaid') {
    const { amount, transactionId, paidAt: at } = data;
    return { revision, type, at, amount, transactionId };
  }
  if (type === 'FeeWaived') return { revision, type, at: data.waivedAt, amount: data.amount };
  if (type === 'FinePaid') {
    const { amount, transactionId, provider, paidAt: at } = data;
    return { revision, type, at, ...(provider === DESK && { amount, transactionId }) };
  }
  if (type === 'FineCharged') return { revision, type, at: data.chargedAt };
  if (type === 'BorrowRenewed') return { revision, type, at: data.renewedAt };
  return undefined;
}

function isUndoneBy({ type, data }: BorrowEvent, recent: RecentEvent): boolean {
  if (type === 'UndoAbandoned')
    return isReturn(recent) && (recent.bookIds ?? []).some((bookId) => data.bookIds.includes(bookId));
  return 'revision' in data && data.revision === recent.revision;
}

export function isReturn({ type }: RecentEvent): boolean {
  return type === 'BooksReturned' || type === 'BooksTakenBack';
}

export function isLoss({ type }: Pick<RecentEvent, 'type'>): boolean {
  return type === 'BookLost' || type === 'BookDamaged';
}
