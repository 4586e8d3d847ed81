import { Link } from 'react-router-dom';
import { TITLES_SHOWN, type InsightQuery, type TitlesInsight } from '#contracts/insight/insight.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { FigureLink, PartFrame, ShareBar } from './part-frame.js';
import { useTitles } from './insight-calls.js';
import styles from './insight-page.module.css';
import { counted } from '../../lib/counted.js';
import { perCopy } from './labels.js';

/** The titles that were lent most. */
export function TitlesPart({ span }: { span: InsightQuery }) {
  const titles = useTitles(span);
  return (
    <PartFrame
      of="titles"
      span={span}
      answer={titles}
      sum={sumOf}
      isEmpty={({ totalCount }) => totalCount === 0}
    >
      {(answer) => (
        <ListTable
          columns={columnsOf(answer?.items[0]?.loans ?? 1)}
          items={answer?.items}
          keyOf={({ bookId }) => bookId}
          className={styles.figures}
          waiting={12}
        />
      )}
    </PartFrame>
  );
}

/** @param most loans of a title, as which a bar is full */
const columnsOf = (most: number): ListColumn<TitlesInsight['items'][number]>[] => [
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

function sumOf({ loans, totalCount }: TitlesInsight): string {
  if (totalCount === 0) return 'No loans';
  const all = `${counted(loans, 'loan', 'loans')} of ${counted(totalCount, 'title', 'titles')}`;
  return totalCount > TITLES_SHOWN ? `${all}; the ${TITLES_SHOWN} most lent are here, the file has all` : all;
}
