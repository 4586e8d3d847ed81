import { useQuery } from '@tanstack/react-query';
import type { Book } from '#contracts/catalogue/book-views.js';
import { readProspect, type HoldView } from '#contracts/holds/hold-views.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { useOwnHold } from '../../domain/holds/get-holds.js';
import { HoldActions, HoldBadge } from '../../domain/holds/hold-actions.js';
import { estimateText, ordinal, standingOf, waitingText } from '../../domain/holds/hold-texts.js';
import { ReserveButton } from '../../domain/holds/reserve-button.js';
import { queryOf } from '../../lib/api/send.js';
import { isoDay } from '../../lib/dates.js';
import { useUser } from '../../lib/session.js';
import { classNames } from '../../lib/class-names.js';

/** Who waits for the title: how many, and whether the reader does; or the way to wait for it too. */
export function BookHolds({ book }: { book: Book }) {
  const user = useUser();
  const own = useOwnHold(book.id);
  if (!user) return book.holds > 0 && <p className="note">{waitingText(book.holds)}.</p>;
  if (own) return <OwnHold hold={own} holds={book.holds} />;
  if (book.kind === 'reading-room') return null;
  return <Reserve book={book} />;
}

function Reserve({ book }: { book: Book }) {
  const isNone = book.copiesAvailable === 0;
  const prospect = useQuery({
    ...queryOf(readProspect, { query: { bookId: book.id } }),
    enabled: isNone,
    meta: { inPlace: true },
  }).data;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 to-720:[&>button]:w-full">
      <ReserveButton book={book} look={isNone ? 'primary' : 'quiet'} />
      <p className="note" data-holds={book.holds}>
        {!isNone
          ? 'To fetch it later: a copy is kept for you at the desk.'
          : prospect
            ? `${waitingText(prospect.waiting)}. You would be ${ordinal(prospect.place)} in line, ${estimateText(prospect.estimateDays)}.`
            : `${waitingText(book.holds)}.`}
      </p>
    </div>
  );
}

function OwnHold({ hold, holds }: { hold: HoldView; holds: number }) {
  return (
    <section
      className={classNames(
        'flex flex-col gap-2 p-4 border-l-4 border-l-rented rounded bg-surface',
        'data-[state=Paused]:border-issued data-[state=Ready]:border-returned data-[state=Ready]:bg-returned-wash',
      )}
      aria-label="Your reservation"
      data-hold={hold.id}
      data-state={hold.state}
    >
      <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <HoldBadge state={hold.state} />
        <p className="font-serif text-3 leading-tight">
          <NonBreakingDates text={standingOf(hold, 'owner')} />
        </p>
      </div>
      <p className="note">
        <NonBreakingDates text={detailsOf(hold, holds)} />
      </p>
      <div className="flex flex-wrap gap-2 to-720:[&>button]:flex-1">
        <HoldActions hold={hold} />
      </div>
    </section>
  );
}

function detailsOf({ state, placedAt, neededUntil }: HoldView, holds: number): string {
  const since = `Reserved on ${isoDay(placedAt)}.`;
  if (state === 'Ready') return `${since} Bring your card.`;
  const last = neededUntil === null ? '' : ` No longer needed after ${neededUntil}.`;
  return `${holds > 1 ? waitingText(holds) : 'Nobody else waits for it'}. ${since}${last}`;
}
