import type { BorrowListQuery } from '#contracts/borrowing/borrow-views.js';
import { Table } from '../../components/list/table.js';
import { fits, type QueuePage } from '../../domain/live/queue-page.js';
import { QueueRow } from './queue-row.js';
import styles from './queue-table.module.css';
import type { Selection } from './use-selection.js';

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
  selection: Selection;
}

export function QueueTable({ page, query, stale, selection }: QueueTableProps) {
  // A page that is being replaced had another query: none of its rows is leaving.
  const leaving = (borrow: QueuePage['items'][number]) =>
    !stale && !fits({ ...query, SearchTerm: '' }, borrow);
  const all = page?.items.length ?? 0;
  const select = {
    title: 'Select',
    className: styles.select,
    head: (
      <label className={styles.check}>
        <input
          type="checkbox"
          aria-label="Select all on this page"
          ref={(box) => {
            if (box) box.indeterminate = selection.chosen.length > 0 && selection.chosen.length < all;
          }}
          checked={all > 0 && selection.chosen.length === all}
          onChange={selection.toggleAll}
        />
      </label>
    ),
  };
  return (
    <Table
      look="list"
      className={styles.table}
      columns={[select, ...COLUMNS]}
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
          selected={selection.has(borrow.id)}
          onSelect={selection.toggle}
        />
      ))}
    </Table>
  );
}
