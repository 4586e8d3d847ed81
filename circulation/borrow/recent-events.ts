import {
  BORROW_EVENTS,
  borrowEventTime,
  keptForUndo,
  type BorrowEvent,
  type RecentEvent,
} from '#contracts/borrowing/borrow-events.js';

/** Milliseconds for which a borrow knows its events as recent: no rules let anything be undone for longer. */
export const RECENT_WINDOW = 10 * 60_000;

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
    (recent) => now - Date.parse(recent.at) <= RECENT_WINDOW && !isUndoneBy(event, recent),
  );
  return entry ? [...left, entry] : left;
}

function entryOf({ dueDate }: BeforeEvent, event: BorrowEvent, revision: number): RecentEvent | undefined {
  const kept = keptForUndo(event);
  if (!kept) return undefined;
  const { type, ...facts } = kept;
  return { revision, type, at: borrowEventTime(event), ...facts, ...(type === 'BooksIssued' && { dueDate }) };
}

function isUndoneBy({ type, data }: BorrowEvent, recent: RecentEvent): boolean {
  if (type === 'UndoAbandoned')
    return isReturn(recent) && (recent.bookIds ?? []).some((bookId) => data.bookIds.includes(bookId));
  return 'revision' in data && data.revision === recent.revision;
}

export function isReturn({ type }: RecentEvent): boolean {
  const { undo } = BORROW_EVENTS[type];
  return undo === 'return' || undo === 'take-back';
}

export function isLoss({ type }: Pick<RecentEvent, 'type'>): boolean {
  return BORROW_EVENTS[type].undo === 'loss';
}
