import * as m from '#words/messages.js';
import { StaffLink } from '../../domain/staff-link.js';
import { ErrorState, Skeleton } from '../../components/list/placeholders.js';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { HoldsToday, WorkLists } from './work-lists.js';
import { MonthChart } from './month-chart.js';
import { type DashboardStats, readStats } from '#contracts/dashboard/stats.js';
import { RollingNumber } from '../../components/display/rolling-number.js';
import styles from './counters.module.css';
import { type LastEvent, readLastEvents, readToday } from '#contracts/dashboard/today.js';
import { money } from '#contracts/money.js';
import { WaiversToday } from '../../domain/borrowing/waiver-requests.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { isoDay, isoMinute, relativeTime, weekdayName } from '../../lib/dates.js';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../lib/api/send.js';
import { useAskingInterval } from '../../domain/live/live-status.js';

/** The counters of the specification, and under them what there is to do. */
export function DashboardPage() {
  usePageTitle(m.dashboard_today());
  const stats = useStats();
  const today = useToday();
  return (
    <>
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 mb-4 [&>:last-child]:ml-auto">
        <h2 className="text-4">{m.dashboard_today()}</h2>
        {today.data && (
          <p className="text-ink-soft tabular-nums">
            {weekdayName(today.data.day)}, <time dateTime={today.data.day}>{today.data.day}</time>
          </p>
        )}
        <LiveBadge />
      </header>
      {stats.isError && !stats.data ? <ErrorState of={stats} /> : <Counters stats={stats.data} />}
      <div className="grid grid-cols-[minmax(0,1.65fr)_minmax(0,1fr)] items-start gap-10 to-1180:grid-cols-1 to-1180:gap-4">
        {today.isError && !today.data ? (
          <ErrorState of={today} />
        ) : (
          <>
            <div>
              <WaiversToday />
              <WorkLists today={today.data} />
              <HoldsToday holds={today.data?.holds} />
            </div>
            <aside aria-label={m.dashboard_month_and_events()}>
              <MonthChart month={today.data?.month} />
              <LastEvents today={today.data?.day} />
            </aside>
          </>
        )}
      </div>
    </>
  );
}

/** The counters in the specification's order, each with the list of exactly what it counts. */
const COUNTERS: readonly { counter: keyof DashboardStats; title: string; to: string }[] = [
  { counter: 'totalBooks', title: m.common_total_books(), to: '/admin/books' },
  {
    counter: 'booksBorrowedLastMonth',
    title: m.common_books_borrowed_last_month(),
    to: '/admin/borrows?only=RentedLastMonth',
  },
  {
    counter: 'booksAddedLastMonth',
    title: m.common_books_added_last_month(),
    to: '/admin/books?only=AddedLastMonth',
  },
  { counter: 'totalUsers', title: m.common_users(), to: '/admin/users' },
  { counter: 'activeBorrows', title: m.dashboard_active_borrows(), to: '/admin/borrows?only=Active' },
  { counter: 'expiredRents', title: m.common_expired_rents(), to: '/admin/borrows?status=Expired' },
];

/** @param stats undefined while loading */
function Counters({ stats }: { stats: DashboardStats | undefined }) {
  return (
    <ul
      role="list"
      className="grid grid-cols-6 mb-10 double-rule border-b border-b-line to-1180:grid-cols-3 phone:grid-cols-2 phone:mb-6"
    >
      {COUNTERS.map(({ counter, title, to }) => (
        <li key={counter} className={styles.counter} data-counter={counter}>
          <p className="font-serif text-4 tracking-[-0.02em] leading-[1.2]">
            {stats ? <RollingNumber value={stats[counter]} /> : <Skeleton width="3ch" />}
          </p>
          <h3 className="text-ink-soft font-sans text-1 font-medium tracking-[0] leading-[1.3]">
            <StaffLink to={to} className={styles.link}>
              {title}
            </StaffLink>
          </h3>
        </li>
      ))}
    </ul>
  );
}

const LINE = 'grid grid-cols-[5.5rem_minmax(0,1fr)] gap-2 py-2 border-b border-line text-1';

/** What happened last, as the event log has it. */
function LastEvents({ today }: { today: string | undefined }) {
  const events = useLastEvents();
  return (
    <section className="mt-6" aria-labelledby="last-events">
      <h3 id="last-events" className="pb-1 border-b border-line-strong text-3">
        {m.dashboard_last_events()}
      </h3>
      {events.isError && !events.data ? (
        <ErrorState of={events} />
      ) : events.data?.length === 0 ? (
        <p className="py-2 text-ink-soft text-1">{m.dashboard_no_events()}</p>
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
          <StaffLink to={`/admin/readers/${borrow.user.id}`}>{borrow.user.fullname}</StaffLink>
        </span>
      </p>
    </li>
  );
}

const useStats = () => useQuery({ ...queryOf(readStats), refetchInterval: useAskingInterval() });

/** How often to ask in any case: a day ends without anything happening. */
const WITH_LIVE_MS = 5 * 60_000;

/** The work of the day and the month's lines. A live message about any borrow has them asked for again. */
function useToday() {
  return useQuery({
    ...queryOf(readToday),
    refetchInterval: useAskingInterval(WITH_LIVE_MS),
    refetchOnMount: 'always',
  });
}

/** What happened last. */
function useLastEvents() {
  return useQuery({
    ...queryOf(readLastEvents),
    refetchInterval: useAskingInterval(WITH_LIVE_MS),
    refetchOnMount: 'always',
  });
}
