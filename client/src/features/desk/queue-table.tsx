import type { BorrowListQuery, BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Table } from '../../components/table.js';
import { fits, type QueuePage } from '../../domain/live/queue-page.js';
import { QueueRow } from './queue-row.js';
import styles from './queue-table.module.css';

const COLUMNS = [
  { title: 'Books', className: styles.titles },
  { title: 'Reader', className: styles.reader },
  { title: 'Rent date', className: styles.day },
  { title: 'Issue date', className: styles.day },
  { title: 'Due date', className: styles.day },
  { title: 'Return date', className: styles.day },
  { title: 'Status', className: styles.status },
  { title: 'Actions', className: styles.action },
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
  // A page that is being replaced had another query: none of its rows is leaving.
  const leaving = (borrow: QueuePage['items'][number]) =>
    !stale && !fits({ ...query, SearchTerm: '' }, borrow);
  return (
    <Table
      look="list"
      className={styles.table}
      columns={COLUMNS}
      stale={stale}
      waiting={12}
      rowClassName={styles.row}
    >
      {page?.items.map((borrow) => (
        <QueueRow
          key={borrow.id}
          borrow={borrow}
          marked={borrow.id in page.marks}
          leaving={leaving(borrow)}
          onPay={onPay}
        />
      ))}
    </Table>
  );
}
