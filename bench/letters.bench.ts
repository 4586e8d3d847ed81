/**
 * What letters cost, and what a burst of them does to whoever works meanwhile, on the whole product as `npm start` runs it.
 *
 * First the cost: events cause a letter each while the queue of letters is held; then it is let go, and processor time,
 * rows, transactions and write-ahead log are counted until the last letter is sent. Then the burst: clients rent, issue
 * and return without a pause, and as many events come at once. Both with readers without a history, and with a long one.
 *
 * Run it by `npm run bench:letters -- [--events 10000] [--history 2000] [--against FOLDER [--only]] [--json FILE]`.
 * `FOLDER` is another release's, built, that is measured in turns with this one, or instead of it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ANY, type EventStoreDBClient } from '@eventstore/db-client';
import pg from 'pg';
import { z } from 'zod';
import { borrowStream } from '#contracts/borrowing/borrow-events.js';
import { queryRow } from '#platform/database/query-rows.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { queueBackend } from '#platform/jobs/queue-backend.js';
import { createLogger } from '#platform/logging.js';
import { readSettings } from '#platform/settings.js';
import { borrowSteps, newKey, type Operation } from './borrow-clients.js';
import { storeHistory, toStore } from './borrow-histories.js';
import { httpCaller } from './http-caller.js';
import { makeBooks, makePeople, type Person } from './library-people.js';
import { closedLoop, percentile, printTable, rate, type Measured } from './measure.js';
import { added, processorTime, written, type ProcessorTime, type Written } from './process-costs.js';
import { startProductProcess, type ProductProcess } from './product-process.js';
import { writeRawFigures } from './raw-figures.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    history: { type: 'string', default: '2000' },
    clients: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '20' },
    against: { type: 'string' },
    json: { type: 'string' },
    /** Leaves this release out. */
    only: { type: 'boolean', default: false },
    /** Leaves the burst out. */
    cost: { type: 'boolean', default: false },
  },
});
const EVENTS = Number(values.events);
const HISTORY = Number(values.history);
const CLIENTS = Number(values.clients);
const SECONDS = Number(values.seconds);
const READERS = 50;
/** Letters before those that count: the process's first ones compile what the others run. */
const WARM_UP = 500;
/** Letters whose cost is counted. */
const COUNTED = Math.min(EVENTS, 2000);
const EVENTS_AN_APPEND = 100;
/** By how much the p95 of commands may grow, and seconds until the last letter. */
const GOAL = { growth: 1.2, seconds: 300 };

/** For each letter: milliseconds of processor time, and what the database wrote. */
interface Cost extends ProcessorTime, Written {
  seconds: number;
}

interface Outcome {
  release: string;
  /** Events that each reader had before. */
  history: number;
  counted: number;
  /** Of the burst. */
  events: number;
  cost: Cost;
  burst?: { before: Measured; during: Measured; seconds: number };
}

const outcomes: Outcome[] = [];
for (const history of HISTORY > 0 ? [0, HISTORY] : [0]) {
  if (values.against !== undefined) outcomes.push(await measure('before', history, values.against));
  if (!values.only) outcomes.push(await measure('now', history));
}
report();
writeRawFigures({ letters: outcomes });

/** A running product, and what looks into it. */
interface Office {
  product: ProductProcess;
  log: EventStoreDBClient;
  database: pg.Pool;
  queue: ReturnType<Jobs['queue']>;
  readers: readonly Person[];
  books: readonly number[];
}

async function measure(release: string, history: number, checkout?: string): Promise<Outcome> {
  const product = await startProductProcess({}, checkout);
  const log = eventStoreClient(product.eventStoreUrl, ANY_LOG, { batched: true });
  const database = new pg.Pool({ connectionString: product.databaseUrl, max: 2 });
  database.on('error', () => undefined);
  const backend = queueBackend({ ...readSettings({}), DATABASE_URL: product.databaseUrl });
  const jobs = new Jobs(backend, createLogger('silent'));
  try {
    const readers = await makePeople(product, READERS, ['Reader']);
    const books = await makeBooks(product.databaseUrl, CLIENTS + 10, 2);
    const office: Office = { product, log, database, queue: jobs.queue('letters'), readers, books };
    if (history > 0) await giveHistories(office, history);
    await costOf(office, WARM_UP);
    const cost = await costOf(office, COUNTED);
    const outcome = { release, history, counted: COUNTED, events: EVENTS, cost };
    return values.cost ? outcome : { ...outcome, burst: await burst(office) };
  } finally {
    await jobs.close();
    await database.end();
    await log.dispose();
    await product.stop();
  }
}

/** Of long ago: nobody gets a letter about them. */
async function giveHistories(office: Office, events: number): Promise<void> {
  const { log, database, queue, readers, books } = office;
  await queue.pause();
  const before = await requested(database);
  for (const { pseudonym } of readers) await storeHistory(log, pseudonym, events, books);
  while ((await requested(database)) < before + events * readers.length) await sleep(200);
  await database.query(
    `update letters.letter set state = 'dropped', settled_at = now() where state in ('waiting', 'sending')`,
  );
  await queue.resume();
}

async function costOf(office: Office, events: number): Promise<Cost> {
  const { product, database, queue } = office;
  await queue.pause();
  const before = await requested(database);
  await rentAtOnce(office, events);
  while ((await requested(database)) < before + events) await sleep(200);
  const [time, rows] = [processorTime(product.pid, product.postmaster), await written(database)];
  const began = performance.now();
  await queue.resume();
  await sent(database);
  const seconds = (performance.now() - began) / 1000;
  const spent = {
    ...added(rows, await written(database)),
    ...added(time, processorTime(product.pid, product.postmaster)),
  };
  const each = { ...spent };
  for (const what of Object.keys(each) as (keyof typeof each)[]) each[what] /= events;
  return { ...each, seconds };
}

async function burst(office: Office): Promise<NonNullable<Outcome['burst']>> {
  const { product, database, books } = office;
  const readers = await makePeople(product, CLIENTS, ['Reader']);
  const [librarian] = await makePeople(product, 1, ['Reader', 'Admin']);
  if (!librarian) throw new Error('There is no librarian.');
  const { call, close } = httpCaller(product.url, CLIENTS, newKey);
  const step: Operation = borrowSteps(call, readers, librarian, books);
  await closedLoop(CLIENTS, SECONDS / 2, step);
  const before = await closedLoop(CLIENTS, SECONDS, step);
  const began = performance.now();
  let last: number | undefined;
  const letters = rentAtOnce(office, EVENTS)
    .then(() => sent(database, office.readers))
    .then(() => (last = performance.now()));
  const parts: Measured[] = [];
  while (last === undefined) parts.push(await closedLoop(CLIENTS, 1, step));
  await letters;
  close();
  const during = {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0),
    latencies: parts.flatMap(({ latencies }) => latencies),
  };
  return { before, during, seconds: (last - began) / 1000 };
}

/** Rents in the log, past the product: as many letters are due at once as there are events. */
async function rentAtOnce({ log, readers, books }: Office, events: number): Promise<void> {
  const now = Date.now();
  const [rentedAt, collectBy] = [new Date(now), new Date(now + 3 * 86_400_000)].map((at) => at.toISOString());
  const title = 'A book to measure with';
  for (let from = 0; from < events; from += EVENTS_AN_APPEND) {
    const readerId = readers[(from / EVENTS_AN_APPEND) % readers.length]?.pseudonym ?? '';
    const rents = Array.from({ length: Math.min(EVENTS_AN_APPEND, events - from) }, () =>
      toStore({
        type: 'BooksRented',
        data: {
          borrowId: randomUUID(),
          readerId,
          books: [{ bookId: books[0] ?? 1, title }],
          rentedAt: rentedAt ?? '',
          collectBy: collectBy ?? '',
          policyVersion: 1,
        },
      }),
    );
    await log.appendToStream(borrowStream(readerId), rents, { expectedRevision: ANY });
  }
}

/** How many events were looked through for letters, and are in the rows too. */
async function requested(database: pg.Pool): Promise<number> {
  const row = await queryRow(
    database,
    z.object({ events: z.coerce.number() }),
    `select least(l.events, r.events) as events from letters.checkpoint l, ${READ_MODEL}.checkpoint r`,
  );
  return row?.events ?? 0;
}

/** Waits until no letter is open: of these readers alone, or of all. */
async function sent(database: pg.Pool, readers?: readonly Person[]): Promise<void> {
  for (let open = true; open;) {
    await sleep(500);
    const { rowCount } = await database.query(
      `select from letters.letter where state in ('waiting', 'sending')
         and ($1::uuid[] is null or account_id = any($1)) limit 1`,
      [readers?.map(({ pseudonym }) => pseudonym) ?? null],
    );
    open = rowCount !== 0;
  }
}

function report(): void {
  const number = (value: number, digits = 2) => value.toFixed(digits);
  process.stdout.write('What writing, sending and recording a letter takes\n');
  printTable(
    outcomes.map(({ release, history, cost }) => ({
      release,
      history,
      'main thread': `${number(cost.mainThread)} ms`,
      'other threads': `${number(cost.otherThreads)} ms`,
      postgres: `${number(cost.postgres)} ms`,
      transactions: number(cost.transactions),
      'rows in, changed, out': [cost.inserted, cost.updated, cost.deleted]
        .map((rows) => number(rows))
        .join(', '),
      log: `${number(cost.wal / 1000)} kB`,
      'letters a second': Math.round(COUNTED / cost.seconds),
    })),
  );
  const bursts = outcomes.flatMap(({ burst: one, ...rest }) => (one ? [{ ...rest, ...one }] : []));
  if (bursts.length === 0) return;
  const p95 = ({ latencies }: Measured) => percentile(latencies, 0.95);
  process.stdout.write(`\nCommands of ${CLIENTS} clients before and during a burst of ${EVENTS} letters\n`);
  printTable(
    bursts.map(({ release, history, before, during, seconds }) => ({
      release,
      history,
      'a second': `${Math.round(rate(before))}, ${Math.round(rate(during))}`,
      p95: `${number(p95(before), 1)}, ${number(p95(during), 1)} ms`,
      growth: `${number(p95(during) / p95(before))} x`,
      'last letter': `${Math.round(seconds)} s`,
      goal: p95(during) <= GOAL.growth * p95(before) && seconds <= GOAL.seconds ? 'reached' : 'missed',
    })),
  );
}
