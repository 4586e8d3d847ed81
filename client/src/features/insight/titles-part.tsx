import { Link } from 'react-router-dom';
import { TITLES_SHOWN, type InsightQuery, type TitlesInsight } from '#contracts/insight/insight.js';
import { Table } from '../../components/table.js';
import { FigureLink } from './figure-link.js';
import { useTitles } from './insight-calls.js';
import styles from './insight-page.module.css';
import { PartFrame } from './part-frame.js';
import { ShareBar } from './share-bar.js';
import { counted } from '../../lib/counted.js';
import { perCopy } from './words.js';

const COLUMNS = [
  { title: 'Title' },
  { title: 'Copies', className: styles.number },
  { title: 'Loans', className: styles.number },
  { title: 'For one copy', className: styles.number, about: 'Loans divided by the copies there are today' },
];

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
        <Table look="reading" columns={COLUMNS} waiting={12} className={styles.figures}>
          {answer?.items.map(({ bookId, title, copies, loans }) => (
            <tr role="row" key={bookId}>
              <td role="cell" className={styles.name}>
                {copies === null ? title : <Link to={`/book/${bookId}`}>{title}</Link>}
                {copies === null && <span className="note"> no longer in the catalogue</span>}
                <ShareBar value={loans} most={answer.items[0]?.loans ?? 1} />
              </td>
              <td role="cell" className={styles.number} data-label="Copies">
                {copies ?? '–'}
              </td>
              <td role="cell" className={styles.number} data-label="Loans">
                <FigureLink count={loans} what="Issued" bookId={bookId} of={`loans of ${title}`} />
              </td>
              <td role="cell" className={styles.number} data-label="For one copy">
                {perCopy(loans, copies)}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </PartFrame>
  );
}

function sumOf({ loans, totalCount }: TitlesInsight): string {
  if (totalCount === 0) return 'No loans';
  const all = `${counted(loans, 'loan', 'loans')} of ${counted(totalCount, 'title', 'titles')}`;
  return totalCount > TITLES_SHOWN ? `${all}; the ${TITLES_SHOWN} most lent are here, the file has all` : all;
}
