/**
 * How many events a second `rebuild` folds into a new read model, against two floors on the same PostgreSQL and
 * the same log: reading the events through the client's subscription and doing nothing, and writing the
 * finished rows by plain multi-row inserts without reading anything.
 * Meanwhile events go on being appended, each waiting until the live projection has it, as a command does: how long the
 * rebuild makes them wait is measured too. Run it by `npm run bench:rebuild`, with more events by
 * `npm run bench:rebuild -- 1000000`. The event store and the live projection have processes of their own.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NO_STREAM, START, streamNameFilter, type EventStoreDBClient } from '@eventstore/db-client';
import pg from 'pg';
import { z } from 'zod';
import { BORROW_STREAM_PREFIX, borrowStream, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { openDatabase } from '#platform/database/database.js';
import { migrate } from '#platform/database/migrate.js';
import { READ_MODEL, readModelIndexes, readModelTables } from '#platform/database/read-model.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { createLogger } from '#platform/logging.js';
import { queryRows } from '#platform/database/query-rows.js';
import { Projector } from '../projections/projector.js';
import { readCheckpoint } from '../projections/checkpoint.js';
import { rebuild } from '../projections/rebuild.js';
import { borrowHistory, storeHistories, toStore } from './borrow-histories.js';
import { answerOf } from './child-answer.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import { makeBooks } from './library-people.js';
import { latencyColumns, median, percentile, printTable } from './measure.js';
import { writeRawFigures } from './raw-figures.js';
import { startStoreProcess, type StoreProcess } from './store-process.js';

const EVENTS_OF_EACH = 50;
const ROWS_A_STATEMENT = 1_000;
/** The goals: events a second, and milliseconds that a command may wait meanwhile. */
const GOAL = 25_000;
const LONGEST_WAIT = 300;
/** Commands a second while the log is read and the lists are made. */
const COMMANDS = 40;

const JSON_COLUMNS: ReadonlySet<string> = new Set(['books', 'recent']);
const [, , role, address = '', secondAddress = ''] = process.argv;
const EVENTS = Math.ceil(Number(/^\d+$/.test(role ?? '') ? role : 100_000) / EVENTS_OF_EACH) * EVENTS_OF_EACH;
const READERS = EVENTS / EVENTS_OF_EACH;
const ROUNDS = EVENTS > 300_000 ? 1 : 2;
if (role === 'live') await runLive(address, secondAddress);
else await runBenchmark();

/** The live projection, and commands that wait for it; answers "stop" with how long each has waited. */
async function runLive(databaseUrl: string, connectionString: string): Promise<void> {
  const client = eventStoreClient(connectionString, ANY_LOG, { batched: true });
  const logger = createLogger('fatal');
  const database = openDatabase(databaseUrl, 2, logger);
  const log = new EventLog(client);
  const projector = new Projector({ databaseUrl, database, log, logger });
  await projector.start();
  const waits: number[] = [];
  let isOver = false;
  const command = async () => {
    const began = performance.now();
    const borrowId = randomUUID();
    const event = rentOf(borrowId);
    await client.appendToStream(borrowStream(borrowId), event, { expectedRevision: NO_STREAM });
    for (;;) {
      const { rowCount } = await database.query(`select from ${READ_MODEL}.borrow where borrow_id = $1`, [
        borrowId,
      ]);
      if (rowCount === 1) break;
      await sleep(1);
    }
    waits.push(performance.now() - began);
  };
  const commands: Promise<void>[] = [];
  const timer = setInterval(() => {
    if (!isOver) commands.push(command());
  }, 1000 / COMMANDS);
  process.once('message', () => {
    isOver = true;
    clearInterval(timer);
    void Promise.all(commands).then(async () => {
      process.send?.(waits);
      await projector.stop();
      await database.end();
      await client.dispose();
      process.disconnect();
    });
  });
  process.send?.('ready');
}

async function runBenchmark(): Promise<void> {
  const postgres = await startThrowAwayPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
  let store: StoreProcess | undefined;
  let client: ResilientEventStoreClient | undefined;
  try {
    await postgres.createDatabase('product');
    const databaseUrl = postgres.url('product');
    await migrate(databaseUrl);
    store = await startStoreProcess(databaseUrl, folder);
    const { connectionString } = store;
    client = eventStoreClient(connectionString, ANY_LOG, { batched: true });
    const log = new EventLog(client);
    const stages = await measure(databaseUrl, client, log, connectionString);
    report(stages);
    await store.stop();
  } finally {
    await client?.dispose();
    store?.child.kill();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What was done, and in how many seconds each time. */
type Stages = Record<'fill' | 'project' | 'read' | 'insert' | 'rebuild', number[]> & {
  /** Milliseconds that commands took without a rebuild and during one. */
  usual: number[];
  waits: number[];
  /** Resident memory of the rebuilding process, in megabytes, over the time of one rebuild. */
  memory: number[];
};

async function measure(
  databaseUrl: string,
  client: EventStoreDBClient,
  log: EventLog,
  connectionString: string,
): Promise<Stages> {
  const books = await makeBooks(databaseUrl, 200, 10);
  const stages: Stages = {
    fill: [await seconds(() => storeHistories(client, READERS, EVENTS_OF_EACH, books))],
    project: [await seconds(() => project(databaseUrl, log))],
    read: [],
    insert: [],
    rebuild: [],
    usual: [],
    waits: [],
    memory: [],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    stages.read.push(await seconds(() => readAll(client)));
    stages.insert.push(await seconds(() => insertRows(databaseUrl)));
    stages.rebuild.push(await seconds(() => rebuild(databaseUrl, log)));
  }
  const beside = async (work: () => Promise<unknown>) => {
    const live = fork(fileURLToPath(import.meta.url), ['live', databaseUrl, connectionString]);
    await answerOf(live);
    await sleep(2000);
    await work();
    await sleep(500);
    live.send('stop');
    const waits = await answerOf<number[]>(live);
    await once(live, 'exit');
    return waits;
  };
  stages.usual = await beside(() => sleep(3000));
  const timer = setInterval(() => stages.memory.push(process.memoryUsage().rss / 2 ** 20), 250);
  stages.waits = await beside(() => rebuild(databaseUrl, log));
  clearInterval(timer);
  return stages;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** The live projection catches up with the log: the present model that a rebuild replaces. */
async function project(databaseUrl: string, log: EventLog): Promise<void> {
  const logger = createLogger('fatal');
  const database = openDatabase(databaseUrl, 2, logger);
  const projector = new Projector({ databaseUrl, database, log, logger });
  await projector.start();
  try {
    while ((await readCheckpoint(database, READ_MODEL)).events < BigInt(EVENTS)) {
      if (projector.state.kind === 'stopped') throw new Error(projector.state.reason);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  } finally {
    await projector.stop();
    await database.end();
  }
}

/** The floor of reading: every event through the client, looked at by nobody. */
async function readAll(client: EventStoreDBClient): Promise<void> {
  const subscription = client.subscribeToAll({
    fromPosition: START,
    filter: streamNameFilter({ prefixes: [BORROW_STREAM_PREFIX] }),
  });
  let count = 0;
  for await (const { event } of subscription) {
    if (event) count += 1;
    if (count === EVENTS) break;
  }
  await subscription.unsubscribe();
}

/** The floor of writing: the rows as they are, in plain multi-row inserts, into a schema like the read model. */
async function insertRows(databaseUrl: string): Promise<void> {
  const connection = new pg.Client({ connectionString: databaseUrl, options: '-c synchronous_commit=off' });
  await connection.connect();
  try {
    await connection.query(readModelTables('floor'));
    const rows = await queryRows(
      connection,
      z.record(z.string(), z.unknown()),
      `select * from ${READ_MODEL}.borrow`,
    );
    const columns = Object.keys(rows[0] ?? {});
    for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
      const some = rows.slice(from, from + ROWS_A_STATEMENT);
      const places = some.map(
        (_, row) => `(${columns.map((__, column) => `$${row * columns.length + column + 1}`).join(',')})`,
      );
      await connection.query(
        `insert into floor.borrow (${columns.join(',')}) values ${places.join(',')}`,
        some.flatMap((row) =>
          columns.map((column) => (JSON_COLUMNS.has(column) ? JSON.stringify(row[column]) : row[column])),
        ),
      );
    }
    await connection.query(readModelIndexes('floor'));
  } finally {
    await connection.query('drop schema if exists floor cascade');
    await connection.end();
  }
}

function report(stages: Stages): void {
  const row = (what: string, times: number[], ratio = '') => ({
    what,
    'seconds (median)': median(times).toFixed(2),
    'events per second': Math.round(EVENTS / median(times)),
    ratio,
  });
  const floor = median(stages.read) + median(stages.insert);
  const rebuilt = median(stages.rebuild);
  printTable([
    row('fill the log (appends of 50)', stages.fill),
    row('live projection catches up', stages.project),
    row('floor: read and do nothing', stages.read),
    row('floor: plain inserts of the rows', stages.insert),
    row('rebuild', stages.rebuild, `${(floor / rebuilt).toFixed(2)} x both floors in turn`),
  ]);
  const perSecond = EVENTS / rebuilt;
  const longest = Math.max(...stages.waits);
  const wait = (what: string, latencies: number[]) => ({
    what,
    commands: latencies.length,
    ...latencyColumns({ latencies }),
    longest: `${Math.max(...latencies).toFixed(0)} ms`,
  });
  printTable([wait('without a rebuild', stages.usual), wait('during a rebuild', stages.waits)]);
  const memory = (share: number) => `${percentile(stages.memory, share).toFixed(0)} MB`;
  process.stdout.write(
    `Memory of the rebuilding process: ${memory(0.05)} to ${memory(1)}, at the end ${(stages.memory.at(-1) ?? 0).toFixed(0)} MB.\n` +
      `Goals: ${GOAL} events a second ${perSecond >= GOAL ? 'reached' : 'missed'}, no command longer than ` +
      `${LONGEST_WAIT} ms ${longest <= LONGEST_WAIT ? 'reached' : 'missed'}. ${EVENTS} events.\n`,
  );
  const { usual, waits, ...others } = stages;
  const commands = { usual: { latencies: usual }, during: { latencies: waits } };
  writeRawFigures({ events: EVENTS, perSecond, ...others, commands });
}

function rentOf(borrowId: string) {
  const [rented] = borrowHistory(borrowId, 1, [1, 2, 3, 4]);
  if (!rented) throw new Error('There is no event.');
  return toStore({ ...rented, data: { ...rented.data, borrowId } } as BorrowEvent);
}
