import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, ChevronLeft } from 'lucide-react';
import { useState } from 'react';
import { Link, Navigate, useParams } from 'react-router-dom';
import { bookParamsSchema } from '#contracts/catalogue/book-views.js';
import { readHoldQueue, type QueuedHold } from '#contracts/holds/hold-views.js';
import { Button } from '../../components/form/button.js';
import { EmptyState, ErrorState, Skeleton, SkeletonLines } from '../../components/list/placeholders.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { useBook } from '../../domain/catalogue/get-book.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { HoldActions, HoldBadge } from '../../domain/holds/hold-actions.js';
import { dayWithName, estimateText, MOVE_LABELS } from '../../domain/holds/hold-texts.js';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { queryOf } from '../../lib/api/send.js';
import { isoDay } from '../../lib/dates.js';
import styles from './hold-queue-page.module.css';
import { MoveDialog, ReserveForReader } from './move-dialog.js';

/** Who waits for a title, in which order and why. */
export function HoldQueuePage() {
  const params = bookParamsSchema.safeParse(useParams());
  if (!params.success) return <Navigate to="/not-found" replace />;
  return <QueueOf key={params.data.id} bookId={params.data.id} />;
}

function QueueOf({ bookId }: { bookId: number }) {
  const book = useBook(bookId);
  const queue = useQuery({
    ...queryOf(readHoldQueue, { query: { bookId } }),
    refetchOnMount: 'always',
    meta: { inPlace: true },
  });
  const [isReserving, setReserving] = useState(false);
  const title = book.data?.title ?? '';
  usePageTitle(title === '' ? 'Holds' : `Holds: ${title}`);
  return (
    <>
      <Link to="/admin/holds" className={styles.back}>
        <ChevronLeft size={16} aria-hidden="true" />
        Holds
      </Link>
      <header className={styles.head}>
        <SmallCover bookId={bookId} title={title} className={styles.cover} />
        <div className={styles.about}>
          <h2 className={styles.title}>{book.data?.title ?? <Skeleton width="12rem" />}</h2>
          {book.data && (
            <p className="note">
              {book.data.copiesAvailable} of {book.data.copiesTotal}{' '}
              {book.data.copiesTotal === 1 ? 'copy' : 'copies'} on the shelf ·{' '}
              <Link to={`/admin/books/save/${bookId}`}>Edit the book</Link>
            </p>
          )}
        </div>
        {book.data && <Button onClick={() => setReserving(true)}>Reserve for a reader</Button>}
        <LiveBadge />
      </header>
      {queue.data ? (
        queue.data.length === 0 ? (
          <EmptyState title="Nobody waits for this title">
            Whoever reserves it, on its page or at the desk, is listed here in the order in which copies go
            out.
          </EmptyState>
        ) : (
          <Queue holds={queue.data} />
        )
      ) : queue.isError ? (
        <ErrorState error={queue.error} onRetry={() => void queue.refetch()} retrying={queue.isFetching} />
      ) : (
        <SkeletonLines label="Loading who waits" widths={[70, 55, 60]} />
      )}
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
  const moveOf = (hold: QueuedHold, before: QueuedHold | undefined) =>
    setMove({ hold, before: before?.id ?? null });
  return (
    <>
      <ol role="list" className={styles.queue}>
        {holds.map((hold) => {
          const at = waiting.indexOf(hold);
          return (
            <li key={hold.id} className={styles.hold} data-queued={hold.id} data-state={hold.state}>
              <p className={styles.place}>{hold.place ?? <HoldBadge state={hold.state} />}</p>
              <div className={styles.words}>
                <p className={styles.reader}>
                  <Link to={`/admin/readers/${hold.user.id}`}>{hold.user.fullname}</Link>
                  {hold.place !== null && <HoldBadge state={hold.state} />}
                </p>
                <p className={styles.standing}>
                  <NonBreakingDates text={standingOf(hold)} />
                </p>
                <p className="note">
                  <NonBreakingDates text={reasonOf(hold)} />
                </p>
              </div>
              <div className={styles.actions}>
                {at >= 0 && (
                  <>
                    <Button
                      size="small"
                      className={styles.arrow ?? ''}
                      disabled={at === 0}
                      aria-label={`Up: ${hold.user.fullname}`}
                      onClick={() => moveOf(hold, waiting[at - 1])}
                    >
                      <ArrowUp size={16} aria-hidden="true" />
                    </Button>
                    <Button
                      size="small"
                      className={styles.arrow ?? ''}
                      disabled={at === waiting.length - 1}
                      aria-label={`Down: ${hold.user.fullname}`}
                      onClick={() => moveOf(hold, waiting[at + 2])}
                    >
                      <ArrowDown size={16} aria-hidden="true" />
                    </Button>
                  </>
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
    return collectBy === null ? 'Waits at the desk' : `Waits at the desk until ${dayWithName(collectBy)}`;
  const parts = [
    pausedUntil === null ? estimateText(estimateDays) : `waits again from ${pausedUntil}`,
    neededUntil !== null && `not needed after ${neededUntil}`,
  ];
  const [first = '', ...others] = parts.filter((part) => part !== false);
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join('; ');
}

/** Why they stand where they do. */
function reasonOf({ placedAt, moved }: QueuedHold): string {
  const placed = `Reserved on ${isoDay(placedAt)}`;
  if (!moved) return `${placed}.`;
  const by = moved.by ? ` by ${moved.by.fullname}` : '';
  const note = moved.note === null ? '' : ` (${moved.note})`;
  return `${placed}. Moved on ${isoDay(moved.at)}${by}: ${MOVE_LABELS[moved.reason].toLowerCase()}${note}.`;
}
