/**
 * How many appends a second the embedded event store acknowledges, against the floor: one row per commit
 * by plain `pg` with as many connections, on the same PostgreSQL, in turns with it.
 * Run it from the build: `node dist/bench/append.bench.js`. The load runs in this process, the store in another.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { EventStoreDBClient, NO_STREAM, jsonEvent } from '@eventstore/db-client';
import pg from 'pg';
import { startEventStore } from '../embedded/event-store/event-store-server.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import { closedLoop, joined, latencyColumns, printTable, rate, type Measured } from './measure.js';

const WRITERS = [1, 16, 64];
const ROUNDS = 2;
const SECONDS_A_ROUND = 2.5;
const WARM_UP_SECONDS = 1;

const data = () => ({ borrowId: randomUUID(), books: [{ bookId: randomUUID(), title: 'x'.repeat(180) }] });
const payload = Buffer.from(JSON.stringify(data()));

if (process.argv[2] === 'store') await runStore(process.argv[3] ?? '');
else await runBenchmark();

async function runStore(databaseUrl: string): Promise<void> {
  const store = await startEventStore({ databaseUrl });
  process.once('message', () => void store.stop().then(() => process.disconnect()));
  process.send?.(store.connectionString);
}

async function runBenchmark(): Promise<void> {
  const postgres = await startThrowAwayPostgres();
  let child: ChildProcess | undefined;
  try {
    await postgres.createDatabase('floor');
    await postgres.createDatabase('store');
    child = fork(fileURLToPath(import.meta.url), ['store', postgres.url('store')]);
    const [connectionString] = (await once(child, 'message')) as [string];
    const client = EventStoreDBClient.connectionString(connectionString);
    const rows = [];
    for (const writers of WRITERS) {
      const [floor, store] = await measure(writers, postgres.url('floor'), client);
      for (const [name, measured] of [
        ['floor', floor],
        ['store', store],
      ] as const) {
        rows.push({
          writers,
          what: name === 'floor' ? 'one row per commit (pg)' : 'append (event store)',
          'per second': Math.round(rate(measured)),
          ...latencyColumns(measured),
          ratio: name === 'floor' ? '' : `${(rate(store) / rate(floor)).toFixed(2)} x floor`,
        });
      }
    }
    await client.dispose();
    printTable(rows);
    child.send('stop');
    await once(child, 'exit');
  } finally {
    child?.kill();
    await postgres.stop();
  }
}

async function measure(
  writers: number,
  floorUrl: string,
  client: EventStoreDBClient,
): Promise<[floor: Measured, store: Measured]> {
  const connections = await openFloor(floorUrl, writers);
  const floor: Measured[] = [];
  const store: Measured[] = [];
  const floorLoop = (seconds: number) => closedLoop(writers, seconds, insertInto(connections));
  const storeLoop = (seconds: number) => closedLoop(writers, seconds, appendTo(client, writers));
  await floorLoop(WARM_UP_SECONDS);
  await storeLoop(WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    floor.push(await floorLoop(SECONDS_A_ROUND));
    store.push(await storeLoop(SECONDS_A_ROUND));
  }
  await Promise.all(connections.map((connection) => connection.end()));
  return [joined(floor), joined(store)];
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
