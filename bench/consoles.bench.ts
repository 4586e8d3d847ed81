/**
 * A thousand consoles that are open at once, while twenty events a second happen: from the time that the event store wrote
 * into the event to the message at each console, on the same clock; then the same while connections are cut again and
 * again, and whether every console shows what the rows say at the end. The floor is a bare socket.io server that sends as
 * much to as many, in the same run.
 * Run it by `npm run bench:consoles [-- --consoles 1000] [--servers 2] [--json FILE]`: with two servers behind a proxy
 * and a projection in a process of its own.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { BorrowTraffic } from './borrow-traffic.js';
import { answerOf } from './child-answer.js';
import { ConsoleLoads } from './console-loads.js';
import { runConsoleFloor, type ConsoleFloorOrder } from './console-floor.js';
import type { ConsolePlan, Rows } from './console.js';
import { runConsoleLoad, type Judgement, type ToldEvent } from './console-load.js';
import { makeBooks, makePeople, type Person } from './library-people.js';
import { latencyColumns, percentile, printTable } from './measure.js';
import { processorSeconds } from './processor-time.js';
import { startProductProcess } from './product-process.js';
import { writeRawFigures } from './raw-figures.js';
import { startTwoServers, type Library } from './two-servers.js';

/** Queues of admins; the others are readers' windows, two of each reader. */
const QUEUES_SHARE = 0.2;
const ADMIN_ACCOUNTS = 10;
const WINDOWS_OF_A_READER = 2;
const EVENTS_A_SECOND = 20;
const SECONDS = 20;
const BOOKS = 60;
const COPIES = 40;
const CUTS = 100;
/** Milliseconds for the last message, and for those who are on their way back. */
const SETTLE_MS = 12_000;
/** The goal for p99, in milliseconds. */
const GOAL = 300;

const storedEvent = z.object({
  position: z.string(),
  stored: z.date(),
  type: z.string(),
  bookIds: z.array(z.int()),
});

const [, , role] = process.argv;
if (role === 'floor') runConsoleFloor();
else if (role === 'load') runConsoleLoad();
else await runBenchmark();

interface Report {
  opening: number[];
  judged: Judgement;
  /** Processor time of the server for each second of the traffic, in seconds. */
  processor: number;
}

async function runBenchmark(): Promise<void> {
  const { values } = parseArgs({
    options: {
      consoles: { type: 'string', default: '1000' },
      servers: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  const consoles = Number(values.consoles);
  const queues = Math.round(consoles * QUEUES_SHARE);
  const readers = Math.ceil((consoles - queues) / WINDOWS_OF_A_READER);
  const plans = (tokenOf: { admin: (at: number) => string; reader: (at: number) => ConsolePlan }) =>
    Array.from({ length: consoles }, (_, at) =>
      at < queues ? { token: tokenOf.admin(at) } : tokenOf.reader((at - queues) % readers),
    );

  const pseudonyms = Array.from({ length: readers }, (_, at) => `reader-${at}`);
  const floor = await measureFloor(
    plans({ admin: () => 'admins', reader: (at) => ({ token: `reader-${at}`, pseudonym: `reader-${at}` }) }),
    pseudonyms,
  );

  const settings = { LIVE_SOCKETS_PER_ADDRESS: String(4 * consoles) };
  const product = values.servers === '2' ? await startTwoServers(settings) : await startOne(settings);
  try {
    const admins = await makePeople(product, ADMIN_ACCOUNTS, ['Reader', 'Admin']);
    const people = await makePeople(product, readers, ['Reader']);
    const ofPerson = (list: Person[], at: number) => list[at % list.length] as Person;
    const { calm, cut } = await measureProduct(
      product,
      plans({
        admin: (at) => ofPerson(admins, at).token,
        reader: (at) => ({ token: ofPerson(people, at).token, pseudonym: ofPerson(people, at).pseudonym }),
      }),
      { librarian: ofPerson(admins, 0), readers: people },
    );
    report({ floor, calm, cut }, consoles);
  } finally {
    await product.stop();
  }
}

async function startOne(settings: NodeJS.ProcessEnv): Promise<Library> {
  const product = await startProductProcess(settings);
  return { ...product, pids: [product.pid], eventsUrl: product.databaseUrl };
}

async function measureFloor(plans: ConsolePlan[], pseudonyms: string[]): Promise<Report> {
  const floor: ChildProcess = fork(fileURLToPath(import.meta.url), ['floor']);
  const loads = new ConsoleLoads(fileURLToPath(import.meta.url));
  try {
    const opening = await loads.open(await answerOf<string>(floor), plans);
    const before = processorSeconds(floor.pid);
    const everyMs = 1000 / EVENTS_A_SECOND;
    const told = answerOf<ToldEvent[]>(floor);
    floor.send({ events: EVENTS_A_SECOND * SECONDS, everyMs, pseudonyms } satisfies ConsoleFloorOrder);
    const events = await told;
    const processor = (processorSeconds(floor.pid) - before) / SECONDS;
    await sleep(SETTLE_MS);
    return { opening, processor, judged: await loads.judge(events, { borrows: [], copies: [] }) };
  } finally {
    loads.close();
    floor.disconnect();
  }
}

/** First while nothing breaks, then while connections are cut. */
async function measureProduct(
  product: Library,
  plans: ConsolePlan[],
  people: { librarian: Person; readers: Person[] },
): Promise<Record<'calm' | 'cut', Report>> {
  const database = new pg.Client({ connectionString: product.databaseUrl });
  const log = new pg.Client({ connectionString: product.eventsUrl });
  const loads = new ConsoleLoads(fileURLToPath(import.meta.url));
  await Promise.all([database.connect(), log.connect()]);
  const worked = () => product.pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
  try {
    const books = await makeBooks(product.databaseUrl, BOOKS, COPIES);
    const traffic = new BorrowTraffic(product.url, people, books, EVENTS_A_SECOND);
    await traffic.run(2);
    const opening = await loads.open(product.url, plans);
    const round = async (meanwhile: Promise<void> | undefined): Promise<Report> => {
      const from = await lastPosition(log);
      const before = worked();
      await Promise.all([traffic.run(SECONDS), meanwhile]);
      const processor = (worked() - before) / SECONDS;
      await sleep(SETTLE_MS);
      const judged = await loads.judge(await eventsSince(log, from), await rowsOf(database));
      return { opening, processor, judged };
    };
    const calm = await round(undefined);
    const cut = await round(cutAgainAndAgain(loads));
    return { calm, cut };
  } finally {
    loads.close();
    await Promise.all([database.end(), log.end()]);
  }
}

async function cutAgainAndAgain(loads: ConsoleLoads): Promise<void> {
  for (let cut = 0; cut < CUTS; cut += 1) {
    await Promise.all([loads.cut(), sleep((SECONDS * 1000) / CUTS)]);
  }
}

async function lastPosition(database: pg.Client): Promise<string> {
  const [row] = await queryRows(
    database,
    z.object({ position: z.string() }),
    'select max(position)::text as position from eventstore.event',
  );
  return row?.position ?? '0';
}

async function eventsSince(database: pg.Client, position: string): Promise<ToldEvent[]> {
  const rows = await queryRows(
    database,
    storedEvent,
    `select position::text as position, created as stored, type,
       case type
         when 'BooksRented' then array(select (each ->> 'bookId')::integer
           from jsonb_array_elements(convert_from(data, 'utf8')::jsonb -> 'books') as each)
         when 'BooksReturned' then array(select each::integer
           from jsonb_array_elements_text(convert_from(data, 'utf8')::jsonb -> 'bookIds') as each)
         else '{}' end as "bookIds"
     from eventstore.event where position > $1 and stream like 'borrows-%' order by position`,
    [position],
  );
  return rows.map(({ stored, ...event }) => ({ ...event, stored: stored.getTime() }));
}

async function rowsOf(database: pg.Client): Promise<Rows> {
  const schema = await new ReadModelSchema(database).toRead();
  const borrows = await queryRows(
    database,
    z.object({ id: z.string(), reader: z.string(), position: z.string(), status: z.string() }),
    `select borrow_id::text as id, reader_id::text as reader, position::text as position, status from ${schema}.borrow`,
  );
  const copies = await queryRows(
    database,
    z.object({ id: z.int(), available: z.int() }),
    'select id, copies_available as available from book',
  );
  return { borrows, copies: copies.map(({ id, available }) => [id, available]) };
}

function report(reports: Record<'floor' | 'calm' | 'cut', Report>, consoles: number): void {
  const columns = (latencies: number[]) => latencyColumns({ latencies });
  const row = (what: string, latencies: number[]) => ({
    what,
    measured: latencies.length,
    ...columns(latencies),
  });
  const { floor, calm, cut } = reports;
  printTable([
    row('a console opened (bare socket.io)', floor.opening),
    row('a console opened (product)', calm.opening),
    row('borrow to message (bare socket.io)', floor.judged.borrows),
    row('borrow to message (product)', calm.judged.borrows),
    row('borrow to message, connections cut', cut.judged.borrows),
    row('copies to message (bare socket.io)', floor.judged.copies),
    row('copies to message (product)', calm.judged.copies),
    row('copies to message, connections cut', cut.judged.copies),
  ]);
  const share = ({ processor }: Report) => `${Math.round(processor * 100)} %`;
  process.stdout.write(
    `Processor of the server: ${share(floor)} of one (bare), ${share(calm)}, with cuts ${share(cut)}.\n` +
      `${CUTS} cuts, ${cut.judged.returns} connections came back, ${cut.judged.refetches} asked for everything.\n` +
      `Consoles that show something else than the rows: ${calm.judged.wrong} and ${cut.judged.wrong} of ${consoles}.\n`,
  );
  const p99 = Math.max(
    ...[calm, cut].flatMap(({ judged }) =>
      [judged.borrows, judged.copies].map((each) => percentile(each, 0.99)),
    ),
  );
  const reached = p99 <= GOAL && calm.judged.wrong + cut.judged.wrong === 0;
  process.stdout.write(
    `Goal: p99 at most ${GOAL} ms and no difference: ${reached ? 'reached' : 'missed'}.\n`,
  );
  const figures = ({ opening, processor, judged }: Report) => ({
    opening: columns(opening),
    borrows: columns(judged.borrows),
    copies: columns(judged.copies),
    processor,
    ...{ returns: judged.returns, refetches: judged.refetches, wrong: judged.wrong },
  });
  writeRawFigures({ consoles, floor: figures(floor), calm: figures(calm), cut: figures(cut) });
}
