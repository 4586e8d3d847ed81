import { ErrorState } from '../../components/error-state.js';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { Counters } from './counters.js';
import styles from './dashboard-page.module.css';
import { useStats } from './get-stats.js';
import { useToday } from './get-today.js';
import { LastEvents } from './last-events.js';
import { HoldsToday } from './holds-today.js';
import { MonthChart } from './month-chart.js';
import { WorkLists } from './work-lists.js';

/** The counters of the specification, and under them what there is to do. */
export function DashboardPage() {
  usePageTitle('Dashboard');
  const stats = useStats();
  const today = useToday();
  return (
    <>
      <header className={styles.head}>
        <h2 className={styles.title}>Today</h2>
        {today.data && (
          <p className={styles.day}>
            {weekday(today.data.day)}, <time dateTime={today.data.day}>{today.data.day}</time>
          </p>
        )}
        <LiveBadge />
      </header>
      {stats.isError && !stats.data ? (
        <ErrorState error={stats.error} onRetry={() => void stats.refetch()} retrying={stats.isFetching} />
      ) : (
        <Counters stats={stats.data} />
      )}
      <div className={styles.parts}>
        {today.isError && !today.data ? (
          <ErrorState error={today.error} onRetry={() => void today.refetch()} retrying={today.isFetching} />
        ) : (
          <>
            <div className={styles.work}>
              <WorkLists today={today.data} />
              <HoldsToday holds={today.data?.holds} />
            </div>
            <aside aria-label="The month and the last events">
              <MonthChart month={today.data?.month} />
              <LastEvents today={today.data?.day} />
            </aside>
          </>
        )}
      </div>
    </>
  );
}

const weekdays = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** Of a day, wherever the browser stands. */
const weekday = (day: string) => weekdays.format(new Date(day));
