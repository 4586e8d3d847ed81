import type { Timeline } from '#contracts/audit/timeline.js';
import type { ReaderEvent } from '#contracts/holds/hold-events.js';
import type { Borrow } from '#circulation/borrow/borrow-state.js';

type Kind = Timeline['kinds'][string][number];

/**
 * For which kinds of readers and books the rules of an event were applied: those that are not the first ones. What follows on an
 * issue, as a fee, goes by the kinds that it was made for.
 * @param borrow as it was after the event; nothing of a hold's
 */
export function kindsOfRules(
  event: ReaderEvent | null | undefined,
  borrow: Borrow | null | undefined,
): Kind[] {
  if (!event || !('policyVersion' in event.data)) return [];
  const { data } = event;
  const named = bookIdsOf(data);
  const books = borrow?.books.filter(({ bookId }) => named?.includes(bookId) ?? true) ?? [];
  const reader = 'readerKind' in data ? [data.readerKind] : books.map(({ terms }) => terms?.reader);
  const kinds = [...reader, ...('bookKind' in data ? [data.bookKind] : books.map(({ kind }) => kind))];
  return [...new Set(kinds.filter((kind) => kind !== undefined))];
}

/** The books that an event names; nothing where it is about all of its borrow. */
function bookIdsOf(data: ReaderEvent['data']): readonly number[] | undefined {
  if ('bookIds' in data) return data.bookIds;
  return 'bookId' in data ? [data.bookId] : undefined;
}
