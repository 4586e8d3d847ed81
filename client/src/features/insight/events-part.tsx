import { useRef } from 'react';
import { Link } from 'react-router-dom';
import {
  HAPPENINGS_PAGE_SIZE,
  HOLD_HAPPENINGS,
  NO_GENRE,
  type HappeningsPage,
} from '#contracts/insight/insight.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { Table } from '../../components/table.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { isoMinute } from '../../lib/dates.js';
import { isPage, totalPages } from '../../lib/page-marks.js';
import { useListKeys } from '../../lib/use-list-keys.js';
import { useAddressOf, useIsInAdminArea } from './insight-address.js';
import { useGenreName, useHappenings, useOpenHolder, useOpenReplay, type Figure } from './insight-calls.js';
import styles from './insight-page.module.css';
import { counted, HAPPENING_TONES, HAPPENING_WORDS, hourName } from './words.js';

interface EventsPartProps {
  figure: Figure;
  page: number;
  onPage: (page: number) => void;
}

const COLUMNS = [
  { title: 'When', className: styles.when },
  { title: 'What', className: styles.what },
  { title: 'Book' },
  { title: 'Whose', className: styles.number },
];

/** The events that a figure counts. They name nobody; who may look at a borrow opens it. */
export function EventsPart({ figure, page, onPage }: EventsPartProps) {
  const happenings = useHappenings(figure, page);
  const addressOf = useAddressOf();
  const genre = useGenreName(figure.genreId);
  const isInAdminArea = useIsInAdminArea();
  // Below that of the page, which is one higher without the administration's own over it.
  const Heading = isInAdminArea ? 'h3' : 'h2';
  const { data } = happenings;
  const isOfHolds = HOLD_HAPPENINGS.some((happening) => happening === figure.what);
  const pages = totalPages(data?.totalCount ?? 0, HAPPENINGS_PAGE_SIZE);
  const turn = (next: number) => {
    if (isPage(next, pages)) onPage(next);
  };
  const noSearch = useRef<HTMLInputElement>(null);
  const listKeys = useListKeys({ page, onPage: turn, search: noSearch });
  return (
    <section aria-labelledby="behind" data-events={data?.totalCount}>
      <p className={styles.back}>
        <Link to={addressOf({})}>Back to the figures</Link>
      </p>
      <Heading id="behind" className={styles.behind}>
        {nameOf(figure, genre, data)}
      </Heading>
      <p className={styles.lead} role="status">
        {data && `${counted(data.totalCount, 'event', 'events')} `}
        {figure.what === 'Waiting' ? 'whenever it was' : `from ${figure.from} to ${figure.to}`}, the latest
        first.{' '}
        {!isInAdminArea
          ? 'Each opens the replay of its reader, which is recorded as a look.'
          : isOfHolds
            ? 'Each opens its reader, which is recorded as a look.'
            : 'Each opens its borrow.'}
      </p>
      {happenings.isError && !data ? (
        <ErrorState
          error={happenings.error}
          onRetry={() => void happenings.refetch()}
          retrying={happenings.isFetching}
        />
      ) : data?.totalCount === 0 ? (
        <EmptyState title="No event">
          What was counted has been undone since, or the days are others.
        </EmptyState>
      ) : (
        <div {...listKeys} role="group" aria-label="Events">
          <Table
            look="reading"
            columns={COLUMNS}
            waiting={10}
            className={styles.figures}
            stale={happenings.isPlaceholderData}
          >
            {data?.items.map(({ at, what, borrowId, holdId, bookId, title }) => (
              <tr role="row" key={`${borrowId ?? holdId} ${bookId} ${what}`}>
                <td role="cell" className={styles.when} data-label="When">
                  {isoMinute(at)}
                </td>
                <td role="cell" data-label="What">
                  <span className={styles.mark} data-tone={HAPPENING_TONES[what]}>
                    {HAPPENING_WORDS[what]}
                  </span>
                </td>
                <td role="cell" className={styles.name}>
                  {title}
                </td>
                <td role="cell" className={styles.number}>
                  {holdId !== null ? (
                    <HolderButton holdId={holdId} name={`${title}, ${isoMinute(at)}`} />
                  ) : borrowId === null ? null : isInAdminArea ? (
                    <BorrowLink id={borrowId} aria-label={`Open the borrow of ${title}, ${isoMinute(at)}`}>
                      Open
                    </BorrowLink>
                  ) : (
                    <ReplayButton borrowId={borrowId} name={`${title}, ${isoMinute(at)}`} />
                  )}
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
      {pages > 1 && <Pagination label="Pages of the events" page={page} total={pages} onPage={turn} />}
    </section>
  );
}

function HolderButton({ holdId, name }: { holdId: string; name: string }) {
  const isInAdminArea = useIsInAdminArea();
  const holder = useOpenHolder(isInAdminArea ? 'admin' : 'audit');
  const word = isInAdminArea ? 'Reader' : 'Replay';
  return (
    <button
      type="button"
      className={styles.replay}
      aria-label={`${word}: ${name}`}
      aria-busy={holder.isPending || undefined}
      onClick={() => !holder.isPending && holder.mutate(holdId)}
    >
      {word}
    </button>
  );
}

function ReplayButton({ borrowId, name }: { borrowId: string; name: string }) {
  const replay = useOpenReplay();
  return (
    <button
      type="button"
      className={styles.replay}
      aria-label={`Replay: ${name}`}
      aria-busy={replay.isPending || undefined}
      onClick={() => !replay.isPending && replay.mutate(borrowId)}
    >
      Replay
    </button>
  );
}

function nameOf(
  { what, bookId, genreId, hour }: Figure,
  genre: string | undefined,
  page: HappeningsPage | undefined,
): string {
  const word = what && HAPPENING_WORDS[what];
  if (bookId !== undefined) return `${word ?? 'All events'}: ${page?.items[0]?.title ?? `book ${bookId}`}`;
  if (HOLD_HAPPENINGS.some((happening) => happening === what))
    return `Reservations: ${word?.toLowerCase() ?? ''}`;
  const books = `Books ${word?.toLowerCase() ?? ''}`;
  if (genreId === NO_GENRE) return `${books}, without a genre`;
  if (genreId !== undefined) return `${books}, of the genre ${genre ?? genreId}`;
  return hour === undefined ? books : `${books}, ${hourName(hour)}`;
}
