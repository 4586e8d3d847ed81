import type { SystemStatusView, BackupRunView } from '#contracts/dashboard/system-status.js';
import { counted } from '../../lib/texts.js';
import { inBytes, inNumbers, Moment } from './level-mark.js';
import styles from './system-status-page.module.css';
import { BACKUP_FAILURE_LABELS } from '#contracts/dashboard/system-status-texts.js';
import { Button } from '../../components/form/button.js';
import { Notice } from '../../components/dialog/notice.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoMinute } from '../../lib/dates.js';
import { useBackUpNow } from './overall-state.js';
import { Fact } from '../../components/display/fact.js';

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
          <Fact className={styles.fact} name="Free, where the data folder is">
            {size(free)}
            <span className="text-ink-soft">of {size(total)}</span>
          </Fact>
        )}
        <Fact className={styles.fact} name="Database">
          {size(database)}
        </Fact>
        {log !== null && (
          <Fact className={styles.fact} name="Event log in it">
            {size(log)}
            {events !== null && (
              <span className="text-ink-soft">
                {events === 1 ? '1 event' : `${inNumbers(events)} events`}
              </span>
            )}
          </Fact>
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
          <Fact key={name} className={styles.fact} name={name}>
            {value}
            {aside && <span className="text-ink-soft">{aside}</span>}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

/** `House1763000000035` is the step “House”. */

const STEPS: Record<NonNullable<BackupRunView['step']>, string> = {
  copying: 'Copying the library',
  restoring: 'Restoring the copy into a spare folder',
  comparing: 'Opening it, and comparing its lists with its log',
};

/** When the last backup was made and tried out, why one failed, and when the next is due. */
export function BackupBoard({ backups }: { backups: SystemStatusView['backups'] }) {
  return (
    <section aria-labelledby="backups" className="pb-10 break-inside-avoid">
      <h3 id="backups" className="mb-3 text-3">
        Backups
      </h3>
      {backups.plan === 'own-means' && (
        <p className="max-w-measure pt-2 border-t border-line text-ink-soft">
          The library uses a database or event store of your own, so you make the backups. “Backup and
          restore” in docs/handbook.md explains what to back up and in which order.
        </p>
      )}
      {backups.plan === 'not-scheduled' && (
        <p className="max-w-measure pt-2 border-t border-line text-ink-soft">
          There are no automatic backups. Set BACKUP_FOLDER, and Lectern will back itself up every night and
          test each backup.
        </p>
      )}
      {backups.plan === 'scheduled' && <Schedule backups={backups} />}
    </section>
  );
}

function Schedule({ backups }: { backups: SystemStatusView['backups'] }) {
  const { running, lastGood, lastFailed, nextDue, keep, encrypted } = backups;
  const failedSince = lastFailed && (!lastGood || lastFailed.at > lastGood.at) ? lastFailed : null;
  return (
    <>
      <dl>
        <Fact className={styles.fact} data-backup="good" name="Last good one">
          {lastGood ? <Moment time={lastGood.ended ?? lastGood.at} /> : 'none yet'}
          {lastGood && <span className="text-ink-soft">{whatIsIn(lastGood)}</span>}
        </Fact>
        {failedSince && (
          <Fact className={styles.fact} data-backup="failed" name="Failed since">
            {isoMinute(failedSince.at)}
            <span className="text-ink-soft">
              {BACKUP_FAILURE_LABELS[failedSince.failure ?? 'other']().what}
            </span>
          </Fact>
        )}
        <Fact className={styles.fact} name="Next one due">
          {nextDue ? isoMinute(nextDue) : 'not known'}
        </Fact>
        <Fact className={styles.fact} name="Kept">
          {keep === null ? 'not known' : `the last ${keep}`}
          <span className="text-ink-soft">{encrypted ? 'encrypted' : 'not encrypted'}</span>
        </Fact>
      </dl>
      {running ? <Progress run={running} /> : <BackUpNow />}
    </>
  );
}

function whatIsIn({ bytes, events, differences }: BackupRunView): string {
  const size = bytes === null ? '' : `${inBytes(bytes)}, `;
  const log = events === null ? '' : `${inNumbers(events)} ${events === 1 ? 'event' : 'events'}, `;
  return `${size}${log}${differences ? 'opened, with differences' : 'opened and compared'}`;
}

function Progress({ run: { state, step, done } }: { run: BackupRunView }) {
  const words = state === 'asked' || step === null ? 'A backup is about to begin' : STEPS[step];
  return (
    <p
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 mt-3 p-3 rounded bg-accent-wash tabular-nums"
      data-running={step ?? state}
    >
      <span
        className="size-4 border-2 border-line-strong border-t-accent-text rounded-[50%] [animation:turn_900ms_linear_infinite]"
        aria-hidden="true"
      />
      {words}
      {done > 0 && <span className="text-ink-soft">{inBytes(done)}</span>}
    </p>
  );
}

function BackUpNow() {
  const backUp = useBackUpNow();
  return (
    <div className="flex flex-col items-start gap-3 mt-3">
      <Button busy={backUp.isPending} onClick={() => backUp.mutate()}>
        Back up now
      </Button>
      {backUp.isError && <Notice>No backup was started. {sentenceOf(backUp.error)}</Notice>}
    </div>
  );
}
