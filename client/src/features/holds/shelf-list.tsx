import type { ShelfHold } from '#contracts/holds/hold-views.js';
import { daysBetween } from '#contracts/local-day.js';
import { Day } from '../../components/display/day.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { holdShelfFor } from '../../domain/borrowing/held-for.js';
import { dayWithName } from '../../domain/holds/hold-texts.js';
import { isoDay } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { byDay } from './by-day.js';
import styles from './holds-page.module.css';
import { FOR_WHOM } from './lapsed-list.js';

const COLUMNS: readonly ListColumn<ShelfHold>[] = [
  {
    title: 'Shelf',
    className: styles.letterHead,
    cell: ({ user }) => <span className={styles.letter}>{holdShelfFor(user.fullname)}</span>,
  },
  ...FOR_WHOM,
  {
    title: 'Copy',
    className: styles.code,
    cell: ({ copy }) => copy?.code ?? <span aria-label="none">–</span>,
  },
  { title: 'Ready since', cell: ({ readyAt }) => <Day time={readyAt} /> },
];

/** What waits at the desk, by the last day on which it does. @param holds undefined while loading */
export function ShelfList({ holds }: { holds: readonly ShelfHold[] | undefined }) {
  const table = { columns: COLUMNS, keyOf: ({ id }: ShelfHold) => id };
  if (!holds) return <ListTable {...table} items={undefined} waiting={6} />;
  return byDay(holds).map(({ day, holds: ofDay }) => (
    <section key={day} aria-labelledby={`until-${day}`} className={styles.day} data-until={day}>
      <h3 id={`until-${day}`} className={styles.dayName}>
        Until {dayWithName(ofDay[0]?.collectBy ?? day)}
        <Nearness day={day} />
      </h3>
      <ListTable
        {...table}
        className={styles.table}
        items={ofDay}
        rowClassName={styles.row}
        rowProps={({ borrowId }) => ({ 'data-shelf-hold': borrowId })}
        waiting={0}
      />
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
