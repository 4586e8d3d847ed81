import { Link } from 'react-router-dom';
import type { LastEvent } from '#contracts/dashboard/today.js';
import { money } from '#contracts/money.js';
import { ErrorState } from '../../components/error-state.js';
import { Skeleton } from '../../components/skeleton.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { isoDay, isoMinute, relativeTime } from '../../lib/dates.js';
import { useLastEvents } from './get-today.js';
import styles from './last-events.module.css';

/** What happened last, as the event log has it. */
export function LastEvents({ today }: { today: string | undefined }) {
  const events = useLastEvents();
  return (
    <section className={styles.section} aria-labelledby="last-events">
      <h3 id="last-events" className={styles.title}>
        Last events
      </h3>
      {events.isError && !events.data ? (
        <ErrorState error={events.error} onRetry={() => void events.refetch()} retrying={events.isFetching} />
      ) : events.data?.length === 0 ? (
        <p className={styles.none}>Nothing has happened yet.</p>
      ) : (
        <ol role="list" className={styles.events} aria-busy={events.isPending}>
          {events.data
            ? events.data.map((event) => <Event key={event.borrow.id} event={event} today={today} />)
            : [80, 60, 70].map((width) => (
                <li key={width} className={styles.event}>
                  <Skeleton width={`${width}%`} />
                </li>
              ))}
        </ol>
      )}
    </section>
  );
}

function Event({ event, today }: { event: LastEvent; today: string | undefined }) {
  const { at, word, amount, borrow } = event;
  return (
    <li className={styles.event} data-event={event.type}>
      <time
        dateTime={at}
        className={styles.time}
        onPointerEnter={({ currentTarget }) => (currentTarget.title = relativeTime(at, Date.now()))}
      >
        {isoDay(at) === today ? isoMinute(at).slice(11) : isoDay(at)}
      </time>
      <p className={styles.what}>
        <span className={styles.word}>
          {word}
          {amount !== null && ` ${money(amount)}`}
        </span>{' '}
        <BorrowLink id={borrow.id} className={styles.books}>
          {borrow.titles.join(', ')}
        </BorrowLink>
        <span className={styles.reader}>
          <Link to={`/admin/readers/${borrow.user.id}`}>{borrow.user.fullname}</Link>
        </span>
      </p>
    </li>
  );
}
