import type { Visit } from '#contracts/accounts/reader-card.js';
import { labels } from '../../labels.js';
import { isoDay } from '../../../lib/dates.js';
import styles from './slip.module.css';

/** What was handed over on a day, on paper for the reader. */
export function Slip({
  visit: { day, issued, returned },
  reader,
}: {
  visit: Visit;
  reader: { fullname: string };
}) {
  return (
    <div className={styles.slip}>
      <header className={styles.head}>
        <p className={styles.library}>{labels.title}</p>
        <p>
          {day} · {reader.fullname}
        </p>
      </header>
      {issued.length > 0 && (
        <section>
          <h2 className={styles.title}>Lent</h2>
          <ul role="list">
            {issued.flatMap(({ borrowId, titles, dueDate }) =>
              titles.map((title) => (
                <li key={`${borrowId} ${title}`} className={styles.book}>
                  <span>{title}</span>
                  {dueDate !== null && <span className={styles.due}>due {isoDay(dueDate)}</span>}
                </li>
              )),
            )}
          </ul>
        </section>
      )}
      {returned.length > 0 && (
        <section>
          <h2 className={styles.title}>Brought back</h2>
          <ul role="list">
            {returned.flatMap(({ borrowId, titles }) =>
              titles.map((title) => (
                <li key={`${borrowId} ${title}`} className={styles.book}>
                  {title}
                </li>
              )),
            )}
          </ul>
        </section>
      )}
      <p className={styles.foot}>Thank you, and until next time.</p>
    </div>
  );
}
