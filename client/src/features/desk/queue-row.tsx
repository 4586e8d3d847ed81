import { memo } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Day } from '../../components/day.js';
import { StatusBadge } from '../../domain/borrowing/status-badge.js';
import styles from './queue-table.module.css';
import { RowAction } from './row-action.js';

interface QueueRowProps {
  borrow: BorrowView;
  /** Changed a moment ago. */
  marked: boolean;
  /** No longer matches the list's query; it stays where it is until the next refetch. */
  leaving: boolean;
  /** Always the same function. */
  onPay: (borrow: BorrowView) => void;
}

/** One borrow. Only a change of its own draws it again. */
export const QueueRow = memo(function QueueRow({ borrow, marked, leaving, onPay }: QueueRowProps) {
  const titles = borrow.borrowedBooks.map((book) => book.title).join(', ');
  return (
    <tr
      role="row"
      className={styles.row}
      data-borrow-id={borrow.id}
      data-status={borrow.status}
      data-marked={marked || undefined}
      data-leaving={leaving || undefined}
    >
      <td role="cell" className={styles.titles} title={titles}>
        {titles}
      </td>
      <td role="cell" className={styles.reader} title={borrow.user.fullname}>
        {borrow.user.fullname}
      </td>
      <td role="cell" className={styles.day} data-label="Rented">
        <Day time={borrow.rentDate} />
      </td>
      <td role="cell" className={styles.day} data-label="Issued">
        <Day time={borrow.issueDate} />
      </td>
      <td role="cell" className={styles.day} data-label="Due">
        <Day time={borrow.dueDate} />
      </td>
      <td role="cell" className={styles.day} data-label="Returned">
        <Day time={borrow.returnDate} />
      </td>
      <td role="cell" className={styles.status}>
        <StatusBadge status={borrow.status} />
      </td>
      <td role="cell" className={styles.action}>
        <RowAction borrow={borrow} onPay={onPay} />
      </td>
    </tr>
  );
});
