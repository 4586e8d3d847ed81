import type { BorrowListQuery, BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Skeleton } from '../../components/skeleton.js';
import { fits, type QueuePage } from '../../domain/live/queue-page.js';
import { QueueRow } from './queue-row.js';
import styles from './queue-table.module.css';

const COLUMNS = [
  { title: 'Books', look: styles.titles },
  { title: 'Reader', look: styles.reader },
  { title: 'Rent date', look: styles.day },
  { title: 'Issue date', look: styles.day },
  { title: 'Due date', look: styles.day },
  { title: 'Return date', look: styles.day },
  { title: 'Status', look: styles.status },
  { title: 'Actions', look: styles.action },
];

interface QueueTableProps {
  /** Undefined while it is on its way. */
  page: QueuePage | undefined;
  query: BorrowListQuery;
  /** Another page is on its way. */
  stale: boolean;
  /** A reader pays his fee at the desk. */
  onPay: (borrow: BorrowView) => void;
}

export function QueueTable({ page, query, stale, onPay }: QueueTableProps) {
  // A page that is being replaced was asked for otherwise: none of its rows is leaving.
  const leaving = (borrow: QueuePage['items'][number]) =>
    !stale && !fits({ ...query, SearchTerm: '' }, borrow);
  return (
    <table role="table" className={styles.table} data-stale={stale || undefined} aria-busy={stale || !page}>
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map(({ title, look }) => (
            <th key={title} role="columnheader" scope="col" className={look}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {page
          ? page.items.map((borrow) => (
              <QueueRow
                key={borrow.id}
                borrow={borrow}
                marked={borrow.id in page.marks}
                leaving={leaving(borrow)}
                onPay={onPay}
              />
            ))
          : Array.from({ length: 12 }, (_, row) => (
              <tr key={row} role="row" className={styles.row}>
                <td role="cell" colSpan={COLUMNS.length}>
                  <Skeleton width={`${92 - ((row * 17) % 40)}%`} />
                </td>
              </tr>
            ))}
      </tbody>
    </table>
  );
}
