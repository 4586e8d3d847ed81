import { Link } from 'react-router-dom';
import type { SystemStatusView, Waiting } from '#contracts/dashboard/system-status.js';
import { inNumbers, Moment } from './moment.js';
import styles from './system-status-page.module.css';

const QUEUES: Record<string, string> = {
  mail: 'Letters about accounts, in the queue',
  letters: 'Letters about borrows, in the queue',
  upkeep: 'Upkeep: what is late or not collected',
  reports: 'Files to print',
};

/** What waits to be done, and since when the oldest of it does. */
export function WaitingBoard({ waiting }: { waiting: SystemStatusView['waiting'] }) {
  const { letters, outbox, payments, queues } = waiting;
  return (
    <section aria-labelledby="waiting" className="pb-10 break-inside-avoid">
      <h3 id="waiting" className="mb-3 text-3">
        What waits
      </h3>
      <dl>
        <Row name="Letters due" waiting={letters} />
        <Row name="Jobs not yet in their queue" waiting={outbox} />
        <Row name="Payments not settled" waiting={payments} />
        {queues?.map(({ name, ...counts }) => (
          <div key={name} className={styles.fact} data-queue={name}>
            <dt>{QUEUES[name] ?? name}</dt>
            <dd>
              {inNumbers(counts.waiting + counts.active)}
              {counts.delayed > 0 && (
                <span className="text-ink-soft">{inNumbers(counts.delayed)} for later</span>
              )}
              {counts.failed > 0 && (
                <span className="[&_a]:text-danger [&_a]:font-semibold">
                  <Link to="/admin/jobs">{inNumbers(counts.failed)} given up</Link>
                </span>
              )}
            </dd>
          </div>
        )) ?? (
          <div className={styles.fact}>
            <dt>Job queues</dt>
            <dd>not known</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function Row({ name, waiting }: { name: string; waiting: Waiting }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>
        {waiting ? inNumbers(waiting.count) : 'not known'}
        {waiting?.oldest && (
          <span className="text-ink-soft">
            the oldest <Moment time={waiting.oldest} />
          </span>
        )}
      </dd>
    </div>
  );
}
