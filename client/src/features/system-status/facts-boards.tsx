import type { SystemStatusView } from '#contracts/dashboard/system-status.js';
import { counted } from '../../lib/counted.js';
import { inBytes, inNumbers } from './moment.js';
import styles from './system-status-page.module.css';

const size = (bytes: number | null) => (bytes === null ? 'not known' : inBytes(bytes));

export function DiskBoard({ disk }: { disk: SystemStatusView['disk'] }) {
  const { free, total, database, log, events } = disk;
  const used = free !== null && total !== null && total > 0 ? (total - free) / total : null;
  return (
    <section aria-labelledby="disk" className="pb-10 break-inside-avoid">
      <h3 id="disk" className="mb-3 text-3">
        Disk
      </h3>
      {used !== null && (
        <div
          className="h-2 mb-3 rounded bg-sunk overflow-hidden [&_span]:block [&_span]:h-full [&_span]:bg-accent [&_span[data-full]]:bg-danger"
          aria-hidden="true"
        >
          <span style={{ width: `${Math.round(used * 100)}%` }} data-full={used > 0.9 || undefined} />
        </div>
      )}
      <dl>
        {used !== null && (
          <div className={styles.fact}>
            <dt>Free, where the data folder is</dt>
            <dd>
              {size(free)}
              <span className="text-ink-soft">of {size(total)}</span>
            </dd>
          </div>
        )}
        <div className={styles.fact}>
          <dt>Database</dt>
          <dd>{size(database)}</dd>
        </div>
        {log !== null && (
          <div className={styles.fact}>
            <dt>Event log in it</dt>
            <dd>
              {size(log)}
              {events !== null && (
                <span className="text-ink-soft">
                  {events === 1 ? '1 event' : `${inNumbers(events)} events`}
                </span>
              )}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

export function VersionsBoard({ versions }: { versions: SystemStatusView['versions'] }) {
  const { lectern, node, postgres, eventStore, readModel, migrations, lastMigration } = versions;
  const facts: [string, string, (string | undefined)?][] = [
    ['Lectern', lectern],
    ['Node', node],
    ['PostgreSQL', postgres ?? 'not known'],
    ['Event store', eventStore === 'embedded' ? `embedded, ${lectern}` : 'at EVENTSTORE_URL'],
    ['Lists', `version ${readModel}`],
    [
      'Schema',
      migrations === null ? 'not known' : counted(migrations, 'step', 'steps'),
      lastMigration ?? undefined,
    ],
  ];
  return (
    <section aria-labelledby="versions" className="pb-10 break-inside-avoid">
      <h3 id="versions" className="mb-3 text-3">
        Versions
      </h3>
      <dl>
        {facts.map(([name, value, aside]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>
              {value}
              {aside && <span className="text-ink-soft">{aside}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** `House1763000000035` is the step “House”. */
