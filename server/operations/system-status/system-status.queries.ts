import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  PROCESSES_SHOWN,
  PARTS,
  type SystemStatusView,
  type Level,
  type Part,
  type PartView,
} from '#contracts/dashboard/system-status.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { READ_MODEL_RELEASE } from '#platform/database/read-model.js';
import { lastBackups, type BackupRun } from '#platform/operations/backup-runs.js';
import { processReports, type ProcessReport } from '#platform/operations/heartbeat.js';
import { productVersion } from '#platform/package-root.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { withTimeout } from '#platform/with-timeout.js';
import { StatusHeartbeat } from './status-heartbeat.js';
import { StatusMonitor } from './status-monitor.js';
import { observeParts } from './observe-parts.js';
import type { PartState } from './part-state.js';
import { storedParts } from './part-rows.js';
import { PendingWork } from './pending-work.js';

/** Milliseconds that one source may take: what it knows is left out then. */
const TIMEOUT = 2_000;

@Injectable()
export class SystemStatusQueries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly heartbeat: StatusHeartbeat,
    private readonly watch: StatusMonitor,
    private readonly work: PendingWork,
  ) {}

  /**
   * The state of the house.
   * Gives what it can: what a part that is away would know is null.
   */
  async find(): Promise<SystemStatusView> {
    const { database } = this;
    const [stored, reports, backups, sizes, waiting] = await Promise.all([
      this.attempt(storedParts(database)),
      this.attempt(processReports(database)),
      this.attempt(lastBackups(database)),
      this.attempt(sizesOf(database, this.settings.eventsInDatabase === true)),
      this.work.count(TIMEOUT),
    ]);
    const own = stored && reports ? undefined : await this.heartbeat.ownReport();
    const known = reports ?? (own ? [own] : []);
    const parts = stored ? viewsOf(stored) : this.withoutDatabase(known);
    const [plan] = known.flatMap(({ silent, facts }) => (silent || !facts.backups ? [] : [facts.backups]));
    const [disk] = known.flatMap(({ silent, facts }) => (silent || !facts.disk ? [] : [facts.disk]));
    return {
      level: worst(parts),
      lookedAt: stored ? latest(stored) : null,
      parts,
      waiting,
      backups: {
        plan: plan?.plan ?? 'own-means',
        encrypted: plan?.encrypted ?? false,
        keep: plan?.keep ?? null,
        nextDue: plan?.nextDue ?? null,
        running: viewOfRun(backups?.running),
        lastGood: viewOfRun(backups?.lastGood),
        lastFailed: viewOfRun(backups?.lastFailed),
      },
      disk: {
        free: disk?.free ?? null,
        total: disk?.total ?? null,
        database: sizes?.database ?? null,
        log: sizes?.log ?? null,
        events: sizes?.events ?? null,
      },
      versions: {
        lectern: productVersion(),
        node: process.versions.node,
        postgres: sizes?.postgres ?? null,
        eventStore: this.settings.eventsInDatabase === true ? 'embedded' : 'own',
        readModel: READ_MODEL_RELEASE.version,
        migrations: sizes?.migrations ?? null,
        lastMigration: sizes?.lastMigration ?? null,
      },
      processes: processesOf(known),
    };
  }

  /** Nothing, where it fails or takes too long. */
  private attempt<Result>(work: Promise<Result>): Promise<Result | undefined> {
    return withTimeout(TIMEOUT, work, 'no answer in time').catch(() => undefined);
  }

  /** What this process finds by itself. Since when is in the database, but for the database. */
  private withoutDatabase(reports: readonly ProcessReport[]): PartView[] {
    const since = this.watch.awaySince?.toISOString() ?? null;
    // Others that follow the log are known by the database alone.
    const hidden: readonly Part[] = ['projection', 'letters', 'worker'];
    return [...observeParts(reports)].flatMap(([part, { level, reason, facts }]) =>
      hidden.includes(part)
        ? []
        : [{ part, level, reason, facts, since: part === 'database' ? since : null, incident: null }],
    );
  }
}

function viewsOf(stored: ReadonlyMap<Part, PartState>): PartView[] {
  return PARTS.flatMap((part) => {
    const state = stored.get(part);
    if (!state) return [];
    const { level, reason, facts, since, incident, owed } = state;
    const letter = owed ? 'waiting' : incident?.told ? 'sent' : 'none';
    return [
      {
        ...{ part, level, reason, facts, since: new Date(since).toISOString() },
        incident: incident && { since: new Date(incident.since).toISOString(), letter },
      },
    ];
  });
}

function worst(parts: readonly PartView[]): Level {
  const levels = parts.map(({ level }) => level);
  return levels.includes('bad') ? 'bad' : levels.includes('warning') ? 'warning' : 'ok';
}

function latest(stored: ReadonlyMap<Part, PartState>): string | null {
  const seen = [...stored.values()].map((state) => state.seen);
  return seen.length === 0 ? null : new Date(Math.max(...seen)).toISOString();
}

function viewOfRun(run: BackupRun | undefined): SystemStatusView['backups']['running'] {
  if (!run) return null;
  const { state, at, ended, step, done, name, bytes, events, differences, failure } = run;
  return {
    ...{ state, at: at.toISOString(), ended: ended?.toISOString() ?? null },
    ...{ step, done, name, bytes, events, differences, failure },
  };
}

/** One entry for each process of the system, whatever it does. */
function processesOf(reports: readonly ProcessReport[]): SystemStatusView['processes'] {
  const processes = new Map<string, SystemStatusView['processes'][number]>();
  for (const { process: id, kind, host, pid, version, node, started, seen, silent, facts } of reports) {
    const known = processes.get(id);
    const jobs = facts.jobs === true;
    if (known) {
      known.kinds.push(kind);
      known.jobs ||= jobs;
      known.silent &&= silent;
    } else {
      const times = { started: started.toISOString(), seen: seen.toISOString() };
      processes.set(id, { id, kinds: [kind], jobs, host, pid, version, node, ...times, silent });
    }
  }
  const latestFirst = [...processes.values()].sort(
    (one, other) => Date.parse(other.started) - Date.parse(one.started),
  );
  return latestFirst.slice(0, PROCESSES_SHOWN);
}

const sizesRow = z.object({
  postgres: z.string(),
  database: z.coerce.number(),
  log: z.coerce.number().nullable(),
  events: z.coerce.number().nullable(),
  migrations: z.int(),
  lastMigration: z.string().nullable(),
});

/** @param hasLog whether the event log is in this database too */
async function sizesOf(database: Database, hasLog: boolean) {
  return queryRow(
    database,
    sizesRow,
    `select split_part(current_setting('server_version'), ' ', 1) as postgres,
       pg_database_size(current_database()) as database,
       ${hasLog ? `pg_total_relation_size('eventstore.event')` : 'null::bigint'} as log,
       ${hasLog ? `(select max(position) + 1 from eventstore.event)` : 'null::bigint'} as events,
       (select count(*)::integer from migration) as migrations,
       (select name from migration order by id desc limit 1) as "lastMigration"`,
  );
}
