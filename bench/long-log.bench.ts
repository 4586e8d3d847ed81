/**
 * What a library of many years pays for its history: with a log of ten million events, how long the lists take to be made of
 * it, `npm start` takes, a rebuild takes while a hundred commands a second go on, and `verify`, states as of then, a simulation
 * and the move of the log; and what memory each of them has. The floors of reading, inserting and starting are those of the benches
 * of each. Run it by `npm run bench:long-log -- [events] [--json FILE]`; `--keep FOLDER` has the log there for the next run, and
 * `--stay` leaves its move out,
 * and `--made` the first making of the lists.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { z } from 'zod';
import { BORROW_POLICY } from '#circulation/rules/borrow.policy.js';
import { ruleSetOf } from '#circulation/rules/rule-book.js';
import type { SimulationView } from '#contracts/rules/what-if.js';
import { queryRow } from '#platform/database/query-rows.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { startPostgres } from '../embedded/postgres/postgres-server.js';
import { borrowSteps, type Operation } from './borrow-clients.js';
import { appendHistory, closedHistory } from './borrow-histories.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import { httpCaller } from './http-caller.js';
import { makeBooks, makePeople, type Person } from './library-people.js';
import { median, percentile, printTable } from './measure.js';
import { startProductProcess, type ProductProcess } from './product-process.js';
import { writeRawFigures } from './raw-figures.js';
import { usedBy } from './server-process.js';
import { startStoreProcess } from './store-process.js';

const EVENTS = Number(/^\d+$/.test(process.argv[2] ?? '') ? process.argv[2] : 10_000_000);
/** Histories that are written through the event store; the others are these with other readers and borrows. */
const TEMPLATES = 1_000;
const EVENTS_OF_TEMPLATE = 50;
const EVENTS_OF_LARGE = 10_000;
const COPIES_A_STATEMENT = 20;
const STARTS = 3;
const CLIENTS = 64;
const COMMANDS_A_SECOND = 100;
const INSTANTS = 200;

const counted = z.object({ events: z.coerce.number(), last: z.coerce.number() });

/** Seconds and the most memory, in megabytes, of a command of the product. */
interface Ran {
  seconds: number;
  megabytes: number;
}

const keptAt = process.argv.indexOf('--keep');
const kept = keptAt < 0 ? undefined : process.argv[keptAt + 1];
if (kept !== undefined) mkdirSync(kept, { recursive: true });
const folder = kept ?? mkdtempSync(join(tmpdir(), 'lectern-bench-'));
// The unprivileged user that PostgreSQL runs as where we are root has to pass through.
chmodSync(folder, 0o711);
const DATA_DIR = join(folder, 'data');
const start = () => startProductProcess({ DATA_DIR });
const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);

let product: ProductProcess | undefined;
try {
  const { large, books, events } = await filled();
  const made = process.argv.includes('--made') ? undefined : await command('rebuild', ['--adopt-log']);
  say({ made, events });
  const starts: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    await product?.stop();
    const began = performance.now();
    product = await start();
    starts.push(performance.now() - began);
  }
  if (!product) throw new Error('Nothing was started.');
  const idle = usedBy(product.pid).megabytes;
  // Of this run alone: sessions of an earlier one have ended, and its readers may have been left with something in their hands.
  const readers = await makePeople(product, CLIENTS, ['Reader']);
  const [auditor] = await makePeople(product, 1, ['Auditor']);
  const [admin] = await makePeople(product, 1, ['Reader', 'Admin']);
  if (!auditor || !admin) throw new Error('There is nobody.');
  const { call, close } = httpCaller(product.url, CLIENTS);
  const step = borrowSteps(call, readers, admin, books);
  say({ starts, idle });
  const usual = await commandsDuring(step, () => sleep(20_000));
  const rebuilt = await commandsDuring(step, () => command('rebuild'));
  say({ usual, rebuilt });
  close();
  const verified = await command('verify');
  const states = await statesOf(product, large, auditor);
  const simulated = await simulate(product, admin);
  const after = usedBy(product.pid).megabytes;
  say({ verified, simulated });
  await product.stop();
  const moved = process.argv.includes('--stay') ? undefined : await move();
  report({ events, made, starts, idle, usual, rebuilt, verified, states, simulated, after, moved });
} finally {
  await product?.stop();
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}

/** Makes the log where none is kept. */
async function filled(): ReturnType<typeof fill> {
  const file = join(folder, 'filled.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Awaited<ReturnType<typeof fill>>;
  const made = await fill();
  writeFileSync(file, JSON.stringify(made));
  return made;
}

/** Makes the log: histories by the decider, which are then copied by the database with other readers, borrows and ids. */
async function fill() {
  const product = await start();
  const books = await makeBooks(product.databaseUrl, 200, 10);
  const [large] = await makePeople(product, 1, ['Reader']);
  if (!large) throw new Error('There is nobody.');
  const client = eventStoreClient(product.eventStoreUrl, ANY_LOG, { batched: true });
  await appendHistory(client, large.pseudonym, closedHistory(large.pseudonym, EVENTS_OF_LARGE, books));
  const templates = Array.from({ length: TEMPLATES }, () => crypto.randomUUID());
  for (const reader of templates) {
    await appendHistory(client, reader, closedHistory(reader, EVENTS_OF_TEMPLATE, books));
  }
  await client.dispose();
  await product.stop();
  const postgres = await startPostgres(join(DATA_DIR, 'postgres'));
  const database = new pg.Client({ connectionString: postgres.url('lectern') });
  await database.connect();
  try {
    const events = await copyHistories(database, templates);
    return { large, books, events };
  } finally {
    await database.end();
    await postgres.stop();
  }
}

/** @returns how many events there are then */
async function copyHistories(database: pg.Client, readers: readonly string[]): Promise<number> {
  const count = async () => {
    const row = await queryRow(
      database,
      counted,
      'select count(*) as events, max(position) as last from eventstore.event',
    );
    if (!row) throw new Error('There is no log.');
    return row;
  };
  // What the histories would have told readers was told long ago.
  await database.query('delete from letters.letter');
  await database.query('set synchronous_commit = off');
  // Always the same one, with the digits that say what kind of id it is.
  await database.query(
    `create function pg_temp.other(id text, copy integer) returns text language sql immutable as
     $$ select overlay(overlay(md5(id || copy) placing '4' from 13) placing '8' from 17)::uuid::text $$`,
  );
  await database.query(
    `create temporary table template as
     select e.*, row_number() over (order by position) as place, convert_from(data, 'utf8') as text,
       substr(stream, length('borrows-') + 1) as reader, convert_from(data, 'utf8')::jsonb ->> 'borrowId' as borrow
     from eventstore.event e where stream = any($1)`,
    [readers.map((reader) => `borrows-${reader}`)],
  );
  const size =
    (await queryRow(database, z.object({ n: z.coerce.number() }), 'select count(*) as n from template'))?.n ??
    0;
  const { events, last } = await count();
  const copies = Math.ceil((EVENTS - events) / size);
  for (let from = 0; from < copies; from += COPIES_A_STATEMENT) {
    await database.query(
      `insert into eventstore.event
       select $1::bigint + copy * $2::bigint + place, revision, created, pg_temp.other(event_id::text, copy)::uuid,
         'borrows-' || pg_temp.other(reader, copy), type, content_type,
         convert_to(replace(replace(text, borrow, pg_temp.other(borrow, copy)), reader, pg_temp.other(reader, copy)), 'utf8'),
         metadata
       from template, generate_series($3::integer, $4::integer) as copy order by copy, place`,
      [last, size, from, Math.min(from + COPIES_A_STATEMENT, copies) - 1],
    );
  }
  await database.query('vacuum (analyze) eventstore.event');
  return (await count()).events;
}

/** Runs a command of the product as `npm run` does, and waits for its end. */
async function command(
  name: string,
  parameters: string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const file = fileURLToPath(new URL(`../cli/${name}.js`, import.meta.url));
  const flags = name === 'move-log' ? ['--heap-growing-percent=50'] : [];
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, file, ...parameters], {
    env: { ...process.env, DATA_DIR, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let megabytes = 0;
  const timer = setInterval(() => (megabytes = Math.max(megabytes, usedBy(child.pid).megabytes || 0)), 250);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}.`);
  return { seconds: (performance.now() - began) / 1000, megabytes };
}

/** A hundred commands a second, whatever they take, until the work is done. */
async function commandsDuring<Result>(
  step: Operation,
  work: () => Promise<Result>,
): Promise<{ result: Result; latencies: number[]; lost: number; refused: number }> {
  const free = Array.from({ length: CLIENTS }, (_, at) => at);
  const latencies: number[] = [];
  const underWay = new Set<Promise<void>>();
  let lost = 0;
  let refused = 0;
  const timer = setInterval(() => {
    const client = free.shift();
    // Everybody still waits: what should have begun now counts as lost.
    if (client === undefined) return void (lost += 1);
    const began = performance.now();
    const done = step(client)
      .then(
        () => {
          latencies.push(performance.now() - began);
          free.push(client);
        },
        // Whoever is refused something does not know what they have, and takes no further part.
        (error: unknown) => {
          if ((refused += 1) === 1) process.stderr.write(`The first refusal: ${String(error)}\n`);
        },
      )
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }, 1000 / COMMANDS_A_SECOND);
  const result = await work().finally(() => clearInterval(timer));
  await Promise.all(underWay);
  return { result, latencies, lost, refused };
}

async function asking(
  product: ProductProcess,
  { token }: Person,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${product.url}/api/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Milliseconds: of the first look at a reader of ten thousand events, and of their state at instants. */
async function statesOf(product: ProductProcess, { id }: Person, auditor: Person) {
  const took = async (path: string) => {
    const began = performance.now();
    await asking(product, auditor, path);
    return performance.now() - began;
  };
  const first = await took(`Audit/readers/${id}/state`);
  const latencies: number[] = [];
  const [from, until] = [Date.parse('2025-01-02T08:00:00.000Z'), Date.now()];
  for (let n = 0; n < INSTANTS; n += 1) {
    const at = new Date(from + Math.random() * (until - from)).toISOString();
    latencies.push(await took(`Audit/readers/${id}/state?at=${at}`));
  }
  return { first, latencies };
}

/** Seconds until a simulation of other rules over a year is done, and the most memory that the product has meanwhile. */
async function simulate(product: ProductProcess, admin: Person): Promise<Ran> {
  const rules = { ...ruleSetOf(BORROW_POLICY), loanDays: 7 };
  const began = performance.now();
  const { id } = (await asking(product, admin, 'Rules/what-if', {
    rules,
    from: '2025-03-01',
    to: '2026-02-28',
  })) as SimulationView;
  for (let megabytes = 0; ;) {
    await sleep(500);
    megabytes = Math.max(megabytes, usedBy(product.pid).megabytes);
    const { state } = (await asking(product, admin, `Rules/what-if/${id}`)) as SimulationView;
    if (state === 'done') return { seconds: (performance.now() - began) / 1000, megabytes };
    if (state === 'failed' || state === 'cancelled') throw new Error(`The simulation is ${state}.`);
  }
}

/** Into another event store, which has a PostgreSQL of its own. */
async function move(): Promise<Ran> {
  const postgres = await startThrowAwayPostgres();
  try {
    await postgres.createDatabase('moved');
    const store = await startStoreProcess(postgres.url('moved'), folder);
    try {
      return await command('move-log', [], { MOVE_LOG_TO: store.connectionString });
    } finally {
      await store.stop();
    }
  } finally {
    await postgres.stop();
  }
}

interface Commands {
  latencies: number[];
  lost: number;
  /** Answered by an error. */
  refused: number;
}

interface Figures {
  events: number;
  /** Not where the lists were there. */
  made: Ran | undefined;
  starts: number[];
  idle: number;
  usual: Commands;
  rebuilt: Commands & { result: Ran };
  verified: Ran;
  states: { first: number; latencies: number[] };
  simulated: Ran;
  /** Megabytes of the product, when all of it was done. */
  after: number;
  moved: Ran | undefined;
}

function report(figures: Figures): void {
  const { events, made, starts, idle, usual, rebuilt, verified, states, simulated, after, moved } = figures;
  const row = (what: string, { seconds, megabytes }: Ran) => ({
    what,
    seconds: seconds.toFixed(1),
    'events a second': Math.round(events / seconds),
    megabytes: Math.round(megabytes),
  });
  printTable([
    ...(made ? [row('rebuild, nothing else runs', made)] : []),
    row(`rebuild under ${COMMANDS_A_SECOND} commands a second`, rebuilt.result),
    row('verify', verified),
    row('a simulation of a year', simulated),
    ...(moved ? [row('move-log', moved)] : []),
  ]);
  const ms = (latencies: number[], share: number) => percentile(latencies, share).toFixed(0);
  const commands = (what: string, { latencies, lost, refused }: Commands) =>
    `${what}: p50 ${ms(latencies, 0.5)}, p95 ${ms(latencies, 0.95)}, longest ${ms(latencies, 1)} ms, ${lost} lost and ${refused} refused of ${latencies.length}`;
  process.stdout.write(
    `${events.toLocaleString('en')} events. Start: ${median(starts).toFixed(0)} ms; memory ${idle.toFixed(0)} MB then, ` +
      `${after.toFixed(0)} MB after everything.\n${commands('Commands without a rebuild', usual)}\n` +
      `${commands('Commands during a rebuild', rebuilt)}\n` +
      `A state of ${EVENTS_OF_LARGE} events: first ${states.first.toFixed(0)} ms, then p95 ${ms(states.latencies, 0.95)} ms.\n`,
  );
  writeRawFigures(figures);
}
