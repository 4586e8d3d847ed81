import * as m from '#words/messages.js';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Day } from '../../components/display/day.js';
import { FeeButton } from '../../domain/fees/fee-button.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { lossText, moneyOf } from '../../domain/borrowing/borrow-texts.js';
import { StatusBadge } from '../../domain/borrowing/status-badge.js';
import { isoDay } from '../../lib/dates.js';
import { toggled, type HistoryKey, type HistoryOrder } from './history-order.js';
import styles from './history-table.module.css';

// On its way with the page, which is drawn meanwhile: there is nothing to do before the borrows are there.
const loading = import('../../domain/borrowing/own-borrow-actions.js');
const HistoryActions = lazy(async () => ({ default: (await loading).HistoryActions }));

const DATES: readonly { key: HistoryKey; title: string }[] = [
  { key: 'rentDate', title: m.profile_rent_date() },
  { key: 'issueDate', title: m.profile_issue_date() },
  { key: 'dueDate', title: m.common_due_date() },
  { key: 'returnDate', title: m.profile_return_date() },
];

interface HistoryTableProps {
  /** Undefined while loading. */
  borrows: readonly BorrowView[] | undefined;
  firstNumber: number;
  order: HistoryOrder;
  onOrder: (order: HistoryOrder) => void;
}

export function HistoryTable({ borrows, firstNumber, order, onOrder }: HistoryTableProps) {
  const dates = DATES.map(({ key, title }): ListColumn<BorrowView> => {
    const Arrow = order.descending ? ArrowDown : ArrowUp;
    return {
      title,
      look: 'nowrap',
      order: order.key !== key ? 'none' : order.descending ? 'descending' : 'ascending',
      head: (
        <button type="button" className={styles.sort} onClick={() => onOrder(toggled(order, key))}>
          {title}
          {order.key === key && <Arrow size={14} aria-hidden="true" />}
        </button>
      ),
      cell: (borrow) => <Day time={borrow[key]} />,
    };
  });
  const number: ListColumn<BorrowView> = {
    title: '#',
    label: null,
    look: 'number',
    className: 'to-860:hidden',
    cell: (_borrow, index) => firstNumber + index,
  };
  return (
    <ListTable
      columns={[number, ...dates, ...COLUMNS]}
      items={borrows}
      keyOf={({ id }) => id}

      rowProps={({ id, status }) => ({ 'data-borrow-id': id, 'data-status': status })}
      waiting={3}
    />
  );
}

const COLUMNS: readonly ListColumn<BorrowView>[] = [
  {
    title: m.common_status(),
    label: null,
    look: 'nowrap',
    className: 'to-860:col-span-full to-860:[order:-1]',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { title: m.common_fee(), look: 'number', cell: (borrow) => <FeeButton asker="owner" borrow={borrow} /> },
  {
    title: m.common_books(),
    label: null,
    className:
      'w-full min-w-48 [&_li+li]:mt-1 [&_a]:text-ink [&_a]:[text-decoration-color:var(--line-strong)] to-860:col-span-full to-860:[order:-2] to-860:font-serif to-860:text-3 to-860:leading-tight',
    cell: (borrow) => (
      <>
        <ul role="list">
          {borrow.books.map((book) => (
            <li key={book.bookId}>
              <Link to={`/book/${book.bookId}`}>{book.title}</Link>
              <Loss book={book} />
              {book.state === 'reserved' && borrow.status !== 'Rented' && (
                <span className="note"> {m.profile_book_waits({ day: isoDay(borrow.collectBy) })}</span>
              )}
            </li>
          ))}
        </ul>
        {(borrow.lossAmount > 0 || borrow.refundDue > 0) && (
          <p className="font-sans text-1 leading-[1.5] mt-1 font-strong">{moneyOf(borrow).join('; ')}</p>
        )}
      </>
    ),
  },
  {
    title: m.common_actions(),
    label: null,
    look: 'nowrap',
    className: 'to-860:col-span-full to-860:empty:hidden',
    cell: (borrow) =>
      borrow.availableActions.length > 0 && (
        <Suspense fallback={<Skeleton width="5rem" />}>
          <HistoryActions borrow={borrow} />
        </Suspense>
      ),
  },
];

function Loss({ book }: { book: BorrowView['books'][number] }) {
  const words = lossText(book);
  return words === undefined ? null : <p className="note font-sans text-1 leading-[1.5]">{words}</p>;
}
