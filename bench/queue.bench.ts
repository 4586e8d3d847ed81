/**
 * How fast the librarian's queue answers at a million borrows, over HTTP, against the whole server: its orders and filters,
 * first and last pages, searches, and the profile of a reader with 10,000 borrows. The floor is measured in the same
 * run: a bare Node server that reads the 20 rows of a page by their ids, and for the profile one that reads its rows.
 * With `--writers 64` the whole product runs, and so many clients rent, issue and return without a pause meanwhile.
 * Run it by `npm run bench:queue [-- --borrows 1000000] [--writers 64] [--keep FOLDER] [--json FILE]`.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { z } from 'zod';
import { openDatabase, type Database } from '#platform/database/database.js';
import { migrate } from '#platform/database/migrate.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { createLogger } from '#platform/logging.js';
import { SeededRandom } from '../embedded/generate/random.js';
import { borrowSteps } from './borrow-clients.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import { httpCaller } from './http-caller.js';
import { HttpLoad } from './http-load.js';
import { makeBooks, makePeople, type Person } from './library-people.js';
import { closedLoop, latencyColumns, percentile, printTable, type Measured } from './measure.js';
import { startProductProcess } from './product-process.js';
import { writeBorrows } from './queue-rows.js';
import { runFloor, runServer, SECRET, startStored, startRole, usedBy } from './server-process.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const FILE = fileURLToPath(import.meta.url);
const LIBRARIANS = 4;
const READERS = 50_000;
const OF_ONE_READER = 10_000;
const PAGE = 20;
const FLOOR_SECONDS = 4;
const GOAL = 100;
/** Milliseconds that a search for a common word takes where the database alone is asked, at least, with a million borrows. */
const LONG_SEARCH = 150;

interface Options {
  borrows: string;
  seconds: string;
  writers: string;
  keep?: string;
  json?: string;
}

/** What is asked: the server alone, or the whole product. */
interface Asked {
  databaseUrl: string;
  secret: string;
  start: () => Promise<{
    url: string;
    pid: number | undefined;
    /** When everything is warm: whoever works beside those who ask begins. */
    begin: () => void;
    stop: () => Promise<void>;
  }>;
}

/** One kind of request; each call may ask for something else. */
interface Kind {
  name: string;
  path: () => string;
  asks: Person;
}

const [, , role, databaseUrl = ''] = process.argv;
if (role === 'server') await runServer(databaseUrl);
else if (role === 'floor') await runRowsFloor(databaseUrl);
else {
  await new Command('queue.bench')
    .option('--borrows <n>', 'written where the folder has none yet', '100000')
    .option('--seconds <n>', 'of each kind of request', '3')
    .option('--writers <n>', 'clients that rent, issue and return meanwhile', '0')
    .option('--keep <folder>', 'keeps the database there for the next run')
    .option('--json <file>', 'writes the figures there too')
    .action(runBenchmark)
    .parseAsync();
}

async function runRowsFloor(url: string): Promise<void> {
  const database = openDatabase(url, 1, createLogger('warn'));
  const rows = await queryRows(
    database,
    z.object({ id: z.string() }),
    `select borrow_id as id from ${READ_MODEL}.borrow tablesample system (1) limit 5000`,
  );
  await database.end();
  const random = new SeededRandom(3);
  const keys = () => Array.from({ length: PAGE }, () => random.pick(rows).id);
  runFloor(url, `select * from ${READ_MODEL}.borrow where borrow_id = any($1::uuid[])`, keys);
}

async function runBenchmark(options: Options): Promise<void> {
  if (Number(options.writers) > 0) return runBesideWriters(options);
  const { keep } = options;
  const postgres = keep === undefined ? await startThrowAwayPostgres() : await startStored(keep);
  try {
    await postgres.createDatabase('lectern');
    const databaseUrl = postgres.url('lectern');
    await migrate(databaseUrl);
    const start = async () => {
      const { child, ...server } = await startRole(FILE, 'server', databaseUrl);
      return { ...server, pid: child.pid, begin: () => undefined };
    };
    await measure({ databaseUrl, secret: SECRET, start }, options);
  } finally {
    await postgres.stop();
  }
}

async function runBesideWriters(options: Options): Promise<void> {
  const { keep } = options;
  const product = await startProductProcess(keep === undefined ? {} : { DATA_DIR: resolve(keep) });
  try {
    const writers = Number(options.writers);
    const readers = await makePeople(product, writers, ['Reader']);
    const [librarian] = await makePeople(product, 1, ['Reader', 'Admin']);
    if (!librarian) throw new Error('There is no librarian.');
    const books = await makeBooks(product.databaseUrl, writers, 2);
    const { call, close } = httpCaller(product.url, writers);
    const step = borrowSteps(call, readers, librarian, books);
    let isOver = false;
    const waits: number[] = [];
    const write = async (client: number) => {
      while (!isOver) {
        const began = performance.now();
        await step(client);
        waits.push(performance.now() - began);
      }
    };
    let began = 0;
    let writing: Promise<unknown> = Promise.resolve();
    const begin = () => {
      began = performance.now();
      writing = Promise.all(readers.map((_, client) => write(client)));
      writing.catch((error: unknown) => {
        process.stderr.write(`A writer failed: ${String(error)}\n`);
        process.exitCode = 1;
      });
    };
    const stop = async () => {
      isOver = true;
      await writing;
      close();
      process.stdout.write(
        `${writers} writers: ${Math.round((waits.length * 1000) / (performance.now() - began))} commands a second, ` +
          `p95 ${percentile(waits, 0.95).toFixed(0)} ms\n`,
      );
    };
    const start = () => Promise.resolve({ url: product.url, pid: product.pid, begin, stop });
    await measure({ ...product, start }, options);
  } finally {
    await product.stop();
  }
}

async function measure(asked: Asked, options: Options): Promise<void> {
  const database = openDatabase(asked.databaseUrl, 2, createLogger('warn'));
  try {
    await measureWith(database, asked, Number(options.borrows), Number(options.seconds), options.json);
  } finally {
    await database.end();
  }
}

async function measureWith(
  database: Database,
  asked: Asked,
  borrows: number,
  seconds: number,
  json: string | undefined,
): Promise<void> {
  const url = asked.databaseUrl;
  const [librarian, reader] = [
    ...(await makePeople(asked, 1, ['Admin'])),
    ...(await makePeople(asked, 1, ['Reader'])),
  ];
  if (!librarian || !reader) throw new Error('There is nobody to ask.');
  const total = await fill(database, borrows, reader);
  const floors = [await floor(url)];
  const server = await asked.start();
  const http = new HttpLoad(server.url, LIBRARIANS);
  const get = ({ path, asks }: Kind) => http.get(path(), { authorization: `Bearer ${asks.token}` });
  const kinds = await kindsOf(database, librarian, reader, total);
  const memory = await warmUp(server.pid, (term) =>
    http.get(`/api/Borrow?SearchTerm=${term}`, { authorization: `Bearer ${librarian.token}` }),
  );
  server.begin();
  const measured: { kind: Kind; measured: Measured; processor: number }[] = [];
  for (const kind of kinds) {
    await closedLoop(LIBRARIANS, 0.3, () => get(kind));
    const before = usedBy(server.pid).seconds;
    const found = await closedLoop(LIBRARIANS, seconds, () => get(kind));
    const processor = ((usedBy(server.pid).seconds - before) * 1000) / found.count;
    measured.push({ kind, measured: found, processor });
  }
  http.close();
  await server.stop();
  floors.push(await floor(url));

  const latencies = floors.flatMap((each) => each.latencies);
  const floorP95 = percentile(latencies, 0.95);
  const rows = measured.map(({ kind, measured: found, processor }) => ({
    what: kind.name,
    requests: found.count,
    ...latencyColumns(found),
    'server, ms of processor': processor.toFixed(2),
    'p95 to floor': `${(percentile(found.latencies, 0.95) / floorP95).toFixed(1)} x`,
    goal: percentile(found.latencies, 0.95) <= GOAL ? 'reached' : 'missed',
  }));
  process.stdout.write(
    `${total.toLocaleString('en')} borrows, ${LIBRARIANS} people at once; floor p95 ${floorP95.toFixed(2)} ms; goal p95 ${GOAL} ms\n`,
  );
  printTable(rows);
  if (json !== undefined) {
    writeFileSync(
      json,
      `${JSON.stringify({ borrows: total, at: new Date(), floorP95, memory, rows }, null, 2)}\n`,
    );
  }
}

/** The first look makes the server read the queue into its memory; then it is let come to rest: nobody else is asking anything. */
async function warmUp(
  pid: number | undefined,
  look: (searchTerm: string) => Promise<unknown>,
): Promise<Record<string, number>> {
  const [began, before] = [performance.now(), usedBy(pid)];
  await look('');
  for (let fast = 0; fast < 3;) {
    await sleep(250);
    const asked = performance.now();
    // Until it is in memory, a busy machine may take longer for it than a call may take.
    const isAnswered = await look('the').then(
      () => true,
      () => false,
    );
    fast = isAnswered && performance.now() - asked < LONG_SEARCH ? fast + 1 : 0;
  }
  const read = usedBy(pid);
  const seconds = (performance.now() - began) / 1000;
  for (let isBusy = true, used = read; isBusy;) {
    await sleep(500);
    const now = usedBy(pid);
    isBusy = now.seconds - used.seconds > 0.03;
    used = now;
  }
  const memory = {
    seconds,
    processor: read.seconds - before.seconds,
    megabytesBefore: before.megabytes,
    megabytes: read.megabytes,
  };
  process.stdout.write(`in memory after ${JSON.stringify(memory)}\n`);
  return memory;
}

async function floor(url: string): Promise<Measured> {
  const server = await startRole(FILE, 'floor', url);
  const http = new HttpLoad(server.url, LIBRARIANS);
  await closedLoop(LIBRARIANS, 1, () => http.get('/'));
  const measured = await closedLoop(LIBRARIANS, FLOOR_SECONDS, () => http.get('/'));
  http.close();
  await server.stop();
  return measured;
}

/** @returns how many borrows there are */
async function fill(database: Database, borrows: number, reader: Person): Promise<number> {
  const counted = async () => {
    const row = await queryRow(
      database,
      z.object({ total: z.int() }),
      `select count(*)::integer as total from ${READ_MODEL}.borrow`,
    );
    return row?.total ?? 0;
  };
  if ((await counted()) === 0) {
    await writeBorrows(database, borrows, READERS, { pseudonym: reader.pseudonym, borrows: OF_ONE_READER });
    // As autovacuum would have in a library that was not made within a minute.
    await database.query('vacuum (analyze)');
  } else {
    // The borrows of the reader of an earlier run are this one's.
    const diligent = `(select reader_id from ${READ_MODEL}.borrow group by 1 order by count(*) desc limit 1)`;
    await database.query(`update account set pseudonym = gen_random_uuid() where pseudonym = ${diligent}`);
    await database.query(`update account set pseudonym = ${diligent} where id = $1`, [reader.id]);
  }
  return counted();
}

async function kindsOf(
  database: Database,
  librarian: Person,
  reader: Person,
  total: number,
): Promise<Kind[]> {
  const random = new SeededRandom(11);
  const samples = await queryRows(
    database,
    z.object({ titles: z.string(), lastname: z.string(), fullname: z.string(), day: z.string() }),
    `select b.titles, a.lastname, a.fullname, to_char(b.rented_at, 'YYYY-MM-DD') as day
     from (select * from ${READ_MODEL}.borrow tablesample system (1) limit 3000) b
     join account a on a.pseudonym = b.reader_id where a.username like 'reader-%'`,
  );
  const list = (query: Record<string, string | number>) => () => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    return `/api/Borrow?${parameters.toString()}`;
  };
  const search =
    (term: () => string, more: Record<string, string | number> = {}) =>
    () =>
      list({ SearchTerm: term(), ...more })();
  const sample = () => random.pick(samples);
  const lastPage = Math.ceil(total / PAGE);
  const middle = () => Math.floor(lastPage / 2) + random.below(50);
  const few = () => 1 + random.below(20);
  const words = () => sample().titles.split(/\s+/);
  const longWord = () => random.pick(words().filter((word) => word.length > 4)) ?? 'history';
  const orders = ['RentDate', 'BorrowDate', 'DueDate', 'ReturnDate'];
  const directions = ['Ascending', 'Descending'];
  const kinds: [string, () => string][] = [
    ['the queue as it opens', list({})],
    ['page 2 to 20', () => list({ pageNumber: few() })()],
    ['the last page', list({ pageNumber: lastPage })],
    ['a page in the middle', () => list({ pageNumber: middle() })()],
    ...orders.flatMap((OrderBy) =>
      directions.map((Direction): [string, () => string] => [
        `by ${OrderBy}, ${Direction}`,
        () => list({ OrderBy, Direction, pageNumber: few() })(),
      ]),
    ),
    ['by DueDate, the last page', list({ OrderBy: 'DueDate', pageNumber: lastPage })],
    ['by ReturnDate, the last page', list({ OrderBy: 'ReturnDate', pageNumber: lastPage })],
    ...['Rented', 'Issued', 'Returned', 'Expired', 'Not_Paid', 'Paid'].map(
      (SortBy): [string, () => string] => [
        `${SortBy} alone, any order`,
        () => list({ SortBy, OrderBy: random.pick(orders), Direction: random.pick(directions) })(),
      ],
    ),
    ['a page in the middle, by DueDate', () => list({ OrderBy: 'DueDate', pageNumber: middle() })()],
    ['a page in the middle of Returned', () => list({ SortBy: 'Returned', pageNumber: middle() })()],
    ['search: a whole title', search(() => random.pick(sample().titles.split('\n')))],
    ['search: a word of a title', search(longWord)],
    ['search: the beginning of a word', search(() => longWord().slice(0, 3 + random.below(2)))],
    ['search: a word and a last name', search(() => `${longWord()} ${sample().lastname}`)],
    ['search: a common word, a page in the middle', search(() => 'history', { pageNumber: 3000 })],
    ['search: a common word, by DueDate', search(() => 'history', { OrderBy: 'DueDate' })],
    ['search: a word, issued alone', search(longWord, { SortBy: 'Issued', OrderBy: 'DueDate' })],
    ['search: "history" (common)', search(() => 'history')],
    ['search: "the" (very common)', search(() => 'the')],
    ['search: a reader', search(() => sample().fullname)],
    ['search: a last name', search(() => sample().lastname)],
    ['search: a day', search(() => sample().day)],
    ['search: a month', search(() => sample().day.slice(0, 7))],
    ['search: nothing is found', search(() => `${longWord()} qqxz`)],
  ];
  const own = (query: Record<string, string | number>) => list(query)().replace('Borrow?', 'Borrow/history?');
  const page = () => ({ pageNumber: few(), pageSize: PAGE });
  const profile: [string, () => string][] = [
    ['as it opens', () => own({ pageNumber: 1, pageSize: PAGE })],
    ['any of its pages', () => own({ pageNumber: 1 + random.below(OF_ONE_READER / PAGE), pageSize: PAGE })],
    ['by another date', () => own({ ...page(), OrderBy: random.pick(orders) })],
    ['search: a word', () => own({ ...page(), SearchTerm: longWord() })],
    ['the newest, as the specification has it', () => '/api/Borrow/history'],
  ];
  const dashboard = ['stats', 'today', 'last-events', 'queues'].map((what): [string, () => string] => [
    `dashboard: ${what}`,
    () => `/api/Dashboard/${what}`,
  ]);
  return [
    ...[...kinds, ...dashboard].map(([name, path]) => ({ name, path, asks: librarian })),
    ...profile.map(([name, path]) => ({
      name: `profile with ${OF_ONE_READER} borrows: ${name}`,
      path,
      asks: reader,
    })),
  ];
}
