import { ErrorState } from '../../components/list/error-state.js';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { Counters } from './counters.js';
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
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 mb-4 [&>:last-child]:ml-auto">
        <h2 className="text-4">Today</h2>
        {today.data && (
          <p className="text-ink-soft tabular-nums">
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
      <div className="grid grid-cols-[minmax(0,1.65fr)_minmax(0,1fr)] items-start gap-10 to-1180:grid-cols-1 to-1180:gap-4">
        {today.isError && !today.data ? (
          <ErrorState error={today.error} onRetry={() => void today.refetch()} retrying={today.isFetching} />
        ) : (
          <>
            <div>
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
