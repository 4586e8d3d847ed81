import * as m from '#words/messages.js';
import { Link } from 'react-router-dom';
import {
  TITLES_SHOWN,
  type InsightQuery,
  type TitlesInsight,
  GENRES_SHOWN,
  NO_GENRE,
  type GenresInsight,
  type IdleInsight,
} from '#contracts/insight/insight.js';
import type { ListColumn } from '../../components/list/table.js';
import { FigureLink, ShareBar, TablePart } from './part-frame.js';
import { useTitles, useGenres, useIdle } from './insight-calls.js';
import styles from './insight-page.module.css';
import { inGroups } from '../../lib/texts.js';
import { perCopy } from './labels.js';
import { isoDay } from '../../lib/dates.js';
import { useAddressOf } from './insight-address.js';

/** The titles that were lent most. */
export function TitlesPart({ span }: { span: InsightQuery }) {
  return (
    <TablePart
      of="titles"
      span={span}
      answer={useTitles(span)}
      sum={titleSum}
      isEmpty={({ totalCount }) => totalCount === 0}
      columnsOf={([first]) => titleColumns(first?.loans ?? 1)}
      keyOf={({ bookId }) => bookId}
    />
  );
}

/** @param most loans of a title, as which a bar is full */
const titleColumns = (most: number): ListColumn<TitlesInsight['items'][number]>[] => [
  {
    title: m.common_book_title(),
    label: null,
    className: styles.name,
    cell: ({ bookId, title, copies, loans }) => (
      <>
        {copies === null ? title : <Link to={`/book/${bookId}`}>{title}</Link>}
        {copies === null && <span className="note"> {m.insight_gone()}</span>}
        <ShareBar value={loans} most={most} />
      </>
    ),
  },
  { title: m.common_copies(), look: 'number', cell: ({ copies }) => copies ?? '–' },
  {
    title: m.insight_column_loans(),
    look: 'number',
    cell: ({ bookId, title, loans }) => (
      <FigureLink
        count={loans}
        what="Issued"
        bookId={bookId}
        label={m.insight_loans_of({ count: loans, title })}
      />
    ),
  },
  {
    title: m.insight_column_per_copy(),
    look: 'number',
    about: m.insight_column_per_copy_about(),
    cell: ({ loans, copies }) => perCopy(loans, copies),
  },
];

function titleSum({ loans, totalCount }: TitlesInsight): string {
  if (totalCount === 0) return m.insight_no_loans();
  const all = m.insight_loans_of_titles({ loans, titles: totalCount });
  return totalCount > TITLES_SHOWN ? `${all}; ${m.insight_most_lent_shown({ count: TITLES_SHOWN })}` : all;
}

/** The genres there are, the most lent first. */
export function GenresPart({ span }: { span: InsightQuery }) {
  return (
    <TablePart
      of="genres"
      span={span}
      answer={useGenres(span)}
      sum={genreSum}
      isEmpty={({ loans }) => loans === 0}
      columnsOf={([first]) => genreColumns(first?.loans ?? 1)}
      isShown={({ titles, loans }) => titles > 0 || loans > 0}
      keyOf={({ genreId }) => genreId}
    />
  );
}

/** @param most loans of a genre, as which a bar is full */
const genreColumns = (most: number): ListColumn<GenresInsight['items'][number]>[] => [
  {
    title: m.common_genre(),
    label: null,
    className: styles.name,
    cell: ({ genreId, name, loans }) => (
      <>
        {genreId === NO_GENRE ? <i>{m.insight_no_genre()}</i> : name}
        <ShareBar value={loans} most={most} />
      </>
    ),
  },
  { title: m.common_titles(), look: 'number', cell: ({ titles }) => inGroups(titles) },
  { title: m.common_copies(), look: 'number', cell: ({ copies }) => inGroups(copies) },
  {
    title: m.insight_column_loans(),
    look: 'number',
    cell: ({ genreId, name, loans }) => (
      <FigureLink
        count={loans}
        what="Issued"
        genreId={genreId}
        label={
          genreId === NO_GENRE
            ? m.insight_loans_without_genre({ count: loans })
            : m.insight_loans_of({ count: loans, title: name })
        }
      />
    ),
  },
  {
    title: m.insight_column_per_copy(),
    look: 'number',
    about: m.insight_column_per_copy_about(),
    cell: ({ loans, copies }) => perCopy(loans, copies),
  },
];

function genreSum({ loans, totalCount }: GenresInsight): string {
  if (loans === 0) return m.insight_no_loans();
  const all = m.insight_loans({ count: loans });
  return totalCount > GENRES_SHOWN ? `${all}; ${m.insight_genres_shown({ count: GENRES_SHOWN })}` : all;
}

/** The books that nobody borrowed, those lent longest ago first. */
export function IdlePart({ span }: { span: InsightQuery }) {
  return (
    <TablePart
      of="idle"
      span={span}
      answer={useIdle(span)}
      sum={idleSum}
      isEmpty={({ totalCount }) => totalCount === 0}
      columnsOf={() => IDLE_COLUMNS}
      keyOf={({ bookId }) => bookId}
    />
  );
}

type IdleTitle = IdleInsight['items'][number];

const IDLE_COLUMNS: readonly ListColumn<IdleTitle>[] = [
  {
    title: m.common_book_title(),
    label: null,
    className: styles.name,
    cell: ({ bookId, title }) => <Link to={`/book/${bookId}`}>{title}</Link>,
  },
  { title: m.common_copies(), look: 'number', cell: ({ copies }) => inGroups(copies) },
  { title: m.insight_column_added(), look: 'number', cell: ({ addedAt }) => isoDay(addedAt) },
  { title: m.insight_column_last_lent(), look: 'number', cell: (idle) => <LastLent {...idle} /> },
];

function LastLent({ bookId, title, lastLoan }: IdleTitle) {
  const addressOf = useAddressOf();
  if (lastLoan === null) return m.insight_never_lent();
  const last = isoDay(lastLoan);
  return (
    <Link
      to={addressOf({ what: 'Issued', bookId, from: last, to: last })}
      aria-label={m.insight_last_lent_events({ title, day: last })}
    >
      {last}
    </Link>
  );
}

function idleSum({ totalCount, copies }: IdleInsight): string {
  if (totalCount === 0) return m.insight_no_titles();
  const all = m.insight_titles_with_copies({ titles: totalCount, copies });
  return totalCount > TITLES_SHOWN ? `${all}; ${m.insight_idle_shown({ count: TITLES_SHOWN })}` : all;
}
