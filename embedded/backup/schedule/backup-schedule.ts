import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '#platform/package-root.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { storedTimeZone } from '#platform/library-time-zone.js';
import type { Logger } from '#platform/logging.js';
import { nextBackup } from '#platform/operations/backup-plan.js';
import {
  requestedBackup,
  beginBackup,
  beginScheduledBackup,
  abortBackups,
  endBackup,
  lastBackups,
  lastScheduledAt,
  noteProgress,
  type BackupOutcome,
} from '#platform/operations/backup-runs.js';
import type { ResolvedSettings } from '#platform/settings.js';
import type { BackupMessage } from './backup-messages.js';
import { verifiedSince } from './backup-names.js';
import { installationOf, removeLeftovers } from './make-verified-backup.js';

/** Milliseconds between two looks at whether a backup is due, or asked for. */
const LOOK = 2_000;
/** Milliseconds that a backup under way has to undo what it began. */
const MAX_STOPPING = 5_000;
const BACKUP_PROCESS = join(packageRoot(), 'dist/embedded/backup/schedule/backup-process.js');

/** Makes backups when they are due or asked for, each in a process of its own. */
export class BackupSchedule {
  private readonly database: Database;
  private readonly since = new Date();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private running: { child: ChildProcess; done: Promise<void> } | undefined;
  private stopped = false;

  constructor(
    private readonly settings: ResolvedSettings,
    private readonly logger: Logger,
  ) {
    this.database = openDatabase(settings.DATABASE_URL, 1, logger);
  }

  /** Cleans up after a process that was killed, and begins. */
  async start(): Promise<void> {
    await this.settleInterrupted();
    await removeLeftovers(this.settings).catch((error: unknown) =>
      this.logger.warn({ error }, 'what an earlier backup left could not be removed yet'),
    );
    if (this.settings.BACKUP_FOLDER === undefined) return;
    this.timer = setInterval(() => this.look(), LOOK);
    this.timer.unref();
    this.look();
  }

  /**
   * A backup that was under way when its process was killed may be whole all the same; and so is the one that this library
   * was restored from, which has itself as under way.
   */
  private async settleInterrupted(): Promise<void> {
    const { BACKUP_FOLDER, DATA_DIR } = this.settings;
    const { running } = await lastBackups(this.database);
    if (BACKUP_FOLDER !== undefined && running?.state === 'running') {
      const found = verifiedSince(BACKUP_FOLDER, await installationOf(resolve(DATA_DIR)), running.at);
      if (found) {
        const { name, receipt } = found;
        const { bytes, events, differences, triedOutAt } = receipt;
        const outcome = { state: 'good' as const, name, bytes, events, differences };
        await endBackup(this.database, running.id, outcome, new Date(triedOutAt));
      }
    }
    await abortBackups(this.database, new Date());
  }

  /** A backup under way is broken off. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.looking;
    if (this.running) {
      const { child, done } = this.running;
      child.kill('SIGTERM');
      await Promise.race([done, sleep(MAX_STOPPING, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await done;
    }
    await this.database.end();
  }

  private look(): void {
    if (this.stopped || this.running) return;
    this.looking ??= this.beginIfDue()
      .catch((error: unknown) => this.logger.warn({ error }, 'whether a backup is due could not be told'))
      .finally(() => (this.looking = undefined));
  }

  private async beginIfDue(): Promise<void> {
    const asked = await requestedBackup(this.database);
    const id = asked?.id ?? (await this.due());
    if (id === undefined || this.stopped) return;
    await beginBackup(this.database, id);
    this.running = this.run(id);
    void this.running.done.finally(() => (this.running = undefined));
  }

  /** The id of a backup that is begun by the schedule. */
  private async due(): Promise<string | undefined> {
    const last = await lastScheduledAt(this.database);
    const zone = (await storedTimeZone(this.database)) ?? 'UTC';
    const next = nextBackup(this.settings, last, this.since, zone);
    const now = new Date();
    if (!next || next > now) return undefined;
    const id = randomUUID();
    return (await beginScheduledBackup(this.database, id, now)) ? id : undefined;
  }

  private run(id: string): { child: ChildProcess; done: Promise<void> } {
    // Flags of this process speak of its own entry file.
    const child = fork(BACKUP_PROCESS, { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    let outcome: BackupOutcome = { state: 'failed', failure: 'interrupted' };
    let why = 'the process of the backup ended';
    child.on('message', (message: BackupMessage) => {
      if (message.kind === 'progress') {
        noteProgress(this.database, id, message.step, message.done).catch((error: unknown) =>
          this.logger.warn({ error }, 'how far a backup is could not be told'),
        );
      } else if (message.kind === 'good') outcome = { state: 'good', ...message.backup };
      else [outcome, why] = [{ state: 'failed', failure: message.failure }, message.why];
    });
    child.on('error', (error) => (why = error.message));
    const done = new Promise<void>((resolve) => child.once('close', () => resolve())).then(async () => {
      if (outcome.state === 'good') this.logger.info({ backup: outcome }, 'a backup was made and tried out');
      else this.logger.error({ failure: outcome.failure, why }, 'a backup failed');
      await endBackup(this.database, id, outcome, new Date());
      if (outcome.state === 'failed') await removeLeftovers(this.settings);
    });
    return {
      child,
      done: done.catch((error: unknown) =>
        this.logger.warn({ error }, 'the end of a backup could not be told, or not cleaned up after'),
      ),
    };
  }
}
