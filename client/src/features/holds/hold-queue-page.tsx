import * as m from '#words/messages.js';
import { StaffLink } from '../../domain/staff-link.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useParams } from 'react-router-dom';
import { bookParamsSchema, readBook } from '#contracts/catalogue/book-views.js';
import { readHoldQueue, type QueuedHold } from '#contracts/holds/hold-views.js';
import { BackLink, Button } from '../../components/form/button.js';
import { EmptyState, Loaded, Skeleton, SkeletonLines } from '../../components/list/placeholders.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { HoldActions, HoldBadge } from '../../domain/holds/hold-actions.js';
import { dayWithName, estimateText, MOVE_LABELS } from '../../domain/holds/hold-texts.js';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { queryOf } from '../../lib/api/send.js';
import { isoDay } from '../../lib/dates.js';
import { MoveDialog, ReserveForReader } from './move-dialog.js';
import { MoveButtons } from '../../components/list/move-buttons.js';

/** Who waits for a title, in which order and why. */
export function HoldQueuePage() {
  const params = bookParamsSchema.safeParse(useParams());
  if (!params.success) return <Navigate to="/not-found" replace />;
  return <QueueOf key={params.data.id} bookId={params.data.id} />;
}

function QueueOf({ bookId }: { bookId: number }) {
  const book = useQuery(queryOf(readBook, { params: { id: bookId } }));
  const queue = useQuery({
    ...queryOf(readHoldQueue, { query: { bookId } }),
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });
  const [isReserving, setReserving] = useState(false);
  const title = book.data?.title ?? '';
  usePageTitle(title === '' ? m.common_holds() : m.holds_title_of({ title }));
  return (
    <>
      <BackLink to="/admin/holds">{m.common_holds()}</BackLink>
      <header className="flex flex-wrap items-center gap-y-3 gap-x-4 mb-6 pb-4 [border-bottom:3px_double_var(--line-strong)]">
        <SmallCover bookId={bookId} title={title} className="w-12" />
        <div className="flex-[1_1_14rem] min-w-0">
          <h2 className="text-4 wrap-anywhere">{book.data?.title ?? <Skeleton width="12rem" />}</h2>
          {book.data && (
            <p className="note">
              {m.holds_copies_on_shelf({
                available: book.data.copiesAvailable,
                total: book.data.copiesTotal,
              })}{' '}
              · <StaffLink to={`/admin/books/save/${bookId}`}>{m.holds_edit_book()}</StaffLink>
            </p>
          )}
        </div>
        {book.data && <Button onClick={() => setReserving(true)}>{m.holds_reserve_for_reader()}</Button>}
        <LiveBadge />
      </header>
      <Loaded of={queue} waiting={<SkeletonLines label={m.holds_loading()} widths={[70, 55, 60]} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={m.holds_queue_empty()}>{m.holds_queue_empty_lead()}</EmptyState>
          ) : (
            <Queue holds={data} />
          )
        }
      </Loaded>
      {isReserving && book.data && <ReserveForReader book={book.data} onClose={() => setReserving(false)} />}
    </>
  );
}

/** A move that is asked for: which hold, and before which it is to stand. */
interface Move {
  hold: QueuedHold;
  before: string | null;
}

function Queue({ holds }: { holds: readonly QueuedHold[] }) {
  const [move, setMove] = useState<Move>();
  const waiting = holds.filter(({ place }) => place !== null);
  return (
    <>
      <ol
        role="list"
        className="grid grid-cols-[4.5rem_minmax(0,_1fr)_auto] gap-x-4 to-1100:grid-cols-[4.5rem_minmax(0,_1fr)] phone:grid-cols-[2.5rem_minmax(0,_1fr)] phone:gap-x-3"
      >
        {holds.map((hold) => {
          const at = waiting.indexOf(hold);
          return (
            <li
              key={hold.id}
              className="group/hold col-span-full grid grid-cols-subgrid items-center gap-y-2 py-3 border-b border-line"
              data-queued={hold.id}
              data-state={hold.state}
            >
              <p className="font-serif text-4 tabular-nums leading-[1.2] [&>*]:font-sans [&>*]:tracking-[0] phone:group-data-[state=Ready]/hold:col-span-full">
                {hold.place ?? <HoldBadge state={hold.state} />}
              </p>
              <div className="min-w-0 wrap-anywhere phone:group-data-[state=Ready]/hold:col-span-full">
                <p className="flex flex-wrap items-baseline gap-y-1 gap-x-3 font-strong">
                  <StaffLink to={`/admin/readers/${hold.user.id}`}>{hold.user.fullname}</StaffLink>
                  {hold.place !== null && <HoldBadge state={hold.state} />}
                </p>
                <p className="text-1 tabular-nums group-data-[state=Ready]/hold:text-returned group-data-[state=Ready]/hold:font-semibold">
                  <NonBreakingDates text={standingOf(hold)} />
                </p>
                <p className="note">
                  <NonBreakingDates text={reasonOf(hold)} />
                </p>
              </div>
              <div className="flex flex-wrap justify-end gap-2 to-1100:col-2 to-1100:justify-start phone:col-span-full phone:[&>button]:flex-[1_0_auto] phone:[&>button]:px-2">
                {at >= 0 && (
                  <MoveButtons
                    name={hold.user.fullname}
                    place={at + 1}
                    total={waiting.length}
                    onMove={(place, by) =>
                      setMove({ hold, before: waiting[by === 'up' ? place - 1 : place]?.id ?? null })
                    }
                  />
                )}
                <HoldActions hold={hold} />
              </div>
            </li>
          );
        })}
      </ol>
      {move && (
        <MoveDialog
          hold={move.hold}
          before={move.before}
          others={waiting.filter(({ id }) => id !== move.hold.id)}
          onClose={() => setMove(undefined)}
        />
      )}
    </>
  );
}

/** When they may get it, or until when it is kept. */
function standingOf({ collectBy, place, pausedUntil, neededUntil, estimateDays }: QueuedHold): string {
  if (place === null)
    return collectBy === null
      ? m.holds_waits_at_desk()
      : m.holds_waits_at_desk_until({ day: dayWithName(collectBy) });
  const parts = [
    pausedUntil === null ? estimateText(estimateDays) : m.holds_waits_again({ day: pausedUntil }),
    neededUntil !== null && m.holds_not_needed({ day: neededUntil }),
  ];
  const [first = '', ...others] = parts.filter((part) => part !== false);
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join('; ');
}

/** Why they stand where they do. */
function reasonOf({ placedAt, moved }: QueuedHold): string {
  const placed = m.holds_reserved_on({ day: isoDay(placedAt) });
  if (!moved) return placed;
  const { by, note } = moved;
  const word = MOVE_LABELS[moved.reason].toLowerCase();
  const move = { day: isoDay(moved.at), reason: note === null ? word : `${word} (${note})` };
  return `${placed} ${by ? m.holds_moved_on_by({ ...move, by: by.fullname }) : m.holds_moved_on(move)}`;
}
