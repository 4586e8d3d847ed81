import type { BackupRunView, HouseView } from '#contracts/dashboard/house.js';
import { BACKUP_FAILURE_WORDS } from '#contracts/dashboard/house-words.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoMinute } from '../../lib/dates.js';
import { useBackUpNow } from './house-calls.js';
import { inBytes, inNumbers, Moment } from './moment.js';
import styles from './house-page.module.css';

const STEPS: Record<NonNullable<BackupRunView['step']>, string> = {
  copying: 'Copying the library',
  restoring: 'Restoring the copy into a spare folder',
  comparing: 'Opening it, and comparing its lists with its log',
};

/** When the last backup was made and tried out, why one failed, and when the next is due. */
export function BackupBoard({ backups }: { backups: HouseView['backups'] }) {
  return (
    <section aria-labelledby="backups" className={styles.panel}>
      <h3 id="backups" className={styles.title}>
        Backups
      </h3>
      {backups.plan === 'own-means' && (
        <p className={styles.words}>
          The library is in a database or event store of your own, so backups are yours to make. The chapter
          “Backup and restore” of docs/handbook.md says what belongs together, and in which order.
        </p>
      )}
      {backups.plan === 'not-scheduled' && (
        <p className={styles.words}>
          None are made by themselves. With BACKUP_FOLDER set, the library copies itself every night and tries
          each copy out.
        </p>
      )}
      {backups.plan === 'scheduled' && <Schedule backups={backups} />}
    </section>
  );
}

function Schedule({ backups }: { backups: HouseView['backups'] }) {
  const { running, lastGood, lastFailed, nextDue, keep, encrypted } = backups;
  const failedSince = lastFailed && (!lastGood || lastFailed.at > lastGood.at) ? lastFailed : null;
  return (
    <>
      <dl className={styles.facts}>
        <div className={styles.fact} data-backup="good">
          <dt>Last good one</dt>
          <dd>
            {lastGood ? <Moment time={lastGood.ended ?? lastGood.at} /> : 'none yet'}
            {lastGood && <span className={styles.aside}>{whatIsIn(lastGood)}</span>}
          </dd>
        </div>
        {failedSince && (
          <div className={styles.fact} data-backup="failed">
            <dt>Failed since</dt>
            <dd>
              {isoMinute(failedSince.at)}
              <span className={styles.aside}>
                {BACKUP_FAILURE_WORDS[failedSince.failure ?? 'other'].what}
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
            <span className={styles.aside}>{encrypted ? 'encrypted' : 'not encrypted'}</span>
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
    <p role="status" className={styles.running} data-running={step ?? state}>
      <span className={styles.turning} aria-hidden="true" />
      {words}
      {done > 0 && <span className={styles.aside}>{inBytes(done)}</span>}
    </p>
  );
}

function BackUpNow() {
  const backUp = useBackUpNow();
  return (
    <div className={styles.action}>
      <Button busy={backUp.isPending} onClick={() => backUp.mutate()}>
        Back up now
      </Button>
      {backUp.isError && <Notice>No backup was begun. {sentenceOf(backUp.error)}</Notice>}
    </div>
  );
}
