/**
 * How long an auditor waits for the first look at a reader of 10,000 events, their first page and their whole history, and for
 * "as of then": the state of a reader of 10,000 events at random instants, over HTTP
 * against the whole product, in a log of a million events. The first answer for a reader reads and folds their whole
 * stream; the others read on from where the process is. Floor: reading that stream through the client and doing
 * nothing. Run it by `npm run bench:audit`, or with fewer events by `npm run bench:audit -- 200000`.
 */
import type { EventStoreDBClient } from '@eventstore/db-client';
import pg from 'pg';
import type { Timeline } from '#contracts/audit/timeline.js';
import { borrowStream } from '#contracts/borrowing/borrow-events.js';
import { readCheckpoint } from '../projections/checkpoint.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { storeHistories, storeHistory } from './borrow-histories.js';
import { makeBooks, makePeople, type Person } from './library-people.js';
import { latencyColumns, median, percentile, printTable, type Measured } from './measure.js';
import { writeRawFigures } from './raw-figures.js';
import { startProductProcess, type ProductProcess } from './product-process.js';

const EVENTS = Number(/^\d+$/.test(process.argv[2] ?? '') ? process.argv[2] : 1_000_000);
const LARGE_READERS = 6;
const EVENTS_OF_LARGE = 10_000;
const EVENTS_OF_SMALL = 50;
/** Instants that the auditor asks for, of each large reader. */
const INSTANTS = 200;
/** Milliseconds that the 95th percentile of all states may take, any first page, and any first timeline or state. */
const GOAL = 200;
const PAGE_GOAL = 200;
const FIRST_GOAL = 600;

const product = await startProductProcess();
const client = eventStoreClient(product.eventStoreUrl, ANY_LOG, { batched: true });
try {
  const books = await makeBooks(product.databaseUrl, 200, 10);
  const large = await makePeople(product, LARGE_READERS, ['Reader']);
  const [auditor] = await makePeople(product, 1, ['Auditor']);
  if (!auditor) throw new Error('There is no auditor.');
  for (const { pseudonym } of large) await storeHistory(client, pseudonym, EVENTS_OF_LARGE, books);
  const others = Math.max(EVENTS - LARGE_READERS * EVENTS_OF_LARGE, 0);
  await storeHistories(client, Math.ceil(others / EVENTS_OF_SMALL), EVENTS_OF_SMALL, books);
  await caughtUp(product, EVENTS);
  report(await measure(client, product, large, auditor));
} finally {
  await client.dispose();
  await product.stop();
}

interface Stages {
  floor: number[];
  pages: number[];
  looks: number[];
  first: number[];
  states: number[];
  timelines: number[];
  bytes: number;
}

async function measure(
  log: EventStoreDBClient,
  { url }: ProductProcess,
  readers: readonly Person[],
  auditor: Person,
): Promise<Stages> {
  const stages: Stages = { floor: [], pages: [], looks: [], first: [], states: [], timelines: [], bytes: 0 };
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(`${url}/api/Audit/${path}`, {
      headers: { authorization: `Bearer ${auditor.token}` },
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${text}`);
    return text;
  };
  /** As the site asks for it: part by part. @returns its bytes */
  const timeline = async (id: string) => {
    let bytes = 0;
    for (let after = -1, last = 0; after < last;) {
      const text = await ask(`readers/${id}/timeline?after=${after}`);
      const part = JSON.parse(text) as Timeline;
      bytes += Buffer.byteLength(text);
      last = part.lastRevision;
      after = part.rows.at(-1)?.[0] ?? last;
    }
    return bytes;
  };
  for (const [index, { id, pseudonym }] of readers.entries()) {
    stages.pages.push(await milliseconds(() => ask(`readers/${id}/events`)));
    // Nobody has looked at them before: of every second reader, the timeline is asked for first.
    if (index % 2 === 0) stages.looks.push(await milliseconds(() => timeline(id)));
    stages.floor.push(await milliseconds(() => readStream(log, pseudonym)));
    const began = performance.now();
    const now = JSON.parse(await ask(`readers/${id}/state`)) as { asOf: { at: string } };
    if (index % 2 === 1) stages.first.push(performance.now() - began);
    const [from, to] = [Date.parse('2025-01-02T08:00:00.000Z'), Date.parse(now.asOf.at)];
    for (let n = 0; n < INSTANTS; n += 1) {
      const at = new Date(from + Math.random() * (to - from)).toISOString();
      stages.states.push(await milliseconds(() => ask(`readers/${id}/state?at=${at}`)));
    }
    for (let n = 0; n < 5; n += 1) {
      stages.timelines.push(
        await milliseconds(async () => {
          stages.bytes = await timeline(id);
        }),
      );
    }
  }
  return stages;
}

async function readStream(log: EventStoreDBClient, pseudonym: string): Promise<void> {
  let count = 0;
  for await (const { event } of log.readStream(borrowStream(pseudonym))) if (event) count += 1;
  if (count !== EVENTS_OF_LARGE) throw new Error(`The stream has ${count} events.`);
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The projection has everything: it competes with nothing that is measured. */
async function caughtUp({ databaseUrl }: ProductProcess, events: number): Promise<void> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  try {
    while ((await readCheckpoint(connection, READ_MODEL)).events < BigInt(events)) {
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  } finally {
    await connection.end();
  }
}

function report({ floor, pages, looks, first, states, timelines, bytes }: Stages): void {
  const base = median(floor);
  const row = (what: string, latencies: number[]) => {
    const measured: Measured = { count: latencies.length, seconds: 0, latencies };
    const ratio = `${(median(latencies) / base).toFixed(3)} x`;
    return { what, times: latencies.length, ...latencyColumns(measured), 'p50 / floor': ratio };
  };
  printTable([
    row(`floor: read ${EVENTS_OF_LARGE.toLocaleString('en')} events`, floor),
    row('the first page of 100 events', pages),
    row('the first look: a whole timeline', looks),
    row('the first look: the state', first),
    row('a state at an instant', states),
    row(`a whole timeline (${Math.round(bytes / 1024)} KB)`, timelines),
  ]);
  const all = percentile([...looks, ...first, ...states], 0.95);
  process.stdout.write(
    `Goal: p95 of all states, the first ones included, at most ${GOAL} ms: ${all.toFixed(1)} ms, ` +
      `${all <= GOAL ? 'reached' : 'missed'}. ${EVENTS.toLocaleString('en')} events in the log.\n`,
  );
  const page = Math.max(...pages);
  const look = Math.max(...looks, ...first);
  process.stdout.write(
    `Goals: the first page within ${PAGE_GOAL} ms: ${page.toFixed(0)} ms, ${page <= PAGE_GOAL ? 'reached' : 'missed'}; ` +
      `the first look within ${FIRST_GOAL} ms: ${look.toFixed(0)} ms, ${look <= FIRST_GOAL ? 'reached' : 'missed'}.\n`,
  );
  const many = { states: { latencies: states }, timelines: { latencies: timelines } };
  writeRawFigures({ events: EVENTS, floor, pages, looks, first, ...many });
}
