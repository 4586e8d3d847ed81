import * as m from '#words/messages.js';
import { NonBreakingDates } from '../components/display/day.js';
import { classNames } from '../lib/class-names.js';
import { isoDay, weekdayName } from '../lib/dates.js';
import { useQuarterHour } from '../lib/use-now.js';
import { useOpeningHours, daysAhead, hoursOf, namedSpan, openingNow } from '../domain/opening-hours.js';

/** When the library is open: how it is now, the week from today on, and the closed days to come. Nothing where nothing is set. */
export function OpeningHours() {
  const { data } = useOpeningHours();
  const now = useQuarterHour();
  const days = data ? daysAhead(data, now) : [];
  if (!data || days.length === 0) return null;
  const week = days.slice(0, 7);
  const closed = data.closed.filter(({ to }) => to >= isoDay(now));
  return (
    <section className="flex-[1_1_17rem] max-w-88" aria-labelledby="opening-hours">
      <h2 id="opening-hours">{m.hours_title()}</h2>
      <p className="mt-2">{openingNow(days, now)}</p>
      {week.some(({ isOpen, hours }) => !isOpen || hours !== null) && (
        <dl className="mt-2 text-1 tabular-nums">
          {week.map((each) => (
            <div
              key={each.day}
              className={classNames(
                'flex justify-between gap-4 py-1 border-b border-line first:font-semibold',
                '[&_time]:ml-2 [&_time]:text-ink-soft [&_time]:font-regular data-closed:[&_dd]:text-ink-soft',
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
        <div className="mt-3 text-1">
          <h3>{m.hours_closed_days()}</h3>
          <ul role="list">
            {closed.map((span) => (
              <li key={span.from}>
                <NonBreakingDates text={namedSpan(span)} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
