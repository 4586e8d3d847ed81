import { Link } from 'react-router-dom';
import type { LapsedHold, ShelfHold } from '#contracts/holds/hold-views.js';
import { Day } from '../../components/display/day.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import styles from './holds-page.module.css';

/** For whom something was kept, and what. */
export const FOR_WHOM: readonly ListColumn<LapsedHold | ShelfHold>[] = [
  {
    title: 'For',
    label: null,
    className: styles.reader,
    cell: ({ user }) => <Link to={`/admin/readers/${user.id}`}>{user.fullname}</Link>,
  },
  {
    title: 'Book',
    label: null,
    className: styles.book,
    cell: ({ borrowId, bookId, title }) => (
      <span className={styles.bookIn}>
        <SmallCover bookId={bookId} title={title} className={styles.cover} />
        <BorrowLink id={borrowId}>{title}</BorrowLink>
      </span>
    ),
  },
];

const COLUMNS: readonly ListColumn<LapsedHold>[] = [
  ...FOR_WHOM,
  { title: 'Kept until', cell: ({ collectBy }) => <Day time={collectBy} /> },
];

/** What waited in vain, the latest first. @param holds undefined while loading */
export function LapsedList({ holds }: { holds: readonly LapsedHold[] | undefined }) {
  return (
    <ListTable
      className={styles.table}
      columns={COLUMNS}
      items={holds}
      keyOf={({ id }) => id}
      rowClassName={styles.row}
      rowProps={({ id }) => ({ 'data-lapsed-hold': id })}
      waiting={6}
    />
  );
}
