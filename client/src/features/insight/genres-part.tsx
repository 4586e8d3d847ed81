import { GENRES_SHOWN, NO_GENRE, type GenresInsight, type InsightQuery } from '#contracts/insight/insight.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { FigureLink, PartFrame, ShareBar } from './part-frame.js';
import { useGenres } from './insight-calls.js';
import styles from './insight-page.module.css';
import { counted, inGroups } from '../../lib/counted.js';
import { perCopy } from './labels.js';

/** The genres there are, the most lent first. */
export function GenresPart({ span }: { span: InsightQuery }) {
  const genres = useGenres(span);
  return (
    <PartFrame of="genres" span={span} answer={genres} sum={sumOf} isEmpty={({ loans }) => loans === 0}>
      {(answer) => (
        <ListTable
          columns={columnsOf(answer?.items[0]?.loans ?? 1)}
          items={answer?.items.filter(({ titles, loans }) => titles > 0 || loans > 0)}
          keyOf={({ genreId }) => genreId}
          className={styles.figures}
          waiting={12}
        />
      )}
    </PartFrame>
  );
}

/** @param most loans of a genre, as which a bar is full */
const columnsOf = (most: number): ListColumn<GenresInsight['items'][number]>[] => [
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

function sumOf({ loans, totalCount }: GenresInsight): string {
  if (loans === 0) return 'No loans';
  const all = counted(loans, 'loan', 'loans');
  return totalCount > GENRES_SHOWN
    ? `${all}; the ${GENRES_SHOWN} genres lent most are here, the file has all`
    : all;
}
