import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { z } from 'zod';
import { queryRow } from '#platform/database/query-rows.js';
import { lettersDue } from '#platform/letters/letters-due.js';
import type { Operation } from './borrow-clients.js';
import { closedLoop, percentile, printTable, rate } from './measure.js';

const tablesRow = z.object({
  megabytes: z.coerce.number(),
  hot: z.coerce.number(),
  dead: z.coerce.number(),
  vacuums: z.coerce.number(),
});

/** Of all tables but the log itself, which has to grow; and of those whose rows change and stay few (books, counters). */
async function tables(database: pg.Pool) {
  const row = await queryRow(
    database,
    tablesRow,
    `select sum(pg_total_relation_size(relid)) filter (where schemaname <> 'eventstore') / 1048576.0 as megabytes,
       sum(pg_total_relation_size(relid)) filter (
         where relname in ('book', 'book_shelf', 'checkpoint', 'borrow_count', 'rented_on')) / 1048576.0 as hot,
       sum(n_dead_tup) as dead, sum(autovacuum_count) as vacuums
     from pg_stat_user_tables`,
  );
  if (!row) throw new Error('There are no tables.');
  return row;
}

function residentMegabytes(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return Math.round((Number(pages) * 4096) / 1_048_576);
}

/** Minute after minute of the same load: whether anything grows that should not. Prints and returns a row for each. */
export async function soak(
  minutes: number,
  clients: number,
  step: Operation,
  database: pg.Pool,
  pid: number,
): Promise<object[]> {
  const rows: Record<string, number | string>[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const measured = await closedLoop(clients, 60, step);
    const { megabytes, hot, dead, vacuums } = await tables(database);
    rows.push({
      minute,
      'per second': Math.round(rate(measured)),
      'p50 ms': Math.round(percentile(measured.latencies, 0.5)),
      'p95 ms': Math.round(percentile(measured.latencies, 0.95)),
      'memory MB': residentMegabytes(pid),
      'letters due': (await lettersDue(database)).due,
      'tables MB': Math.round(megabytes),
      'of rows that only change MB': hot.toFixed(1),
      'dead rows': dead,
      autovacuums: vacuums,
    });
  }
  printTable(rows);
  return rows;
}
