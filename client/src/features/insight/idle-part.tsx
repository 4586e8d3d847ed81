import { Link } from 'react-router-dom';
import { TITLES_SHOWN, type IdleInsight, type InsightQuery } from '#contracts/insight/insight.js';
import { Table } from '../../components/table.js';
import { isoDay } from '../../lib/dates.js';
import { useAddressOf } from './insight-address.js';
import { useIdle } from './insight-calls.js';
import styles from './insight-page.module.css';
import { PartFrame } from './part-frame.js';
import { counted, inGroups } from '../../lib/counted.js';

const COLUMNS = [
  { title: 'Title' },
  { title: 'Copies', className: styles.number },
  { title: 'In the catalogue since', className: styles.number },
  { title: 'Last lent', className: styles.number },
];

/** The books that nobody borrowed, those lent longest ago first. */
export function IdlePart({ span }: { span: InsightQuery }) {
  const idle = useIdle(span);
  const addressOf = useAddressOf();
  return (
    <PartFrame of="idle" span={span} answer={idle} sum={sumOf} isEmpty={({ totalCount }) => totalCount === 0}>
      {(answer) => (
        <Table look="reading" columns={COLUMNS} waiting={12} className={styles.figures}>
          {answer?.items.map(({ bookId, title, copies, addedAt, lastLoan }) => {
            const last = lastLoan === null ? null : isoDay(lastLoan);
            return (
              <tr role="row" key={bookId}>
                <td role="cell" className={styles.name}>
                  <Link to={`/book/${bookId}`}>{title}</Link>
                </td>
                <td role="cell" className={styles.number} data-label="Copies">
                  {inGroups(copies)}
                </td>
                <td role="cell" className={styles.number} data-label="In the catalogue since">
                  {isoDay(addedAt)}
                </td>
                <td role="cell" className={styles.number} data-label="Last lent">
                  {last === null ? (
                    'never'
                  ) : (
                    <Link
                      to={addressOf({ what: 'Issued', bookId, from: last, to: last })}
                      aria-label={`${title} was lent last on ${last}: show the events`}
                    >
                      {last}
                    </Link>
                  )}
                </td>
              </tr>
            );
          })}
        </Table>
      )}
    </PartFrame>
  );
}

function sumOf({ totalCount, copies }: IdleInsight): string {
  if (totalCount === 0) return 'No titles';
  const all = `${counted(totalCount, 'title', 'titles')} with ${counted(copies, 'copy', 'copies')}`;
  return totalCount > TITLES_SHOWN
    ? `${all}; those lent longest ago are here, ${TITLES_SHOWN} of them, the file has all`
    : all;
}
