import * as m from '#words/messages.js';
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
import { ACTIVITY_TONES, HAPPENING_LABELS, happeningWord, hourName } from './labels.js';

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
        <Link to={addressOf({})}>{m.insight_back_to_figures()}</Link>
      </p>
      <Heading id="behind" className="mt-1 mx-0 mb-1 text-3 wrap-anywhere">
        {nameOf(figure, genre, data)}
      </Heading>
      <p className="max-w-measure text-ink-soft text-1" role="status">
        {eventsText(figure, data?.totalCount)}{' '}
        {!isInAdminArea
          ? m.insight_opens_replay()
          : isOfHolds
            ? m.insight_opens_reader()
            : m.insight_opens_borrow()}
      </p>
      <PagedTable
        list={list}
        label={m.insight_events()}
        role="group"
        pagesLabel={m.insight_events_pages()}
        empty={<EmptyState title={m.insight_no_event()}>{m.insight_no_event_hint()}</EmptyState>}
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

/** @param count undefined while they are counted */
function eventsText({ what, from, to }: Figure, count: number | undefined): string {
  if (what === 'Waiting')
    return count === undefined ? m.insight_events_whenever_loading() : m.insight_events_whenever({ count });
  return count === undefined
    ? m.insight_events_span_loading({ from, to })
    : m.insight_events_span({ count, from, to });
}

const COLUMNS: readonly ListColumn<ActivitiesPage['items'][number]>[] = [
  { title: m.common_when(), className: 'whitespace-nowrap', cell: ({ at }) => isoMinute(at) },
  {
    title: m.common_what(),
    className: 'whitespace-nowrap',
    cell: ({ what }) => (
      <span className="px-2 rounded bg-tone-wash text-tone font-strong" data-tone={ACTIVITY_TONES[what]}>
        {HAPPENING_LABELS[what]}
      </span>
    ),
  },
  { title: m.common_book(), label: null, className: styles.name, cell: ({ title }) => title },
  {
    title: m.insight_column_whose(),
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
    <BorrowLink id={borrowId} aria-label={m.insight_open_borrow({ name })}>
      {m.insight_open()}
    </BorrowLink>
  );
}

function HolderButton({ holdId, name }: { holdId: string; name: string }) {
  const isInAdminArea = useIsInAdminArea();
  const holder = useOpenHolder(isInAdminArea ? 'admin' : 'audit');
  return (
    <button
      type="button"
      className={REPLAY}
      aria-label={isInAdminArea ? m.insight_reader_of({ name }) : m.insight_replay_of({ name })}
      aria-busy={holder.isPending || undefined}
      onClick={() => !holder.isPending && holder.mutate(holdId)}
    >
      {isInAdminArea ? m.common_reader() : m.insight_replay()}
    </button>
  );
}

function ReplayButton({ borrowId, name }: { borrowId: string; name: string }) {
  const replay = useOpenReplay();
  return (
    <button
      type="button"
      className={REPLAY}
      aria-label={m.insight_replay_of({ name })}
      aria-busy={replay.isPending || undefined}
      onClick={() => !replay.isPending && replay.mutate(borrowId)}
    >
      {m.insight_replay()}
    </button>
  );
}

function nameOf(
  { what, bookId, genreId, hour }: Figure,
  genre: string | undefined,
  page: ActivitiesPage | undefined,
): string {
  if (bookId !== undefined) {
    const title = page?.items[0]?.title ?? m.insight_book_number({ id: bookId });
    return m.insight_events_of({ what: what ? HAPPENING_LABELS[what] : m.insight_all_events(), title });
  }
  const told = { what: what ? happeningWord(what) : '' };
  if (HOLD_ACTIVITIES.some((happening) => happening === what)) return m.insight_reservations(told);
  if (genreId === NO_GENRE) return m.insight_books_without_genre(told);
  if (genreId !== undefined) return m.insight_books_of_genre({ ...told, genre: genre ?? genreId });
  return hour === undefined ? m.insight_books(told) : m.insight_books_at({ ...told, hour: hourName(hour) });
}
