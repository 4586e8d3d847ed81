/**
 * How fast `GET Book` answers 20 users who ask without a pause, over HTTP, against the whole server. The floor is
 * measured in the same run: a bare Node server that reads the 12 rows of a page by their ids.
 * Run it from the build: `node dist/bench/catalogue-search.bench.js [--books 1000000] [--keep FOLDER] [--json FILE]`.
 * The servers run in processes of their own; load, servers and PostgreSQL share the machine.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { z } from 'zod';
import { openDatabase, type Database } from '#platform/database/database.js';
import { migrate } from '#platform/database/migrate.js';
import { createLogger } from '#platform/logging.js';
import { queryRow } from '#platform/database/query-rows.js';
import { SeededRandom } from '../embedded/generate/random.js';
import { loadGeneratedBooks } from '../embedded/generate/load-generated.js';
import { catalogueRequests, pickKind, type RequestKind } from './catalogue-requests.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import { HttpLoad } from './http-load.js';
import { closedLoop, latencyColumns, percentile, printTable, rate, type Measured } from './measure.js';
import { runFloor, runServer, startStored, startRole, usedBy } from './server-process.js';

const USERS = 20;
const FLOOR_SECONDS = 4;
const logger = createLogger('warn');

interface Options {
  books: string;
  seconds: string;
  keep?: string;
  json?: string;
}

if (process.argv[2] === 'server') await runServer(process.argv[3] ?? '');
else if (process.argv[2] === 'floor') await runRowsFloor(process.argv[3] ?? '');
else {
  await new Command('catalogue-search.bench')
    .option('--books <n>', 'generated, where the folder has none yet', '10000')
    .option('--seconds <n>', 'of each round', '20')
    .option('--keep <folder>', 'keeps the database there for the next run')
    .option('--json <file>', 'writes the figures there too')
    .action(runBenchmark)
    .parseAsync();
}

async function runRowsFloor(databaseUrl: string): Promise<void> {
  const database = openDatabase(databaseUrl, 1, logger);
  const row = await queryRow(
    database,
    z.object({ most: z.int().nullable() }),
    'select max(id) as most from book',
  );
  await database.end();
  const most = row?.most ?? 1;
  const keys = () => Array.from({ length: 12 }, () => 1 + Math.floor(Math.random() * most));
  runFloor(databaseUrl, 'select * from book where id = any($1::integer[])', keys);
}

async function runBenchmark({ books, keep, seconds, json }: Options): Promise<void> {
  const postgres = keep === undefined ? await startThrowAwayPostgres() : await startStored(keep);
  try {
    await postgres.createDatabase('lectern');
    const url = postgres.url('lectern');
    await migrate(url);
    const database = openDatabase(url, 4, logger);
    try {
      await fill(database, Number(books));
      await measure(database, url, Number(seconds), json);
    } finally {
      await database.end();
    }
  } finally {
    await postgres.stop();
  }
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

async function measure(
  database: Database,
  url: string,
  seconds: number,
  json: string | undefined,
): Promise<void> {
  const kinds = await catalogueRequests(database, 7);
  const floors = [await measureFloor(url)];
  const server = await startRole(fileURLToPath(import.meta.url), 'server', url);
  const used = () => usedBy(server.child.pid);
  const http = new HttpLoad(server.url, USERS);
  const warm = await untilReady(http, kinds);
  const loaded = used();
  await round(http, kinds, Math.min(seconds, 5), 1);
  const before = used();
  const steady = await round(http, kinds, seconds, 2);
  const between = used();
  const changing = await withSaves(database, () => round(http, kinds, seconds, 3));
  const after = used();
  http.close();
  await server.stop();
  floors.push(await measureFloor(url));

  const floor = percentile(
    floors.flatMap(({ latencies }) => latencies),
    0.95,
  );
  const floorRate = floors.reduce((sum, part) => sum + rate(part), 0) / floors.length;
  const figures = {
    at: new Date(),
    floor: { rate: floorRate, p95: floor },
    warm: { seconds: warm, processor: loaded.seconds, megabytes: loaded.megabytes },
    megabytesAfter: after.megabytes,
    processorOfARequest: ((between.seconds - before.seconds) * 1000) / steady.all.count,
    nothingChanges: report(`${USERS} users, nothing changes`, steady, floor),
    savedEverySecond: report(`${USERS} users, a book is saved every second`, changing, floor),
  };
  process.stdout.write(
    `\nfloor: ${Math.round(floorRate)} a second, p95 ${floor.toFixed(2)} ms\n` +
      `server process: ${figures.processorOfARequest.toFixed(2)} ms of processor time a request; ` +
      `${Math.round(loaded.megabytes)} MB when warm, after ${loaded.seconds.toFixed(1)} s of processor time\n`,
  );
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`);
}

/** The server answers at once, and faster when it has read the words of the catalogue into its memory, which counts wait for. */
async function untilReady(http: HttpLoad, kinds: RequestKind[]): Promise<number> {
  const common = kinds.find(({ name }) => name === 'two common words');
  const began = performance.now();
  for (let fast = 0; common && fast < 5 && performance.now() - began < 600_000;) {
    await sleep(500);
    const asked = performance.now();
    const hasCounts = await http.get('/api/Book/facets').then(
      () => true,
      () => false,
    );
    await http.get(common.path());
    fast = hasCounts && performance.now() - asked < 60 ? fast + 1 : 0;
  }
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`the server is warm after ${seconds.toFixed(1)} s\n`);
  return seconds;
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

/** While it runs, somebody saves a book every second: another one each time, and its title changes. */
async function withSaves<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  const random = new SeededRandom(5);
  const timer = setInterval(() => {
    void database.query(
      `update book set title = regexp_replace(title, ', edition \\d+$', '') || ', edition ' || $2::integer
       where id = (select max(id) - $1::integer from book)`,
      [random.below(10_000), 1 + random.below(100)],
    );
  }, 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

async function measureFloor(url: string): Promise<Measured> {
  const server = await startRole(fileURLToPath(import.meta.url), 'floor', url);
  const http = new HttpLoad(server.url, USERS);
  await closedLoop(USERS, 1, () => http.get('/'));
  const measured = await closedLoop(USERS, FLOOR_SECONDS, () => http.get('/'));
  http.close();
  await server.stop();
  return measured;
}

function report(title: string, { all, byKind }: Round, floor: number) {
  const row = (what: string, measured: Measured) => ({
    what,
    requests: measured.count,
    ...latencyColumns(measured),
    'p95 to floor': `${(percentile(measured.latencies, 0.95) / floor).toFixed(1)} x`,
  });
  const rows = [
    ...[...byKind].map(([name, latencies]) =>
      row(name, { count: latencies.length, seconds: all.seconds, latencies }),
    ),
    row('all', all),
  ];
  process.stdout.write(`\n${title}: ${Math.round(rate(all))} requests a second\n`);
  printTable(rows);
  return { rate: rate(all), rows };
}
