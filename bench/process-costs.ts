import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { z } from 'zod';
import { queryRow } from '#platform/database/query-rows.js';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

interface ProcessFacts {
  pid: number;
  parent: number;
  /** Milliseconds of processor time of the process and of its children that have ended. */
  own: number;
  ended: number;
}

function readStat(path: string): { fields: string[] } | undefined {
  try {
    // The name in brackets may hold anything.
    const text = readFileSync(path, 'utf8');
    return { fields: text.slice(text.lastIndexOf(')') + 2).split(' ') };
  } catch {
    return undefined;
  }
}

const ticks = (fields: string[], ...at: number[]) =>
  at.reduce((sum, index) => sum + Number(fields[index]), 0) * TICK_MS;

function allProcesses(): ProcessFacts[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readStat(`/proc/${name}/stat`);
      if (!stat) return [];
      const { fields } = stat;
      return {
        pid: Number(name),
        parent: Number(fields[1]),
        own: ticks(fields, 11, 12),
        ended: ticks(fields, 13, 14),
      };
    });
}

/** Milliseconds of a process and of all below it. */
function ofTree(root: number, all: readonly ProcessFacts[]): number {
  return all
    .filter(({ pid, parent }) => pid === root || parent === root)
    .reduce((sum, each) => sum + (each.pid === root ? each.own + each.ended : ofTree(each.pid, all)), 0);
}

/** Processor time in milliseconds since each part began. */
export interface ProcessorTime {
  /** The main thread of the product: HTTP, decisions, projections. */
  mainThread: number;
  /** Its other threads: event store, compiler, garbage collection, the mail server's. */
  otherThreads: number;
  /** Processes that it started. */
  children: number;
  postgres: number;
}

/** @param postmaster the process id of PostgreSQL's first process */
export function processorTime(server: number, postmaster: number): ProcessorTime {
  const all = allProcesses();
  const main = readStat(`/proc/${server}/task/${server}/stat`);
  const mainThread = main ? ticks(main.fields, 11, 12) : 0;
  const own = all.find(({ pid }) => pid === server)?.own ?? 0;
  const tree = ofTree(server, all);
  return {
    mainThread,
    otherThreads: own - mainThread,
    children: tree - own,
    postgres: ofTree(postmaster, all),
  };
}

const writtenRow = z.object({
  transactions: z.coerce.number(),
  inserted: z.coerce.number(),
  updated: z.coerce.number(),
  deleted: z.coerce.number(),
  wal: z.coerce.number(),
  images: z.coerce.number(),
});

/** What a database has written since it began. */
export type Written = z.output<typeof writtenRow>;

/** PostgreSQL's processes hand in the last that they counted when they have had nothing to do for ten seconds. */
const HANDED_IN_MS = 10_500;

/**
 * What this database has written, and the whole server's write-ahead log in bytes, with the number of its full page images.
 * Waits until all of it is counted.
 */
export async function written(database: pg.Pool): Promise<Written> {
  await new Promise((resolve) => setTimeout(resolve, HANDED_IN_MS));
  const row = await queryRow(
    database,
    writtenRow,
    `select xact_commit as transactions, tup_inserted as inserted, tup_updated as updated, tup_deleted as deleted,
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal, (select wal_fpi from pg_stat_wal) as images
     from pg_stat_database where datname = current_database()`,
  );
  if (!row) throw new Error('PostgreSQL does not know the database.');
  return row;
}

/** The write-ahead log of the whole server since it began, in bytes; known at once. */
export async function logBytes(database: pg.Pool): Promise<number> {
  const row = await queryRow(
    database,
    z.object({ bytes: z.coerce.number() }),
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  );
  return row?.bytes ?? NaN;
}

/** What was added between two looks at the same numbers. */
export function added<Numbers extends { [Key in keyof Numbers]: number }>(
  before: Numbers,
  after: Numbers,
): Numbers {
  const names = Object.keys(after) as (keyof Numbers)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Numbers;
}

/** The sum of several. */
export function summed<Numbers extends { [Key in keyof Numbers]: number }>(all: readonly Numbers[]): Numbers {
  const [first] = all;
  if (!first) throw new Error('Nothing to sum.');
  const names = Object.keys(first) as (keyof Numbers)[];
  return Object.fromEntries(
    names.map((name) => [name, all.reduce((sum, each) => sum + each[name], 0)]),
  ) as Numbers;
}
