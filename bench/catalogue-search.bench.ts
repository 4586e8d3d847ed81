/**
 * How fast `GET Book` answers 20 users who ask without a pause, over HTTP, against the whole server. The floor is
 * measured in the same run: a bare Node server that reads the 12 rows of a page by their ids.
 * Run it from the build: `node dist/bench/catalogue-search.bench.js [--books 1000000] [--keep FOLDER]`.
 * The servers run in processes of their own; load, servers and PostgreSQL share the machine.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { z } from 'zod';
import { openDatabase, type Database } from '#platform/database/database.js';
import { migrate } from '#platform/database/migrate.js';
import { createLogger } from '#platform/logging.js';
import { readSettings, type ResolvedSettings } from '#platform/settings.js';
import { queryRow } from '#platform/database/query-rows.js';
import { startEventStoreThread } from '../embedded/event-store/event-store-thread.js';
import { SeededRandom } from '../embedded/generate/random.js';
import { loadGeneratedBooks } from '../embedded/generate/load-generated.js';
import { startPostgres, type PostgresServer } from '../embedded/postgres/postgres-server.js';
import { startServer } from '../server/create-server.js';
import { catalogueRequests, pickKind, type RequestKind } from './catalogue-requests.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import { HttpLoad } from './http-load.js';
import { closedLoop, latencyColumns, percentile, printTable, rate, type Measured } from './measure.js';

const USERS = 20;
const FLOOR_SECONDS = 4;
const POOL_SIZE = 16;
const logger = createLogger('warn');

interface Options {
  books: string;
  seconds: string;
  keep?: string;
}

// A server whose benchmark has died ends with it.
if (process.send) process.once('disconnect', () => process.exit());

if (process.argv[2] === 'server') await runProduct(process.argv[3] ?? '');
else if (process.argv[2] === 'floor') await runFloor(process.argv[3] ?? '');
else {
  await new Command('catalogue-search.bench')
    .option('--books <n>', 'generated, where the folder has none yet', '10000')
    .option('--seconds <n>', 'of each round', '20')
    .option('--keep <folder>', 'keeps the database there for the next run')
    .action(runBenchmark)
    .parseAsync();
}

/** The product's own server, as it is started by `npm start`. */
async function runProduct(databaseUrl: string): Promise<void> {
  const settings = {
    ...readSettings({}),
    PORT: 0,
    DATABASE_URL: databaseUrl,
    JWT_SECRET: 'x'.repeat(32),
    // Asked for at the start; nothing here sends a mail.
    SMTP_URL: 'smtp://127.0.0.1:9',
  };
  const store = await startEventStoreThread({ databaseUrl });
  const resolved: ResolvedSettings = { ...settings, EVENTSTORE_URL: store.connectionString };
  const server = await startServer(resolved, { logger });
  process.once('message', () => {
    void server
      .close()
      .then(() => store.stop())
      .then(() => process.disconnect());
  });
  process.send?.(server.url);
}

/** What no catalogue can be faster than here: one statement by primary keys, and its rows as JSON. */
async function runFloor(databaseUrl: string): Promise<void> {
  const database = openDatabase(databaseUrl, POOL_SIZE, logger);
  const row = await queryRow(
    database,
    z.object({ most: z.int().nullable() }),
    'select max(id) as most from book',
  );
  const most = row?.most ?? 1;
  const server = createServer((_request, response) => {
    const ids = Array.from({ length: 12 }, () => 1 + Math.floor(Math.random() * most));
    void database
      .query({ name: 'floor', text: 'select * from book where id = any($1::integer[])', values: [ids] })
      .then((result) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(result.rows));
      });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  });
  process.once('message', () => {
    server.closeAllConnections();
    server.close(() => void database.end().then(() => process.disconnect()));
  });
}

async function runBenchmark({ books, keep, seconds }: Options): Promise<void> {
  const postgres = keep === undefined ? await startThrowAwayPostgres() : await startKept(keep);
  try {
    await postgres.createDatabase('lectern');
    const url = postgres.url('lectern');
    await migrate(url);
    const database = openDatabase(url, 4, logger);
    try {
      await fill(database, Number(books));
      await measure(database, url, Number(seconds));
    } finally {
      await database.end();
    }
  } finally {
    await postgres.stop();
  }
}

async function startKept(folder: string): Promise<PostgresServer> {
  const path = resolve(folder);
  if (!existsSync(path)) mkdirSync(path, { recursive: true });
  // The unprivileged user that PostgreSQL runs as where we are root has to pass through.
  chmodSync(path, 0o711);
  return startPostgres(join(path, 'postgres'));
}

async function fill(database: Database, books: number): Promise<void> {
  const row = await queryRow(
    database,
    z.object({ present: z.int() }),
    'select count(*)::integer as present from book',
  );
  const present = row?.present ?? 0;
  if (present > 0) return void process.stdout.write(`${present.toLocaleString('en')} books are there\n`);
  const began = Date.now();
  await loadGeneratedBooks(database, books, 1, () => undefined);
  process.stdout.write(
    `${books.toLocaleString('en')} books generated in ${((Date.now() - began) / 1000).toFixed(1)} s\n`,
  );
}

async function measure(database: Database, url: string, seconds: number): Promise<void> {
  const kinds = await catalogueRequests(database, 7);
  const floors = [await measureFloor(url)];
  const server = await start('server', url);
  const http = new HttpLoad(server.url, USERS);
  await untilReady(http, kinds);
  const cpu = cpuMeter(server.child.pid);
  await round(http, kinds, Math.min(seconds, 5), 1);
  const busy = cpu();
  const steady = await round(http, kinds, seconds, 2);
  const spent = cpu();
  const changing = await withChanges(database, () => round(http, kinds, seconds, 3));
  http.close();
  await server.stop();
  floors.push(await measureFloor(url));

  const floor = percentile(
    floors.flatMap(({ latencies }) => latencies),
    0.95,
  );
  report(`${USERS} users, nothing changes`, steady, floor);
  report(`${USERS} users, the catalogue changes every second`, changing, floor);
  const floorRate = floors.reduce((sum, part) => sum + rate(part), 0) / floors.length;
  process.stdout.write(
    `\nfloor: ${Math.round(floorRate)} a second, p95 ${floor.toFixed(2)} ms\n` +
      `server process: ${(((spent - busy) * 1000) / steady.all.count).toFixed(2)} ms of processor time a request\n`,
  );
}

/** The server answers at once, and faster when it has read the words of the catalogue into its memory. */
async function untilReady(http: HttpLoad, kinds: RequestKind[]): Promise<void> {
  const common = kinds.find(({ name }) => name === 'two common words');
  if (!common) return;
  const began = performance.now();
  for (let fast = 0; fast < 5 && performance.now() - began < 120_000;) {
    await sleep(500);
    const asked = performance.now();
    await http.get(common.path());
    fast = performance.now() - asked < 15 ? fast + 1 : 0;
  }
  process.stdout.write(`the server is warm after ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
}

interface Round {
  all: Measured;
  byKind: Map<string, number[]>;
}

async function round(http: HttpLoad, kinds: RequestKind[], seconds: number, seed: number): Promise<Round> {
  const random = new SeededRandom(seed);
  const byKind = new Map<string, number[]>(kinds.map(({ name }) => [name, []]));
  const all = await closedLoop(USERS, seconds, async () => {
    const kind = pickKind(kinds, random);
    const began = performance.now();
    await http.get(kind.path());
    byKind.get(kind.name)?.push(performance.now() - began);
  });
  return { all, byKind };
}

/** While it runs, somebody saves a book every second, which invalidates the catalogue's cache. */
async function withChanges<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(() => {
    void database.query('update book set description = description where id = (select max(id) from book)');
  }, 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

async function measureFloor(url: string): Promise<Measured> {
  const server = await start('floor', url);
  const http = new HttpLoad(server.url, USERS);
  await closedLoop(USERS, 1, () => http.get('/'));
  const measured = await closedLoop(USERS, FLOOR_SECONDS, () => http.get('/'));
  http.close();
  await server.stop();
  return measured;
}

async function start(
  what: 'server' | 'floor',
  url: string,
): Promise<{ url: string; child: ChildProcess; stop: () => Promise<void> }> {
  const child = fork(fileURLToPath(import.meta.url), [what, url], { cwd: tmpdir() });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the process of the ${what} ended before its time`);
  });
  const [address] = (await Promise.race([once(child, 'message'), ended])) as [string];
  ended.catch(() => undefined);
  return {
    url: address,
    child,
    stop: async () => {
      const exited = once(child, 'exit');
      child.send('stop');
      await exited;
    },
  };
}

/** Seconds of processor time that a process has used, where the system tells (Linux). */
function cpuMeter(pid: number | undefined): () => number {
  const file = `/proc/${pid}/stat`;
  return () => {
    if (!existsSync(file)) return NaN;
    const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  };
}

function report(title: string, { all, byKind }: Round, floor: number): void {
  const row = (what: string, measured: Measured) => ({
    what,
    requests: measured.count,
    ...latencyColumns(measured),
    'p95 to floor': `${(percentile(measured.latencies, 0.95) / floor).toFixed(1)} x`,
  });
  process.stdout.write(`\n${title}: ${Math.round(rate(all))} requests a second\n`);
  printTable([
    ...[...byKind].map(([name, latencies]) =>
      row(name, { count: latencies.length, seconds: all.seconds, latencies }),
    ),
    row('all', all),
  ]);
}
