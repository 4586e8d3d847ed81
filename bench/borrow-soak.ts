import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { z } from 'zod';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { lettersDue } from '#letters/due-letter.js';
import type { Operation } from './borrow-clients.js';
import { closedLoop, percentile, printTable, rate } from './measure.js';

/** Tables of few rows, which the same load changes again and again: whatever they grow by is bloat. */
const FEW_ROWS = ['book', 'book_shelf', 'checkpoint', 'borrow_count', 'rented_on', 'session', 'account'];
const MEGABYTE = 1_048_576;

const sizesRow = z.object({
  few: z.coerce.number(),
  many: z.coerce.number(),
  rows: z.coerce.number(),
  dead: z.coerce.number(),
});

/** Bytes of the tables whose rows stay few, and of the others but for the log itself; rows of the others, living and dead. */
async function sizes(database: pg.Pool) {
  const row = await queryRow(
    database,
    sizesRow,
    `select sum(pg_total_relation_size(relid)) filter (where relname = any($1)) as few,
       sum(pg_total_relation_size(relid)) filter (where relname <> all($1)) as many,
       sum(n_live_tup) filter (where relname <> all($1)) as rows, sum(n_dead_tup) as dead
     from pg_stat_user_tables where schemaname <> 'eventstore'`,
    [FEW_ROWS],
  );
  if (!row) throw new Error('There are no tables.');
  return row;
}

const vacuumedRow = z.object({
  table: z.string(),
  autovacuums: z.coerce.number(),
  autoanalyzes: z.coerce.number(),
  dead: z.coerce.number(),
  megabytes: z.coerce.number(),
});

/** What autovacuum has done, table by table. */
function vacuumed(database: pg.Pool) {
  return queryRows(
    database,
    vacuumedRow,
    `select schemaname || '.' || relname as table, autovacuum_count as autovacuums, autoanalyze_count as autoanalyzes,
       n_dead_tup as dead, round(pg_total_relation_size(relid) / $1::numeric, 1) as megabytes
     from pg_stat_user_tables where autovacuum_count + autoanalyze_count > 0 order by 2 desc, 3 desc limit 15`,
    [MEGABYTE],
  );
}

function residentMegabytes(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return Math.round((Number(pages) * 4096) / MEGABYTE);
}

/** A minute of the same load, and how things were at its end. */
interface Minute {
  minute: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  memoryMb: number;
  lettersDue: number;
  /** Of the tables whose rows stay few. */
  fewRowsMb: number;
  /** A row of the other tables, with its share of indexes and dead rows. */
  bytesARow: number;
  deadRows: number;
}

export interface Soak {
  minutes: Minute[];
  /** By how much the last third of the minutes is above the first third after the first minute, as a multiple. */
  growth: Record<string, number>;
  autovacuum: z.output<typeof vacuumedRow>[];
}

/** Minute after minute of the same load: whether anything grows that should not. Prints and returns it. */
export async function soak(
  minutes: number,
  clients: number,
  step: Operation,
  database: pg.Pool,
  pid: number,
): Promise<Soak> {
  const all: Minute[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const measured = await closedLoop(clients, 60, step);
    const { few, many, rows, dead } = await sizes(database);
    all.push({
      minute,
      perSecond: Math.round(rate(measured)),
      p50: Math.round(percentile(measured.latencies, 0.5)),
      p95: Math.round(percentile(measured.latencies, 0.95)),
      p99: Math.round(percentile(measured.latencies, 0.99)),
      memoryMb: residentMegabytes(pid),
      lettersDue: (await lettersDue(database)).due,
      fewRowsMb: Number((few / MEGABYTE).toFixed(1)),
      bytesARow: Math.round(many / Math.max(1, rows)),
      deadRows: dead,
    });
    process.stdout.write(`${JSON.stringify(all.at(-1))}\n`);
  }
  const soaked = { minutes: all, growth: growthOf(all), autovacuum: await vacuumed(database) };
  printTable(all.map((minute) => ({ ...minute })));
  process.stdout.write('\nThe last third beside the first (its first minute left out):\n');
  for (const [what, times] of Object.entries(soaked.growth)) {
    process.stdout.write(`  ${what}: ${times.toFixed(2)} x\n`);
  }
  process.stdout.write('\nAutovacuum since the start:\n');
  if (soaked.autovacuum.length > 0) printTable(soaked.autovacuum);
  return soaked;
}

const GROWING = ['p50', 'p95', 'memoryMb', 'fewRowsMb', 'bytesARow', 'deadRows'] as const;

/** Nothing for a run that is too short to tell. */
function growthOf(all: readonly Minute[]): Record<string, number> {
  const third = Math.floor((all.length - 1) / 3);
  if (third === 0) return {};
  const mean = (some: readonly Minute[], what: (typeof GROWING)[number]) =>
    some.reduce((sum, minute) => sum + minute[what], 0) / some.length;
  return Object.fromEntries(
    GROWING.map((what) => [what, mean(all.slice(-third), what) / mean(all.slice(1, 1 + third), what)]),
  );
}
