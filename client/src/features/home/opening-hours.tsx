import { WithDays } from '../../components/with-days.js';
import { useOpeningHours } from '../../domain/opening-hours/get-opening-hours.js';
import { daysAhead, hoursOf, namedSpan, openingNow } from '../../domain/opening-hours/opening-words.js';
import { isoDay } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { weekdayName } from '../../lib/weekday-name.js';
import page from './home-page.module.css';
import styles from './opening-hours.module.css';

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
      <h2 id="opening-hours" className={page.heading}>
        Opening hours
      </h2>
      <div className={styles.hours}>
        <p className={styles.now}>{openingNow(days, now)}</p>
        {week.some(({ isOpen, hours }) => !isOpen || hours !== null) && (
          <dl className={styles.week}>
            {week.map((each) => (
              <div key={each.day} className={styles.day} data-closed={!each.isOpen || undefined}>
                <dt>
                  {weekdayName(each.day)} <time dateTime={each.day}>{each.day}</time>
                </dt>
                <dd>{hoursOf(each)}</dd>
              </div>
            ))}
          </dl>
        )}
        {closed.length > 0 && (
          <div className={styles.closed}>
            <h3>Closed days</h3>
            <ul role="list">
              {closed.map((span) => (
                <li key={span.from}>
                  <WithDays text={namedSpan(span)} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  );
}
