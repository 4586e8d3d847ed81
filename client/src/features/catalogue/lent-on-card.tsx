import { useQuery } from '@tanstack/react-query';
import { readBook, type BookListItem } from '#contracts/catalogue/book-views.js';
import { readWhereabouts } from '#contracts/copies/copy-views.js';
import * as m from '#words/messages.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { useOwnHold } from '../../domain/holds/get-holds.js';
import { ordinal } from '../../domain/holds/hold-texts.js';
import { ReserveButton } from '../../domain/holds/reserve-button.js';
import { queryOf } from '../../lib/api/send.js';
import { isoDay } from '../../lib/dates.js';
import { useUser } from '../../lib/session.js';
import { useQuarterHour } from '../../lib/use-now.js';

/** Of a title of which every copy is lent: until when, how many wait, and what a reader can do about it. */
export function LentOnCard({ book }: { book: BookListItem }) {
  const user = useUser();
  const now = useQuarterHour();
  const own = useOwnHold(book.id);
  const ofBook = { params: { id: book.id } };
  const inPlace = { meta: { inPlace: true }, retry: false } as const;
  const copies = useQuery({ ...queryOf(readWhereabouts, ofBook), ...inPlace }).data;
  const waiting = useQuery({ ...queryOf(readBook, ofBook), ...inPlace }).data?.holds ?? 0;
  if (own) {
    return (
      <p className="text-accent-text text-1 font-strong">
        {own.place === null ? m.catalog_waits() : m.catalog_reserved({ ordinal: ordinal(own.place) })}
      </p>
    );
  }
  const due = copies?.flatMap(({ dueDate }) => dueDate ?? [])[0];
  const until =
    due !== undefined && Date.parse(due) > now
      ? m.catalog_lent_until({ day: isoDay(due) })
      : m.catalog_all_lent();
  return (
    <>
      <p className="text-1 leading-[1.35] tabular-nums">
        <NonBreakingDates text={waiting > 0 ? `${until} · ${m.catalog_wait({ count: waiting })}` : until} />
      </p>
      {user && (
        <ReserveButton
          book={book}
          size="small"
          // Above the whole card, which leads to the book.
          className="z-1 self-start mt-1"
        />
      )}
    </>
  );
}
