import { Link } from 'react-router-dom';
import {
  ACTIVITIES_PAGE_SIZE,
  HOLD_ACTIVITIES,
  NO_GENRE,
  type ActivitiesPage,
} from '#contracts/insight/insight.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { PagedTable } from '../../components/list/list-page.js';
import type { ListColumn } from '../../components/list/table.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { isoMinute } from '../../lib/dates.js';
import { useList, type PageAddress } from '../../lib/use-list.js';
import { useAddressOf, useIsInAdminArea } from './insight-address.js';
import { useGenreName, useActivities, useOpenHolder, useOpenReplay, type Figure } from './insight-calls.js';
import styles from './insight-page.module.css';
import { counted } from '../../lib/texts.js';
import { ACTIVITY_TONES, HAPPENING_LABELS, hourName } from './labels.js';

const REPLAY = 'min-h-7 p-0 text-accent-text underline [text-underline-offset:0.2em] cursor-pointer';

/** The events that a figure counts. They name nobody; who may look at a borrow opens it. */
export function EventsPart({ figure, address }: { figure: Figure; address: PageAddress }) {
  const list = useList(address, useActivities(figure, address[0].pageNumber), ACTIVITIES_PAGE_SIZE);
  const addressOf = useAddressOf();
  const genre = useGenreName(figure.genreId);
  const isInAdminArea = useIsInAdminArea();
  // Below that of the page, which is one higher without the administration's own over it.
  const Heading = isInAdminArea ? 'h3' : 'h2';
  const { data } = list.answer;
  const isOfHolds = HOLD_ACTIVITIES.some((happening) => happening === figure.what);
  return (
    <section aria-labelledby="behind" data-events={data?.totalCount}>
      <p className="text-1">
        <Link to={addressOf({})}>Back to the figures</Link>
      </p>
      <Heading id="behind" className="mt-1 mx-0 mb-1 text-3 wrap-anywhere">
        {nameOf(figure, genre, data)}
      </Heading>
      <p className="max-w-measure text-ink-soft text-1" role="status">
        {data && `${counted(data.totalCount, 'event', 'events')} `}
        {figure.what === 'Waiting' ? 'whenever it was' : `from ${figure.from} to ${figure.to}`}, the latest
        first.{' '}
        {!isInAdminArea
          ? 'Each opens the replay of its reader, which is recorded as a look.'
          : isOfHolds
            ? 'Each opens its reader, which is recorded as a look.'
            : 'Each opens its borrow.'}
      </p>
      <PagedTable
        list={list}
        label="Events"
        role="group"
        pagesLabel="Pages of the events"
        empty={
          <EmptyState title="No event">
            What was counted has been undone since, or the days have changed.
          </EmptyState>
        }
        table={{
          columns: COLUMNS,
          className: styles.figures,
          keyOf: ({ borrowId, holdId, bookId, what }) => `${borrowId ?? holdId} ${bookId} ${what}`,
          waiting: 10,
        }}
      />
    </section>
  );
}

const COLUMNS: readonly ListColumn<ActivitiesPage['items'][number]>[] = [
  { title: 'When', className: 'whitespace-nowrap', cell: ({ at }) => isoMinute(at) },
  {
    title: 'What',
    className: 'whitespace-nowrap',
    cell: ({ what }) => (
      <span className="px-2 rounded bg-tone-wash text-tone font-strong" data-tone={ACTIVITY_TONES[what]}>
        {HAPPENING_LABELS[what]}
      </span>
    ),
  },
  { title: 'Book', label: null, className: styles.name, cell: ({ title }) => title },
  {
    title: 'Whose',
    label: null,
    look: 'number',
    cell: (happening) => <OpenActivity {...happening} />,
  },
];

function OpenActivity({ at, borrowId, holdId, title }: ActivitiesPage['items'][number]) {
  const isInAdminArea = useIsInAdminArea();
  const name = `${title}, ${isoMinute(at)}`;
  if (holdId !== null) return <HolderButton holdId={holdId} name={name} />;
  if (borrowId === null) return null;
  if (!isInAdminArea) return <ReplayButton borrowId={borrowId} name={name} />;
  return (
    <BorrowLink id={borrowId} aria-label={`Open the borrow of ${name}`}>
      Open
    </BorrowLink>
  );
}

function HolderButton({ holdId, name }: { holdId: string; name: string }) {
  const isInAdminArea = useIsInAdminArea();
  const holder = useOpenHolder(isInAdminArea ? 'admin' : 'audit');
  const word = isInAdminArea ? 'Reader' : 'Replay';
  return (
    <button
      type="button"
      className={REPLAY}
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
      className={REPLAY}
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
  page: ActivitiesPage | undefined,
): string {
  const word = what && HAPPENING_LABELS[what];
  if (bookId !== undefined) return `${word ?? 'All events'}: ${page?.items[0]?.title ?? `book ${bookId}`}`;
  if (HOLD_ACTIVITIES.some((happening) => happening === what))
    return `Reservations: ${word?.toLowerCase() ?? ''}`;
  const books = `Books ${word?.toLowerCase() ?? ''}`;
  if (genreId === NO_GENRE) return `${books}, without a genre`;
  if (genreId !== undefined) return `${books}, of the genre ${genre ?? genreId}`;
  return hour === undefined ? books : `${books}, ${hourName(hour)}`;
}
