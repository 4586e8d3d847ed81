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
import { counted, inGroups } from '../../lib/texts.js';
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
    title: 'Title',
    label: null,
    className: styles.name,
    cell: ({ bookId, title, copies, loans }) => (
      <>
        {copies === null ? title : <Link to={`/book/${bookId}`}>{title}</Link>}
        {copies === null && <span className="note"> no longer in the catalogue</span>}
        <ShareBar value={loans} most={most} />
      </>
    ),
  },
  { title: 'Copies', look: 'number', cell: ({ copies }) => copies ?? '–' },
  {
    title: 'Loans',
    look: 'number',
    cell: ({ bookId, title, loans }) => (
      <FigureLink count={loans} what="Issued" bookId={bookId} of={`loans of ${title}`} />
    ),
  },
  {
    title: 'For one copy',
    look: 'number',
    about: 'Loans divided by the copies there are today',
    cell: ({ loans, copies }) => perCopy(loans, copies),
  },
];

function titleSum({ loans, totalCount }: TitlesInsight): string {
  if (totalCount === 0) return 'No loans';
  const all = `${counted(loans, 'loan', 'loans')} of ${counted(totalCount, 'title', 'titles')}`;
  return totalCount > TITLES_SHOWN
    ? `${all}; the ${TITLES_SHOWN} most lent are here, the file has them all`
    : all;
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
    title: 'Genre',
    label: null,
    className: styles.name,
    cell: ({ genreId, name, loans }) => (
      <>
        {genreId === NO_GENRE ? <i>No genre, or no longer in the catalogue</i> : name}
        <ShareBar value={loans} most={most} />
      </>
    ),
  },
  { title: 'Titles', look: 'number', cell: ({ titles }) => inGroups(titles) },
  { title: 'Copies', look: 'number', cell: ({ copies }) => inGroups(copies) },
  {
    title: 'Loans',
    look: 'number',
    cell: ({ genreId, name, loans }) => (
      <FigureLink
        count={loans}
        what="Issued"
        genreId={genreId}
        of={genreId === NO_GENRE ? 'loans without a genre' : `loans of ${name}`}
      />
    ),
  },
  {
    title: 'For one copy',
    look: 'number',
    about: 'Loans divided by the copies there are today',
    cell: ({ loans, copies }) => perCopy(loans, copies),
  },
];

function genreSum({ loans, totalCount }: GenresInsight): string {
  if (loans === 0) return 'No loans';
  const all = counted(loans, 'loan', 'loans');
  return totalCount > GENRES_SHOWN
    ? `${all}; the ${GENRES_SHOWN} genres lent most are here, the file has them all`
    : all;
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
    title: 'Title',
    label: null,
    className: styles.name,
    cell: ({ bookId, title }) => <Link to={`/book/${bookId}`}>{title}</Link>,
  },
  { title: 'Copies', look: 'number', cell: ({ copies }) => inGroups(copies) },
  { title: 'In the catalogue since', look: 'number', cell: ({ addedAt }) => isoDay(addedAt) },
  { title: 'Last lent', look: 'number', cell: (idle) => <LastLent {...idle} /> },
];

function LastLent({ bookId, title, lastLoan }: IdleTitle) {
  const addressOf = useAddressOf();
  if (lastLoan === null) return 'never';
  const last = isoDay(lastLoan);
  return (
    <Link
      to={addressOf({ what: 'Issued', bookId, from: last, to: last })}
      aria-label={`${title} was lent last on ${last}: show the events`}
    >
      {last}
    </Link>
  );
}

function idleSum({ totalCount, copies }: IdleInsight): string {
  if (totalCount === 0) return 'No titles';
  const all = `${counted(totalCount, 'title', 'titles')} with ${counted(copies, 'copy', 'copies')}`;
  return totalCount > TITLES_SHOWN
    ? `${all}; those lent longest ago are here, ${TITLES_SHOWN} of them, the file has them all`
    : all;
}
