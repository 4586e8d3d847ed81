import type { BackupRunView, SystemStatusView } from '#contracts/dashboard/system-status.js';
import { BACKUP_FAILURE_LABELS } from '#contracts/dashboard/system-status-texts.js';
import { Button } from '../../components/form/button.js';
import { Notice } from '../../components/dialog/notice.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoMinute } from '../../lib/dates.js';
import { useBackUpNow } from './system-status-calls.js';
import { inBytes, inNumbers, Moment } from './moment.js';
import styles from './system-status-page.module.css';

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
          The library is in a database or event store of your own, so backups are yours to make. The chapter
          “Backup and restore” of docs/handbook.md says what belongs together, and in which order.
        </p>
      )}
      {backups.plan === 'not-scheduled' && (
        <p className="max-w-measure pt-2 border-t border-line text-ink-soft">
          None are made by themselves. With BACKUP_FOLDER set, the library copies itself every night and tries
          each copy out.
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
        <div className={styles.fact} data-backup="good">
          <dt>Last good one</dt>
          <dd>
            {lastGood ? <Moment time={lastGood.ended ?? lastGood.at} /> : 'none yet'}
            {lastGood && <span className="text-ink-soft">{whatIsIn(lastGood)}</span>}
          </dd>
        </div>
        {failedSince && (
          <div className={styles.fact} data-backup="failed">
            <dt>Failed since</dt>
            <dd>
              {isoMinute(failedSince.at)}
              <span className="text-ink-soft">
                {BACKUP_FAILURE_LABELS[failedSince.failure ?? 'other'].what}
              </span>
            </dd>
          </div>
        )}
        <div className={styles.fact}>
          <dt>Next one due</dt>
          <dd>{nextDue ? isoMinute(nextDue) : 'not known'}</dd>
        </div>
        <div className={styles.fact}>
          <dt>Kept</dt>
          <dd>
            {keep === null ? 'not known' : `the last ${keep}`}
            <span className="text-ink-soft">{encrypted ? 'encrypted' : 'not encrypted'}</span>
          </dd>
        </div>
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
      {backUp.isError && <Notice>No backup was begun. {sentenceOf(backUp.error)}</Notice>}
    </div>
  );
}
