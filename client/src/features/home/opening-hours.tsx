import { NonBreakingDates } from '../../components/display/day.js';
import { useOpeningHours, daysAhead, hoursOf, namedSpan, openingNow } from '../../domain/opening-hours.js';
import { isoDay, weekdayName } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import page from './home-page.module.css';
import { classNames } from '../../lib/class-names.js';

/** When the library is open: how it is now, the week from today on, and the closed days to come. Nothing where nothing is set. */
export function OpeningHours() {
  const { data } = useOpeningHours();
  const now = useNow(data !== undefined);
  const days = data ? daysAhead(data, now) : [];
  if (!data || days.length === 0) return null;
  const week = days.slice(0, 7);
  const closed = data.closed.filter(({ to }) => to >= isoDay(now));
  return (
    <section className={page.section} aria-labelledby="opening-hours">
      <h2 id="opening-hours" className="pt-3 double-rule text-4">
        Opening hours
      </h2>
      <div className="grid gap-x-10 gap-y-4 pt-4 pb-10 border-t border-line to-860:pt-0 to-860:border-t-0">
        <p className="font-serif text-3">{openingNow(days, now)}</p>
        {week.some(({ isOpen, hours }) => !isOpen || hours !== null) && (
          <dl className="max-w-104 tabular-nums">
            {week.map((each) => (
              <div
                key={each.day}
                className={classNames(
                  'flex justify-between gap-4 py-1 border-b border-line',
                  'first:font-semibold [&_time]:ml-2 [&_time]:text-ink-soft [&_time]:text-1',
                  '[&_time]:font-regular [&_dd]:m-0 data-closed:[&_dd]:text-ink-soft',
                )}
                data-closed={!each.isOpen || undefined}
              >
                <dt>
                  {weekdayName(each.day)} <time dateTime={each.day}>{each.day}</time>
                </dt>
                <dd>{hoursOf(each)}</dd>
              </div>
            ))}
          </dl>
        )}
        {closed.length > 0 && (
          <div className="[&_h3]:mb-1 [&_h3]:text-2">
            <h3>Closed days</h3>
            <ul role="list">
              {closed.map((span) => (
                <li key={span.from}>
                  <NonBreakingDates text={namedSpan(span)} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  );
}
