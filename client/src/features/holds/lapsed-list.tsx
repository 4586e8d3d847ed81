import { Link } from 'react-router-dom';
import type { LapsedHold } from '#contracts/holds/hold-views.js';
import { Day } from '../../components/day.js';
import { Table } from '../../components/table.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import styles from './holds-page.module.css';

const COLUMNS = [{ title: 'For' }, { title: 'Book', className: styles.bookHead }, { title: 'Kept until' }];

/** What waited in vain, the latest first. @param holds undefined while loading */
export function LapsedList({ holds }: { holds: readonly LapsedHold[] | undefined }) {
  return (
    <Table look="reading" className={styles.table} columns={COLUMNS} waiting={6}>
      {holds?.map(({ id, borrowId, bookId, title, user, collectBy }) => (
        <tr key={id} role="row" className={styles.row} data-lapsed-hold={id}>
          <td role="cell" className={styles.reader}>
            <Link to={`/admin/readers/${user.id}`}>{user.fullname}</Link>
          </td>
          <td role="cell" className={styles.book}>
            <span className={styles.bookIn}>
              <SmallCover bookId={bookId} title={title} className={styles.cover} />
              <BorrowLink id={borrowId}>{title}</BorrowLink>
            </span>
          </td>
          <td role="cell" data-label="Kept until">
            <Day time={collectBy} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
