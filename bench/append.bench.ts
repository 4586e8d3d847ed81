/**
 * How many appends a second the embedded event store acknowledges, against the floor: one row per commit
 * by plain `pg` with as many connections, on the same PostgreSQL, in turns with it. Then how many events a second are read
 * from it, against the floor of selecting the same rows by `pg`. Run it by `npm run bench:append`; with an EventStoreDB beside
 * it, in turns, by `npm run bench:append -- --beside "esdb://127.0.0.1:2113?tls=false"`. The floor runs in this process, the
 * store and the load upon it in processes of their own.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EventStoreDBClient, NO_STREAM, jsonEvent } from '@eventstore/db-client';
import pg from 'pg';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import {
  besideEachOther,
  closedLoop,
  inTurn,
  median,
  latencyColumns,
  printTable,
  rate,
  type Measured,
} from './measure.js';
import { writeRawFigures } from './raw-figures.js';
import { startStoreProcess, type StoreProcess } from './store-process.js';

const ROUNDS = 2;
const SECONDS_A_ROUND = 2.5;
const WARM_UP_SECONDS = 1;

/** Writers, and over how many processes (each with one client) they are spread. */
const CASES = [
  { writers: 1, processes: 1 },
  { writers: 16, processes: 1 },
  { writers: 64, processes: 1 },
  // One client is one thread: with two it shows whether the client or the store is the limit.
  { writers: 64, processes: 2 },
];

const EVENTS_OF_STREAM = 20_000;
const EVENTS_AN_APPEND = 500;
/** Of the whole log. */
const EVENTS_OF_ALL = 100_000;
const READING_ROUNDS = 5;

const data = () => ({ borrowId: randomUUID(), books: [{ bookId: randomUUID(), title: 'x'.repeat(180) }] });
const payload = Buffer.from(JSON.stringify(data()));

/** The address of an EventStoreDB, after `--beside`. */
const BESIDE = process.argv.includes('--beside')
  ? process.argv[process.argv.indexOf('--beside') + 1]
  : undefined;
const [, , role, address = '', writersOfLoad = ''] = process.argv;
if (role === 'load') runLoad(address, Number(writersOfLoad));
else await runBenchmark();

/** Runs one loop for each message, which says for how many seconds, and answers with its measurement. */
function runLoad(connectionString: string, writers: number): void {
  const client = eventStoreClient(connectionString, ANY_LOG, { batched: true });
  const append = appendTo(client, writers);
  process.on('message', (seconds: number) => {
    void closedLoop(writers, seconds, append).then((measured) => process.send?.(measured));
  });
  process.once('disconnect', () => void client.dispose());
}

async function runBenchmark(): Promise<void> {
  const postgres = await startThrowAwayPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
  let store: StoreProcess | undefined;
  try {
    await postgres.createDatabase('floor');
    await postgres.createDatabase('store');
    store = await startStoreProcess(postgres.url('store'), folder);
    const stores = [
      { name: 'event store', url: store.connectionString },
      ...(BESIDE === undefined ? [] : [{ name: 'EventStoreDB', url: BESIDE }]),
    ];
    const rows = [];
    const figures = [];
    for (const { writers, processes } of CASES) {
      const [floor, ...appended] = await measure(writers, processes, postgres.url('floor'), stores);
      if (!floor) throw new Error('The floor was not measured.');
      const row = (what: string, measured: Measured, ratio: string) => ({
        writers,
        what,
        'per second': Math.round(rate(measured)),
        ...latencyColumns(measured),
        ratio,
      });
      rows.push(row('one row per commit (pg)', floor, ''));
      for (const [index, { name }] of stores.entries()) {
        const appends = appended[index];
        if (!appends) continue;
        const ratio = rate(appends) / rate(floor);
        const clients = processes === 1 ? '' : `, ${processes} clients`;
        rows.push(row(`append (${name})${clients}`, appends, `${ratio.toFixed(2)} x floor`));
        figures.push({ writers, processes, name, ratio, perSecond: rate(appends), floor: rate(floor) });
      }
    }
    printTable(rows);
    const reads = await measureReads(postgres.url('store'), stores);
    printTable(reads);
    writeRawFigures({ appends: figures, reads });
    await store.stop();
  } finally {
    store?.child.kill();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Store {
  name: string;
  url: string;
}

async function measure(
  writers: number,
  processes: number,
  floorUrl: string,
  stores: readonly Store[],
): Promise<Measured[]> {
  const connections = await openFloor(floorUrl, writers);
  const insert = insertInto(connections);
  const clientsOf = ({ url }: Store) =>
    Array.from({ length: processes }, () =>
      fork(fileURLToPath(import.meta.url), ['load', url, String(writers / processes)]),
    );
  const allLoads = stores.map(clientsOf);
  const loop = (loads: readonly ChildProcess[]) => async (seconds: number) =>
    besideEachOther(
      await Promise.all(
        loads.map(async (load) => {
          load.send(seconds);
          return ((await once(load, 'message')) as [Measured])[0];
        }),
      ),
    );
  const loops = [(seconds: number) => closedLoop(writers, seconds, insert), ...allLoads.map(loop)];
  const measured = loops.map((): Measured[] => []);
  for (const run of loops) await run(WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, run] of loops.entries()) measured[index]?.push(await run(SECONDS_A_ROUND));
  }
  for (const load of allLoads.flat()) load.disconnect();
  await Promise.all(connections.map((connection) => connection.end()));
  return measured.map(inTurn);
}

/** Events a second: a stream, and the whole log from its beginning, in turns. */
async function measureReads(
  databaseUrl: string,
  stores: readonly Store[],
): Promise<Record<string, string | number>[]> {
  const stream = `bench-${randomUUID()}`;
  const ways: { what: string; events: number; read: () => Promise<number>; rates: number[] }[] = [];
  const database = new pg.Client({ connectionString: databaseUrl });
  const clients = stores.map(({ url }) => eventStoreClient(url, ANY_LOG, { batched: true }));
  await database.connect();
  const way = (what: string, events: number, read: () => Promise<number>) =>
    ways.push({ what, events, read, rates: [] });
  const select = async (where: string, value: unknown) => {
    const text = `select * from eventstore.event where ${where}`;
    return (await database.query({ text, values: [value] })).rows.length;
  };
  way('select a stream (pg)', EVENTS_OF_STREAM, () => select('stream = $1 order by revision', stream));
  for (const [index, client] of clients.entries()) {
    await fillStream(client, stream);
    const { name = '' } = stores[index] ?? {};
    way(`read a stream (${name})`, EVENTS_OF_STREAM, () => count(client.readStream(stream)));
    way(`read $all (${name})`, EVENTS_OF_ALL, () => count(client.readAll({ maxCount: EVENTS_OF_ALL })));
  }
  way('select the log (pg)', EVENTS_OF_ALL, () => select('position <= $1 order by position', EVENTS_OF_ALL));
  for (let round = 0; round < READING_ROUNDS; round += 1) {
    for (const { read, rates } of ways) {
      const began = performance.now();
      const events = await read();
      rates.push((events / (performance.now() - began)) * 1000);
    }
  }
  await Promise.all(clients.map((client) => client.dispose()));
  await database.end();
  return ways.map(({ what, events, rates }) => ({
    what,
    events,
    'per second (median)': Math.round(median(rates)),
  }));
}

async function fillStream(client: EventStoreDBClient, stream: string): Promise<void> {
  for (let from = 0; from < EVENTS_OF_STREAM; from += EVENTS_AN_APPEND) {
    const events = Array.from({ length: EVENTS_AN_APPEND }, () =>
      jsonEvent({ type: 'BooksRented', data: data() }),
    );
    await client.appendToStream(stream, events, {
      expectedRevision: from === 0 ? NO_STREAM : BigInt(from - 1),
    });
  }
}

async function count(events: AsyncIterable<unknown>): Promise<number> {
  let number = 0;
  for await (const _event of events) number += 1;
  return number;
}

/** Each writer has its own stream and knows its last revision, as a command handler does. */
function appendTo(client: EventStoreDBClient, writers: number): (writer: number) => Promise<unknown> {
  const streams = Array.from({ length: writers }, () => `bench-${randomUUID()}`);
  const revisions: (bigint | typeof NO_STREAM)[] = streams.map(() => NO_STREAM);
  return async (writer) => {
    const event = jsonEvent({ type: 'BooksRented', data: data() });
    const expectedRevision = revisions[writer] ?? NO_STREAM;
    const result = await client.appendToStream(streams[writer] ?? '', event, { expectedRevision });
    revisions[writer] = result.nextExpectedRevision;
  };
}

async function openFloor(url: string, connections: number): Promise<pg.Client[]> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  await clients[0]?.query(`
    create table if not exists event (
      position bigint generated always as identity primary key, stream text not null, revision bigint not null,
      created timestamptz not null default now(), event_id uuid not null, type text not null,
      content_type text not null, data bytea not null, metadata bytea not null, unique (stream, revision))`);
  return clients;
}

function insertInto(connections: readonly pg.Client[]): (writer: number) => Promise<unknown> {
  const streams = connections.map(() => `bench-${randomUUID()}`);
  const revisions = connections.map(() => 0);
  return async (writer) => {
    const revision = revisions[writer] ?? 0;
    revisions[writer] = revision + 1;
    await connections[writer]?.query({
      name: 'insert',
      text: `insert into event (stream, revision, event_id, type, content_type, data, metadata)
             values ($1, $2, $3, $4, $5, $6, $7)`,
      values: [
        streams[writer],
        revision,
        randomUUID(),
        'BooksRented',
        'application/json',
        payload,
        Buffer.alloc(0),
      ],
    });
  };
}
