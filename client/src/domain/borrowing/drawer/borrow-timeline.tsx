import type { BorrowDetails, BorrowStep } from '#contracts/borrowing/borrow-details.js';
import { isoDay, isoMinute, relativeTime } from '../../../lib/dates.js';
import { useNow } from '../../../lib/use-now.js';
import { groszeOf } from '#contracts/money.js';
import { whatHappened, wordsOf } from '../event-words.js';
import styles from './borrow-drawer.module.css';

/** What happened to a borrow, the latest first. */
export function BorrowTimeline({ details: { steps } }: { details: BorrowDetails }) {
  const now = useNow(true);
  return (
    <section className={styles.timeline} aria-labelledby="what-happened">
      <h3 id="what-happened">What happened</h3>
      <ol role="list" aria-live="polite" aria-relevant="additions">
        {[...steps].reverse().map((step) => (
          <Step key={step.revision} step={step} now={now} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step, now }: { step: BorrowStep; now: number }) {
  const { type, at, by, byPerson, amount, dueDate } = step;
  const { icon: Icon, tone } = wordsOf(type);
  const words = whatHappened({ type, amount: amount === null ? null : groszeOf(amount) });
  return (
    <li className={styles.step} data-event={type}>
      <span className={styles.mark} data-tone={tone === 'plain' ? undefined : tone}>
        <Icon size={14} aria-hidden="true" />
      </span>
      <div>
        <p className={styles.what}>
          {words}
          {dueDate !== null && <span className="quiet">, due {isoDay(dueDate)}</span>}
        </p>
        <p className="note">
          <time dateTime={at} title={isoMinute(at)}>
            {isoMinute(at)}, {relativeTime(at, now)}
          </time>
          {byPerson ? `, by ${by}` : ', by the library'}
        </p>
      </div>
    </li>
  );
}
