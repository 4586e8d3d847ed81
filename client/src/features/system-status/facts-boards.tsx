import * as m from '#words/messages.js';
import type { SystemStatusView, BackupRunView } from '#contracts/dashboard/system-status.js';
import { inBytes, Moment } from './level-mark.js';
import styles from './system-status-page.module.css';
import { BACKUP_FAILURE_LABELS } from '#contracts/dashboard/system-status-texts.js';
import { Button } from '../../components/form/button.js';
import { Notice } from '../../components/dialog/notice.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoMinute } from '../../lib/dates.js';
import { useBackUpNow } from './overall-state.js';
import { Fact } from '../../components/display/fact.js';

const size = (bytes: number | null) => (bytes === null ? m.status_not_known() : inBytes(bytes));

export function DiskBoard({ disk }: { disk: SystemStatusView['disk'] }) {
  const { free, total, database, log, events } = disk;
  const used = free !== null && total !== null && total > 0 ? (total - free) / total : null;
  return (
    <section aria-labelledby="disk" className="pb-10 break-inside-avoid">
      <h3 id="disk" className="mb-3 text-3">
        {m.status_part_disk()}
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
          <Fact className={styles.fact} name={m.status_disk_free()}>
            {size(free)}
            <span className="text-ink-soft">{m.status_disk_total({ total: size(total) })}</span>
          </Fact>
        )}
        <Fact className={styles.fact} name={m.status_part_database()}>
          {size(database)}
        </Fact>
        {log !== null && (
          <Fact className={styles.fact} name={m.status_disk_event_log()}>
            {size(log)}
            {events !== null && <span className="text-ink-soft">{m.status_events({ count: events })}</span>}
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
    ['PostgreSQL', postgres ?? m.status_not_known()],
    [
      m.status_event_store(),
      eventStore === 'embedded'
        ? m.status_event_store_embedded({ version: lectern })
        : m.status_event_store_own(),
    ],
    [m.status_part_lists(), m.status_lists_version({ version: readModel })],
    [
      m.status_schema(),
      migrations === null ? m.status_not_known() : m.status_schema_steps({ count: migrations }),
      lastMigration ?? undefined,
    ],
  ];
  return (
    <section aria-labelledby="versions" className="pb-10 break-inside-avoid">
      <h3 id="versions" className="mb-3 text-3">
        {m.status_versions()}
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
  copying: m.status_step_copying(),
  restoring: m.status_step_restoring(),
  comparing: m.status_step_comparing(),
};

/** When the last backup was made and tried out, why one failed, and when the next is due. */
export function BackupBoard({ backups }: { backups: SystemStatusView['backups'] }) {
  return (
    <section aria-labelledby="backups" className="pb-10 break-inside-avoid">
      <h3 id="backups" className="mb-3 text-3">
        {m.status_part_backup()}
      </h3>
      {backups.plan === 'own-means' && (
        <p className="max-w-measure pt-2 border-t border-line text-ink-soft">
          {m.status_backups_by_own_means()}
        </p>
      )}
      {backups.plan === 'not-scheduled' && (
        <p className="max-w-measure pt-2 border-t border-line text-ink-soft">
          {m.status_backups_not_scheduled()}
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
        <Fact className={styles.fact} data-backup="good" name={m.status_backup_last_good()}>
          {lastGood ? <Moment time={lastGood.ended ?? lastGood.at} /> : m.status_backup_none_yet()}
          {lastGood && <span className="text-ink-soft">{whatIsIn(lastGood)}</span>}
        </Fact>
        {failedSince && (
          <Fact className={styles.fact} data-backup="failed" name={m.status_backup_failed_since()}>
            {isoMinute(failedSince.at)}
            <span className="text-ink-soft">
              {BACKUP_FAILURE_LABELS[failedSince.failure ?? 'other']().what}
            </span>
          </Fact>
        )}
        <Fact className={styles.fact} name={m.status_backup_next()}>
          {nextDue ? isoMinute(nextDue) : m.status_not_known()}
        </Fact>
        <Fact className={styles.fact} name={m.status_backup_kept()}>
          {keep === null ? m.status_not_known() : m.status_backup_kept_last({ count: keep })}
          <span className="text-ink-soft">
            {encrypted ? m.status_backup_encrypted() : m.status_backup_not_encrypted()}
          </span>
        </Fact>
      </dl>
      {running ? <Progress run={running} /> : <BackUpNow />}
    </>
  );
}

function whatIsIn({ bytes, events, differences }: BackupRunView): string {
  return [
    ...(bytes === null ? [] : [inBytes(bytes)]),
    ...(events === null ? [] : [m.status_events({ count: events })]),
    differences ? m.status_backup_opened_with_differences() : m.status_backup_opened(),
  ].join(', ');
}

function Progress({ run: { state, step, done } }: { run: BackupRunView }) {
  const words = state === 'asked' || step === null ? m.status_backup_about_to_begin() : STEPS[step];
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
        {m.status_back_up_now()}
      </Button>
      {backUp.isError && <Notice>{m.status_backup_not_started({ reason: sentenceOf(backUp.error) })}</Notice>}
    </div>
  );
}
