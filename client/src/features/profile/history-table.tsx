import { ArrowDown, ArrowUp } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Day } from '../../components/day.js';
import { classNames } from '../../lib/class-names.js';
import { FeeButton } from '../../domain/fees/fee-button.js';
import { Skeleton } from '../../components/skeleton.js';
import { Table, type TableColumn } from '../../components/table.js';
import { lossWords, moneyOf } from '../../domain/borrowing/loss-words.js';
import { StatusBadge } from '../../domain/borrowing/status-badge.js';
import { toggled, type HistoryKey, type HistoryOrder } from './history-order.js';
import styles from './history-table.module.css';

// On its way with the page, which is drawn meanwhile: there is nothing to do before the borrows are there.
const loading = import('./history-actions.js');
const HistoryActions = lazy(async () => ({ default: (await loading).HistoryActions }));

const DATES: readonly { key: HistoryKey; title: string }[] = [
  { key: 'rentDate', title: 'Rent date' },
  { key: 'issueDate', title: 'Issue date' },
  { key: 'dueDate', title: 'Due date' },
  { key: 'returnDate', title: 'Return date' },
];

interface HistoryTableProps {
  /** Undefined while loading. */
  borrows: readonly BorrowView[] | undefined;
  firstNumber: number;
  order: HistoryOrder;
  onOrder: (order: HistoryOrder) => void;
}

export function HistoryTable({ borrows, firstNumber, order, onOrder }: HistoryTableProps) {
  const sortable = DATES.map(({ key, title }): TableColumn => {
    const Arrow = order.descending ? ArrowDown : ArrowUp;
    return {
      title,
      order: order.key !== key ? 'none' : order.descending ? 'descending' : 'ascending',
      head: (
        <button type="button" className={styles.sort} onClick={() => onOrder(toggled(order, key))}>
          {title}
          {order.key === key && <Arrow size={14} aria-hidden="true" />}
        </button>
      ),
    };
  });
  return (
    <Table
      look="reading"
      className={styles.table}
      columns={[
        { title: '#', className: styles.number },
        ...sortable,
        { title: 'Status' },
        { title: 'Fee', className: styles.fee },
        { title: 'Books' },
        { title: 'Actions' },
      ]}
      waiting={3}
    >
      {borrows?.map((borrow, index) => (
        <HistoryRow key={borrow.id} borrow={borrow} number={firstNumber + index} />
      ))}
    </Table>
  );
}

function HistoryRow({ borrow, number }: { borrow: BorrowView; number: number }) {
  return (
    <tr role="row" className={styles.row} data-borrow-id={borrow.id} data-status={borrow.status}>
      <td role="cell" className={styles.number}>
        {number}
      </td>
      {DATES.map(({ key, title }) => (
        <td role="cell" key={key} data-label={title} className={styles.day}>
          <Day time={borrow[key]} />
        </td>
      ))}
      <td role="cell" className={styles.status}>
        <StatusBadge status={borrow.status} />
      </td>
      <td role="cell" data-label="Fee" className={styles.fee}>
        <FeeButton asker="owner" borrow={borrow} />
      </td>
      <td role="cell" className={styles.books}>
        <ul role="list">
          {borrow.books.map((book) => (
            <li key={book.bookId}>
              <Link to={`/book/${book.bookId}`}>{book.title}</Link>
              <Loss book={book} />
            </li>
          ))}
        </ul>
        {(borrow.lossAmount > 0 || borrow.refundDue > 0) && (
          <p className={styles.money}>{moneyOf(borrow).join('; ')}</p>
        )}
      </td>
      <td role="cell" className={styles.actions}>
        {borrow.availableActions.length > 0 && (
          <Suspense fallback={<Skeleton width="5rem" />}>
            <HistoryActions borrow={borrow} />
          </Suspense>
        )}
      </td>
    </tr>
  );
}

function Loss({ book }: { book: BorrowView['books'][number] }) {
  const words = lossWords(book);
  return words === undefined ? null : <p className={classNames('note', styles.loss)}>{words}</p>;
}
