import { Link } from 'react-router-dom';
import type { LastEvent } from '#contracts/dashboard/today.js';
import { money } from '#contracts/money.js';
import { ErrorState } from '../../components/list/error-state.js';
import { Skeleton } from '../../components/list/skeleton.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { isoDay, isoMinute, relativeTime } from '../../lib/dates.js';
import { useLastEvents } from './get-today.js';

const LINE = 'grid grid-cols-[5.5rem_minmax(0,1fr)] gap-2 py-2 border-b border-line text-1';

/** What happened last, as the event log has it. */
export function LastEvents({ today }: { today: string | undefined }) {
  const events = useLastEvents();
  return (
    <section className="mt-6" aria-labelledby="last-events">
      <h3 id="last-events" className="pb-1 border-b border-line-strong text-3">
        Last events
      </h3>
      {events.isError && !events.data ? (
        <ErrorState error={events.error} onRetry={() => void events.refetch()} retrying={events.isFetching} />
      ) : events.data?.length === 0 ? (
        <p className="py-2 text-ink-soft text-1">Nothing has happened yet.</p>
      ) : (
        <ol role="list" aria-busy={events.isPending}>
          {events.data
            ? events.data.map((event) => <Event key={event.borrow.id} event={event} today={today} />)
            : [80, 60, 70].map((width) => (
                <li key={width} className={LINE}>
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
    <li className={LINE} data-event={event.type}>
      <time
        dateTime={at}
        className="text-ink-soft tabular-nums"
        onPointerEnter={({ currentTarget }) => (currentTarget.title = relativeTime(at, Date.now()))}
      >
        {isoDay(at) === today ? isoMinute(at).slice(11) : isoDay(at)}
      </time>
      <p className="min-w-0">
        <span className="font-semibold">
          {word}
          {amount !== null && ` ${money(amount)}`}
        </span>{' '}
        <BorrowLink
          id={borrow.id}
          className="text-ink font-serif text-2 no-underline wrap-anywhere hover:underline"
        >
          {borrow.titles.join(', ')}
        </BorrowLink>
        <span className="block [&_a]:text-ink-soft [&_a]:[text-decoration-color:var(--line-strong)]">
          <Link to={`/admin/readers/${borrow.user.id}`}>{borrow.user.fullname}</Link>
        </span>
      </p>
    </li>
  );
}
