import { Link } from 'react-router-dom';
import type { ShelfHold } from '#contracts/holds/hold-views.js';
import { daysBetween } from '#contracts/local-day.js';
import { Day } from '../../components/day.js';
import { Table } from '../../components/table.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { shelfFor } from '../../domain/borrowing/kept-for.js';
import { dayWithName } from '../../domain/holds/hold-words.js';
import { isoDay } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { byDay } from './by-day.js';
import styles from './holds-page.module.css';

const COLUMNS = [
  { title: 'Shelf', className: styles.letterHead },
  { title: 'For' },
  { title: 'Book', className: styles.bookHead },
  { title: 'Copy' },
  { title: 'Ready since' },
];

/** What waits at the desk, by the last day on which it does. @param holds undefined while loading */
export function ShelfList({ holds }: { holds: readonly ShelfHold[] | undefined }) {
  if (!holds) return <Table look="reading" columns={COLUMNS} waiting={6} children={undefined} />;
  return byDay(holds).map(({ day, holds: ofDay }) => (
    <section key={day} aria-labelledby={`until-${day}`} className={styles.day} data-until={day}>
      <h3 id={`until-${day}`} className={styles.dayName}>
        Until {dayWithName(ofDay[0]?.collectBy ?? day)}
        <Nearness day={day} />
      </h3>
      <Table look="reading" className={styles.table} columns={COLUMNS} waiting={0}>
        {ofDay.map((hold) => (
          <Row key={hold.id} hold={hold} />
        ))}
      </Table>
    </section>
  ));
}

/** The last day is loud: whoever does not come today loses it. */
function Nearness({ day }: { day: string }) {
  const left = daysBetween(isoDay(useNow(true)), day);
  if (left > 1) return null;
  const words = left < 0 ? 'over' : left === 0 ? 'last day' : 'tomorrow';
  return (
    <span className={styles.near} data-loud={left <= 0 || undefined}>
      {words}
    </span>
  );
}

function Row({ hold: { borrowId, bookId, title, user, copy, readyAt } }: { hold: ShelfHold }) {
  return (
    <tr role="row" className={styles.row} data-shelf-hold={borrowId}>
      <td role="cell" data-label="Shelf">
        <span className={styles.letter}>{shelfFor(user.fullname)}</span>
      </td>
      <td role="cell" className={styles.reader}>
        <Link to={`/admin/readers/${user.id}`}>{user.fullname}</Link>
      </td>
      <td role="cell" className={styles.book}>
        <span className={styles.bookIn}>
          <SmallCover bookId={bookId} title={title} className={styles.cover} />
          <BorrowLink id={borrowId}>{title}</BorrowLink>
        </span>
      </td>
      <td role="cell" data-label="Copy" className={styles.code}>
        {copy?.code ?? <span aria-label="none">–</span>}
      </td>
      <td role="cell" data-label="Ready since">
        <Day time={readyAt} />
      </td>
    </tr>
  );
}
