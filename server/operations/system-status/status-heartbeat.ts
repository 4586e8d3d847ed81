import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#platform/database/database.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { Logger } from '#platform/logging.js';
import { lateAfter, nextBackup } from '#platform/operations/backup-plan.js';
import {
  lastBackups,
  lastScheduledAt,
  RETRY_AFTER,
  type LastBackups,
} from '#platform/operations/backup-runs.js';
import { diskSpaceAt } from '#platform/operations/disk.js';
import {
  Heartbeat,
  ownReport,
  STARTED,
  type ProcessFacts,
  type ProcessKind,
  type ProcessReport,
} from '#platform/operations/heartbeat.js';
import { PartProbes, type Probe } from '#platform/operations/probes.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import { StatusMonitor } from './status-monitor.js';

/** The heartbeat of a server or worker, after which one of them looks at how the parts do. */
@Injectable()
export class StatusHeartbeat {
  private heartbeat: Heartbeat | undefined;
  private report: (() => Promise<ProcessReport>) | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly partProbes: PartProbes,
    private readonly watch: StatusMonitor,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  /** @param readinessProbes those that /readyz shows */
  start(kind: ProcessKind, readinessProbes: () => readonly Probe[]): void {
    const probes = () => [...readinessProbes(), ...this.partProbes.all];
    const facts = () => this.facts(kind);
    this.report = () => ownReport(kind, probes, facts);
    const { database, logger, watch } = this;
    const after = (written: boolean) => watch.look(written);
    const everyMs = this.settings.heartbeatMs;
    this.heartbeat = new Heartbeat({
      ...{ kind, database, logger, probes, facts, after },
      ...(everyMs !== undefined && { everyMs }),
    });
    this.heartbeat.start();
  }

  /** What this process finds now, without the database too. */
  async ownReport(): Promise<ProcessReport | undefined> {
    return this.report?.();
  }

  async stop(): Promise<void> {
    await this.heartbeat?.stop();
  }

  private async facts(kind: ProcessKind): Promise<ProcessFacts> {
    const { DATA_DIR, JOBS, ownsDatabase = false } = this.settings;
    return {
      jobs: kind === 'worker' || JOBS === 'on',
      // Elsewhere the data folder holds next to nothing.
      ...(ownsDatabase && { disk: await diskSpaceAt(DATA_DIR) }),
      ...(kind === 'server' && { backups: await this.backups() }),
    };
  }

  private async backups(): Promise<NonNullable<ProcessFacts['backups']>> {
    const { settings, database } = this;
    const { BACKUP_FOLDER, BACKUP_KEEP, BACKUP_PASSPHRASE, BACKUP_RECIPIENT, ownsDatabase } = settings;
    const none = { encrypted: false, keep: null, nextDue: null, lateAfter: null };
    if (!ownsDatabase || !settings.eventsInDatabase) return { plan: 'own-means', ...none };
    if (BACKUP_FOLDER === undefined) return { plan: 'not-scheduled', ...none };
    const last = await lastScheduledAt(database).catch(() => undefined);
    const { lastGood, lastFailed } = await lastBackups(database).catch((): Partial<LastBackups> => ({}));
    const name = lastGood?.name;
    const next = nextBackup(settings, last, STARTED, this.timeZone.name);
    const again =
      lastFailed?.scheduled && lastFailed.at.getTime() === last?.getTime()
        ? new Date(last.getTime() + RETRY_AFTER)
        : undefined;
    return {
      plan: 'scheduled',
      encrypted: BACKUP_PASSPHRASE !== undefined || BACKUP_RECIPIENT !== undefined,
      keep: BACKUP_KEEP,
      nextDue: (again && next && again < next ? again : next)?.toISOString() ?? null,
      lateAfter: lateAfter(settings),
      missing: name !== undefined && name !== null && !existsSync(join(BACKUP_FOLDER, name)),
    };
  }
}
