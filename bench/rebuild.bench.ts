/**
 * How many events a second `rebuild` folds into a new read model, against two floors on the same PostgreSQL and
 * the same log: reading the events through the client's subscription and doing nothing, and writing the
 * finished rows by plain multi-row inserts without reading anything.
 * Run it by `npm run bench:rebuild`. The event store has a process of its own.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { EventStoreDBClient, START, streamNameFilter } from '@eventstore/db-client';
import pg from 'pg';
import { z } from 'zod';
import { BORROW_STREAM_PREFIX } from '#contracts/borrowing/borrow-events.js';
import { openDatabase } from '#platform/database/database.js';
import { migrate } from '#platform/database/migrate.js';
import { READ_MODEL, readModelIndexes, readModelTables } from '#platform/database/read-model.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { createLogger } from '#platform/logging.js';
import { queryRows } from '#platform/database/query-rows.js';
import { startEventStore } from '../embedded/event-store/event-store-server.js';
import { Projector } from '../projections/projector.js';
import { readCheckpoint } from '../projections/checkpoint.js';
import { rebuild } from '../projections/rebuild.js';
import { storeHistories } from './borrow-histories.js';
import { answerOf } from './child-answer.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import { makeBooks } from './library-people.js';
import { median, printTable } from './measure.js';

const READERS = 2_000;
const EVENTS_OF_EACH = 50;
const EVENTS = READERS * EVENTS_OF_EACH;
const ROUNDS = 2;
const ROWS_A_STATEMENT = 1_000;
/** The goal, in events a second. */
const GOAL = 10_000;

const [, , role, address = ''] = process.argv;
if (role === 'store') await runStore(address);
else await runBenchmark();

async function runStore(databaseUrl: string): Promise<void> {
  const store = await startEventStore({ databaseUrl });
  process.once('message', () => void store.stop().then(() => process.disconnect()));
  process.send?.(store.connectionString);
}

async function runBenchmark(): Promise<void> {
  const postgres = await startThrowAwayPostgres();
  let store: ChildProcess | undefined;
  let client: EventStoreDBClient | undefined;
  try {
    await postgres.createDatabase('product');
    const databaseUrl = postgres.url('product');
    await migrate(databaseUrl);
    store = fork(fileURLToPath(import.meta.url), ['store', databaseUrl]);
    const connectionString = await answerOf<string>(store);
    client = EventStoreDBClient.connectionString(connectionString);
    const log = new EventLog(client);
    const stages = await measure(databaseUrl, client, log);
    report(stages);
    store.send('stop');
    await once(store, 'exit');
  } finally {
    await client?.dispose();
    store?.kill();
    await postgres.stop();
  }
}

/** What was done, and in how many seconds each time. */
type Stages = Record<'fill' | 'project' | 'read' | 'insert' | 'rebuild', number[]>;

async function measure(databaseUrl: string, client: EventStoreDBClient, log: EventLog): Promise<Stages> {
  const books = await makeBooks(databaseUrl, 200, 10);
  const stages: Stages = {
    fill: [await seconds(() => storeHistories(client, READERS, EVENTS_OF_EACH, books))],
    project: [await seconds(() => project(databaseUrl, log))],
    read: [],
    insert: [],
    rebuild: [],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    stages.read.push(await seconds(() => readAll(client)));
    stages.insert.push(await seconds(() => insertRows(databaseUrl)));
    stages.rebuild.push(await seconds(() => rebuild(databaseUrl, log)));
  }
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
          columns.map((column) => (column === 'books' ? JSON.stringify(row[column]) : row[column])),
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
  process.stdout.write(
    `Goal: ${GOAL} events a second ${perSecond >= GOAL ? 'reached' : 'missed'}. ${EVENTS} events.\n`,
  );
}
