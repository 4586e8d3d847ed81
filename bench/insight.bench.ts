/**
 * How long the questions to the log take over HTTP, against the whole server, with the rows of a million events, and what they cost
 * those who work meanwhile: a librarian's page of the queue, asked again and again, alone and while one question follows another.
 * Floor: one statement of the database that goes through the books of all borrows and counts them.
 * Run it by `npm run bench:insight`, or with fewer borrows by `npm run bench:insight -- 50000`; `--json FILE` writes the figures.
 */
import { fileURLToPath } from 'node:url';
import { openDatabase, type Database } from '#platform/database/database.js';
import { migrate } from '#platform/database/migrate.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { createLogger } from '#platform/logging.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import { HttpLoad } from './http-load.js';
import { makePeople, type Person } from './library-people.js';
import { latencyColumns, percentile, printTable, type Measured } from './measure.js';
import { writeBorrows } from './queue-rows.js';
import { writeRawFigures } from './raw-figures.js';
import { runServer, SECRET, startRole } from './server-process.js';

const [, , first = '', databaseUrl = ''] = process.argv;
/** Of a rent, an issue and a return, and here and there a fee or a renewal: a million events. */
const BORROWS = /^\d+$/.test(first) ? Number(first) : 340_000;
const READERS = 20_000;
const BOOKS = 20_000;
const GENRES = 40;
const TIMES = 7;
/** Milliseconds. */
const GOAL = 2_000;

if (first === 'server') await runServer(databaseUrl);
else await runBenchmark();

async function runBenchmark(): Promise<void> {
  const postgres = await startThrowAwayPostgres();
  try {
    await postgres.createDatabase('lectern');
    const url = postgres.url('lectern');
    await migrate(url);
    const database = openDatabase(url, 2, createLogger('warn'));
    try {
      await measure(database, url);
    } finally {
      await database.end();
    }
  } finally {
    await postgres.stop();
  }
}

async function measure(database: Database, url: string): Promise<void> {
  const [librarian, reader] = [
    ...(await makePeople({ databaseUrl: url, secret: SECRET }, 1, ['Admin'])),
    ...(await makePeople({ databaseUrl: url, secret: SECRET }, 1, ['Reader'])),
  ];
  if (!librarian || !reader) throw new Error('There is nobody to ask.');
  await fill(database, reader);
  const server = await startRole(fileURLToPath(import.meta.url), 'server', url);
  const http = new HttpLoad(server.url, 2);
  try {
    const ask = (path: string) => http.get(`/api/${path}`, { authorization: `Bearer ${librarian.token}` });
    const year = `from=${day(-364)}&to=${day(0)}`;
    const questions: Record<string, () => Promise<unknown>> = {
      'floor: count the books of all borrows': () =>
        database.query(`select count(*) from ${READ_MODEL}.borrow b, jsonb_array_elements(b.books)`),
      'titles, a year': () => ask(`Insight/titles?${year}`),
      'genres, a year': () => ask(`Insight/genres?${year}`),
      'not borrowed, a year': () => ask(`Insight/idle?${year}`),
      'hours, a year': () => ask(`Insight/hours?${year}`),
      'hours, ten years': () => ask(`Insight/hours?from=${day(-3_650)}&to=${day(0)}`),
      'events of a title': () => ask(`Insight/events?${year}&what=Issued&bookId=5`),
      'events of a genre': () => ask(`Insight/events?${year}&what=Issued&genreId=1`),
      'events of an hour': () => ask(`Insight/events?${year}&what=Returned&hour=14`),
      'file of titles, ten years': () => ask(`Insight/file?of=titles&from=${day(-3_650)}&to=${day(0)}`),
    };
    const figures = new Map(Object.keys(questions).map((name) => [name, [] as number[]]));
    // In turns: what else the machine does meanwhile falls on all of them.
    for (let round = 0; round <= TIMES; round += 1)
      for (const [name, question] of Object.entries(questions)) {
        const took = await milliseconds(question);
        if (round > 0) figures.get(name)?.push(took);
      }
    const others = await besideQuestions(
      () => ask('Borrow?pageSize=20'),
      () => ask(`Insight/hours?${year}`),
    );
    report(figures, others);
  } finally {
    http.close();
    await server.stop();
  }
}

/** Books with a genre or two each, and a year in the catalogue. */
async function fill(database: Database, reader: Person): Promise<void> {
  await database.query(
    `with press as (insert into publisher (name) values ('Press') returning id),
       genres as (insert into genre (name) select 'Genre ' || n from generate_series(1, ${GENRES}) n returning id),
       books as (
         insert into book (isbn, title, publisher_id, published, copies_total, copies_available, created)
         select 'bench-' || n, 'Book ' || n, press.id, '2001-01-01', 3, 3, now() - interval '5 years'
         from generate_series(1, ${BOOKS}) n, press order by n returning id)
     insert into book_genre (book_id, genre_id, place)
     select b.id, g.id, 0 from books b join genres g on g.id = 1 + b.id % ${GENRES} or (b.id % 3 = 0 and g.id = 1 + b.id % 7)`,
  );
  await writeBorrows(database, BORROWS, READERS, { pseudonym: reader.pseudonym, borrows: 1_000 });
  await database.query('vacuum (analyze) book, book_genre');
}

interface Others {
  alone: number[];
  beside: number[];
}

/** Somebody else's page, alone and while one question follows another, in turns. */
async function besideQuestions(
  page: () => Promise<unknown>,
  question: () => Promise<unknown>,
): Promise<Others> {
  const others: Others = { alone: [], beside: [] };
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 150; n += 1) others.alone.push(await milliseconds(page));
    let isAsked = true;
    const asking = (async () => {
      while (isAsked) await question();
    })();
    for (let n = 0; n < 150; n += 1) others.beside.push(await milliseconds(page));
    isAsked = false;
    await asking;
  }
  return others;
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function report(figures: Map<string, number[]>, { alone, beside }: Others): void {
  const row = (what: string, latencies: number[]) => {
    const measured: Measured = { count: latencies.length, seconds: 0, latencies };
    return { what, times: latencies.length, ...latencyColumns(measured) };
  };
  printTable([...figures].map(([what, latencies]) => row(what, latencies)));
  printTable([row('a page of the queue, alone', alone), row('beside questions', beside)]);
  const worst = Math.max(...[...figures.values()].map((latencies) => percentile(latencies, 0.5)));
  process.stdout.write(
    `Goal: each within ${GOAL} ms (median): ${worst.toFixed(0)} ms, ${worst <= GOAL ? 'reached' : 'missed'}. ` +
      `${BORROWS.toLocaleString('en')} borrows.\n`,
  );
  const questions = Object.fromEntries([...figures].map(([what, latencies]) => [what, { latencies }]));
  writeRawFigures({
    borrows: BORROWS,
    questions,
    page: { alone: { latencies: alone }, beside: { latencies: beside } },
  });
}

function day(ahead: number): string {
  return new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
}
