import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { Database, Queryable } from '../database/database.js';
import { queryRows } from '../database/query-rows.js';
import type { Logger } from '../logging.js';
import { productVersion } from '../package-root.js';
import { withTimeout } from '../with-timeout.js';
import { readiness, type Probe, type Readiness } from './probes.js';

/** Milliseconds between two heartbeats. */
const HEARTBEAT = 10_000;
/** Seconds after which a process that was not heard of counts as silent. */
const SILENT_AFTER = 35;
/** A process that ended without a word is forgotten after this long. */
const FORGOTTEN_AFTER = '1 hour';
/** Milliseconds for writing one: a database that is silent must not hold the next. */
const TIMEOUT = 5_000;

export const PROCESS_KINDS = ['server', 'projections', 'worker'] as const;
export type ProcessKind = (typeof PROCESS_KINDS)[number];

/** This process, as long as it runs; in one process there may be several kinds. */
const PROCESS = randomUUID();
export const STARTED = new Date(Date.now() - performance.now());

/** Numbers, and the state in a word: a probe may also know the words of an error. */
const checksSchema = z.record(
  z.string(),
  z
    .object({ ok: z.boolean(), state: z.string().optional() })
    .catchall(z.union([z.number(), z.boolean(), z.string()])),
);
export type Checks = z.output<typeof checksSchema>;

/** What a process knows besides its probes. */
const processFactsSchema = z.object({
  /** Whether it works off jobs. */
  jobs: z.boolean().optional(),
  /** Of the disk with its data folder, in bytes. */
  disk: z.object({ free: z.number(), total: z.number() }).optional(),
  backups: z
    .object({
      plan: z.enum(['scheduled', 'not-scheduled', 'own-means']),
      encrypted: z.boolean(),
      keep: z.int().nullable(),
      nextDue: z.iso.datetime().nullable(),
      /** Milliseconds after which a missing backup is late. */
      lateAfter: z.number().nullable(),
      /** The last good one is not in its folder any more. */
      missing: z.boolean().optional(),
    })
    .optional(),
});
export type ProcessFacts = z.output<typeof processFactsSchema>;

const heartbeatRow = z.object({
  process: z.string(),
  kind: z.enum(PROCESS_KINDS),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  node: z.string(),
  started: z.date(),
  seen: z.date(),
  silent: z.boolean(),
  checks: checksSchema,
  facts: processFactsSchema,
});
/** What a process last said of itself. */
export type ProcessReport = z.output<typeof heartbeatRow>;

/** What every process said last, silent ones too. */
export function processReports(database: Queryable): Promise<ProcessReport[]> {
  return queryRows(
    database,
    heartbeatRow,
    `select process, kind, host, pid, version, node, started, seen, checks, facts,
       seen < now() - make_interval(secs => $1) as silent
     from process_heartbeat order by started, kind`,
    [SILENT_AFTER],
  );
}

/** What a process that is asked now would say of itself. */
export async function ownReport(
  kind: ProcessKind,
  probes: () => readonly Probe[],
  facts: () => Promise<ProcessFacts>,
): Promise<ProcessReport> {
  const [{ checks }, known] = await Promise.all([readiness(probes()), facts()]);
  return {
    ...{ process: PROCESS, kind, host: hostname(), pid: process.pid },
    ...{ version: productVersion(), node: process.versions.node },
    ...{ started: STARTED, seen: new Date(), silent: false, checks: withoutWords(checks), facts: known },
  };
}

function withoutWords(checks: Readiness['checks']): Checks {
  return Object.fromEntries(
    Object.entries(checks).map(([name, { ok, ...details }]) => {
      const told = Object.entries(details).filter(
        ([key, value]) => key === 'state' || typeof value === 'number' || typeof value === 'boolean',
      );
      return [name, { ok, ...Object.fromEntries(told) }];
    }),
  );
}

export interface HeartbeatOptions {
  kind: ProcessKind;
  database: Database;
  logger: Logger;
  probes: () => readonly Probe[];
  facts?: () => Promise<ProcessFacts>;
  /** Called after each, with whether it could be written. */
  after?: (written: boolean) => Promise<void>;
  everyMs?: number;
}

/** Tells all processes every ten seconds that this one runs, and what its probes find: those that /readyz shows. */
export class Heartbeat {
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: HeartbeatOptions) {}

  start(): void {
    this.timer = setInterval(() => void this.beat(), this.options.everyMs ?? HEARTBEAT);
    this.timer.unref();
    void this.beat();
  }

  /** One heartbeat now; joins one that is under way. */
  beat(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return (this.beating ??= this.tell().finally(() => (this.beating = undefined)));
  }

  /** The process ends: it is not missed. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.beating;
    const { database, kind } = this.options;
    const goodbye = database.query('delete from process_heartbeat where process = $1 and kind = $2', [
      PROCESS,
      kind,
    ]);
    // Without it, the process is shown as silent for an hour.
    await withTimeout(1_000, goodbye, 'no answer in time').catch(() => undefined);
  }

  private async tell(): Promise<void> {
    const { kind, probes, facts = async () => ({}), database, logger, after } = this.options;
    try {
      const report = await ownReport(kind, probes, facts);
      const written = await withTimeout(TIMEOUT, write(database, report), 'no answer in time').then(
        () => true,
        (error: unknown) => {
          logger.debug({ error }, 'a heartbeat could not be written');
          return false;
        },
      );
      await after?.(written);
    } catch (error) {
      logger.warn({ error }, 'the state of this process could not be told');
    }
  }
}

async function write(database: Database, report: ProcessReport): Promise<void> {
  const { kind, host, pid, version, node, started, checks, facts } = report;
  await database.query(
    `with forgotten as (delete from process_heartbeat where seen < now() - $10::interval)
     insert into process_heartbeat (process, kind, host, pid, version, node, started, seen, checks, facts)
     values ($1, $2, $3, $4, $5, $6, $7, now(), $8, $9)
     on conflict (process, kind) do update set seen = excluded.seen, checks = excluded.checks, facts = excluded.facts`,
    [
      ...[report.process, kind, host, pid, version, node, started],
      ...[JSON.stringify(checks), JSON.stringify(facts), FORGOTTEN_AFTER],
    ],
  );
}
