/**
 * How many appends a second the embedded event store acknowledges, against the floor: one row per commit
 * by plain `pg` with as many connections, on the same PostgreSQL, in turns with it.
 * Run it from the build: `node dist/bench/append.bench.js`. The floor runs in this process, the store and the
 * load upon it in processes of their own.
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
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { writeDurably } from '../embedded/durable-file.js';
import { startEventStore } from '../embedded/event-store/event-store-server.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import {
  besideEachOther,
  closedLoop,
  inTurn,
  latencyColumns,
  printTable,
  rate,
  type Measured,
} from './measure.js';

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

const data = () => ({ borrowId: randomUUID(), books: [{ bookId: randomUUID(), title: 'x'.repeat(180) }] });
const payload = Buffer.from(JSON.stringify(data()));

const [, , role, address = '', writersOfLoad = ''] = process.argv;
if (role === 'store') await runStore(address);
else if (role === 'load') runLoad(address, Number(writersOfLoad));
else await runBenchmark();

async function runStore(databaseUrl: string): Promise<void> {
  // Every call carries a secret, as in an installation.
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
  const secretFile = join(folder, 'secret');
  writeDurably(secretFile, randomUUID());
  const store = await startEventStore({ databaseUrl, secretFile });
  process.once('message', () => process.disconnect());
  process.once('disconnect', () => void store.stop().finally(() => rmSync(folder, { recursive: true })));
  process.send?.(store.connectionString);
}

/** Runs one loop for each message, which says for how many seconds, and answers with its measurement. */
function runLoad(connectionString: string, writers: number): void {
  const client = eventStoreClient(connectionString, true);
  const append = appendTo(client, writers);
  process.on('message', (seconds: number) => {
    void closedLoop(writers, seconds, append).then((measured) => process.send?.(measured));
  });
  process.once('disconnect', () => void client.dispose());
}

async function runBenchmark(): Promise<void> {
  const postgres = await startThrowAwayPostgres();
  let store: ChildProcess | undefined;
  try {
    await postgres.createDatabase('floor');
    await postgres.createDatabase('store');
    store = fork(fileURLToPath(import.meta.url), ['store', postgres.url('store')]);
    const [connectionString] = (await once(store, 'message')) as [string];
    const rows = [];
    for (const { writers, processes } of CASES) {
      const [floor, appends] = await measure(writers, processes, postgres.url('floor'), connectionString);
      const row = (what: string, measured: Measured, ratio: string) => ({
        writers,
        what,
        'per second': Math.round(rate(measured)),
        ...latencyColumns(measured),
        ratio,
      });
      rows.push(row('one row per commit (pg)', floor, ''));
      const name = processes === 1 ? 'append (event store)' : `append (event store), ${processes} clients`;
      rows.push(row(name, appends, `${(rate(appends) / rate(floor)).toFixed(2)} x floor`));
    }
    printTable(rows);
    store.send('stop');
    await once(store, 'exit');
  } finally {
    store?.kill();
    await postgres.stop();
  }
}

async function measure(
  writers: number,
  processes: number,
  floorUrl: string,
  connectionString: string,
): Promise<[floor: Measured, store: Measured]> {
  const connections = await openFloor(floorUrl, writers);
  const loads = Array.from({ length: processes }, () =>
    fork(fileURLToPath(import.meta.url), ['load', connectionString, String(writers / processes)]),
  );
  const insert = insertInto(connections);
  const floorLoop = (seconds: number) => closedLoop(writers, seconds, insert);
  const storeLoop = async (seconds: number) =>
    besideEachOther(
      await Promise.all(
        loads.map(async (load) => {
          load.send(seconds);
          return ((await once(load, 'message')) as [Measured])[0];
        }),
      ),
    );
  const floor: Measured[] = [];
  const store: Measured[] = [];
  await floorLoop(WARM_UP_SECONDS);
  await storeLoop(WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    floor.push(await floorLoop(SECONDS_A_ROUND));
    store.push(await storeLoop(SECONDS_A_ROUND));
  }
  for (const load of loads) load.disconnect();
  await Promise.all(connections.map((connection) => connection.end()));
  return [inTurn(floor), inTurn(store)];
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
