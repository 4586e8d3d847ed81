/**
 * How many rents, issues and returns a second the product acknowledges on another event store, beside the same on the embedded one.
 * Floor of each: a bare client that appends one event and waits until its own subscription brings it, which is what every
 * command has to wait for. All in turns in one run. Run it by
 * `npm run bench:event-stores -- --beside "esdb://127.0.0.1:2113?tls=false"` on a store with an empty log; `--store-pid 123`
 * counts what that store's process works, `--clients 1,64` measures with fewer, `--json FILE` writes the figures down.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  jsonEvent,
  NO_STREAM,
  START,
  streamNameFilter,
  TimeoutError,
  type Position,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { borrowSteps, type Operation } from './borrow-clients.js';
import { httpCaller } from './http-caller.js';
import { makeBooks, makePeople } from './library-people.js';
import { closedLoop, inTurn, latencyColumns, printTable, rate, type Measured } from './measure.js';
import { added, processorTime, summed, type ProcessorTime } from './process-costs.js';
import { startProductProcess, type ProductProcess } from './product-process.js';
import { writeRawFigures } from './raw-figures.js';

const ROUNDS = 3;
const SECONDS_A_ROUND = 3;
const WARM_UP_SECONDS = 10;
const EVENT = { borrowId: randomUUID(), books: [{ bookId: 1, title: 'x'.repeat(200) }] };

const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const BESIDE = argument('--beside');
const STORE_PID = Number(argument('--store-pid') ?? 0);
const CLIENTS = (argument('--clients') ?? '1,8,64').split(',').map(Number);
const MOST = Math.max(...CLIENTS);

/** One side: the product, or the floor, on one of the stores. */
interface Side {
  what: string;
  store: string;
  step: Operation;
  /** What works for it, beside the bench itself. */
  worked: () => ProcessorTime;
  close: () => Promise<unknown>;
}

if (BESIDE === undefined) throw new Error('Say where the other event store is: --beside esdb://…');
await runBenchmark(BESIDE);

async function runBenchmark(beside: string): Promise<void> {
  const sides: Side[] = [];
  try {
    const embedded = await product('embedded', {});
    sides.push(embedded.side);
    const other = await product('other', { EVENTSTORE_URL: beside });
    sides.push(other.side);
    sides.push(await floor('embedded', embedded.process.eventStoreUrl, embedded.process));
    sides.push(await floor('other', beside, other.process));
    for (const { step } of sides) await closedLoop(MOST, WARM_UP_SECONDS, step);
    const figures = [];
    for (const clients of CLIENTS) figures.push(...(await compare(clients, sides)));
    printTable(figures.map(row));
    writeRawFigures({ figures });
  } finally {
    for (const { close } of sides.reverse()) await close();
  }
}

async function product(
  store: string,
  settings: NodeJS.ProcessEnv,
): Promise<{ side: Side; process: ProductProcess }> {
  const started = await startProductProcess({ JOBS: 'off', ...settings });
  const whole = httpCaller(started.url, MOST);
  const readers = await makePeople(started, MOST, ['Reader']);
  const [librarian] = await makePeople(started, 1, ['Reader', 'Admin']);
  if (!librarian) throw new Error('There is no librarian.');
  const books = await makeBooks(started.databaseUrl, MOST, 2);
  const step = borrowSteps(whole.call, readers, librarian, books);
  const close = async () => {
    whole.close();
    await started.stop();
  };
  return { process: started, side: { what: 'product', store, step, worked: workOf(started, store), close } };
}

/** An append to a stream of the client's own, and the event by a subscription: acknowledged when both are there. */
async function floor(store: string, url: string, { pid, postmaster }: ProductProcess): Promise<Side> {
  const client = eventStoreClient(url, ANY_LOG, { batched: true });
  const prefix = `floor${randomUUID()}`;
  const waiting = new Map<string, () => void>();
  await arriving(client, prefix, (id) => waiting.get(id)?.());
  const streams = Array.from({ length: MOST }, () => `${prefix}-${randomUUID()}`);
  const revisions: (bigint | typeof NO_STREAM)[] = streams.map(() => NO_STREAM);
  const step: Operation = async (writer) => {
    const event = jsonEvent({ type: 'BooksRented', data: EVENT });
    const delivered = new Promise<void>((resolve) => waiting.set(event.id, resolve));
    const expectedRevision = revisions[writer] ?? NO_STREAM;
    await client.appendToStream(streams[writer] ?? '', event, { expectedRevision });
    revisions[writer] = expectedRevision === NO_STREAM ? 0n : expectedRevision + 1n;
    await delivered;
    waiting.delete(event.id);
  };
  const close = () => client.dispose();
  return { what: 'floor', store, step, worked: workOf({ pid, postmaster }, store), close };
}

/** Follows some streams. A store that is busy ends a subscription as too slow: it goes on from where it was. */
async function arriving(
  client: ResilientEventStoreClient,
  prefix: string,
  arrived: (id: string) => void,
): Promise<void> {
  const filter = streamNameFilter({ prefixes: [prefix] });
  let fromPosition: Position | typeof START = START;
  const begin = () => {
    const subscription = client.subscribeInChunks({ fromPosition, filter }, 128, 0);
    subscription.on('data', (resolved: ResolvedEvent | ResolvedEvent[]) => {
      for (const { event } of [resolved].flat()) {
        if (!event?.position) continue;
        fromPosition = event.position;
        arrived(event.id);
      }
    });
    subscription.on('error', (error: Error) => {
      if (!(error instanceof TimeoutError)) throw error;
      begin();
    });
    return subscription;
  };
  await once(begin(), 'caughtUp');
}

/** Of the other store, its own process instead of that of PostgreSQL. */
function workOf({ pid, postmaster }: Pick<ProductProcess, 'pid' | 'postmaster'>, store: string) {
  return () => {
    const time = processorTime(pid, postmaster);
    const other = store === 'other' && STORE_PID > 0 ? processorTime(STORE_PID, STORE_PID).postgres : 0;
    return { ...time, children: other };
  };
}

interface Figures {
  what: string;
  store: string;
  clients: number;
  measured: Measured;
  /** Of one operation, in milliseconds; `children` is the other store. */
  work: ProcessorTime;
}

async function compare(clients: number, sides: readonly Side[]): Promise<Figures[]> {
  const turns = sides.map(() => [] as { measured: Measured; work: ProcessorTime }[]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { step, worked }] of sides.entries()) {
      const before = worked();
      const measured = await closedLoop(clients, SECONDS_A_ROUND, step);
      turns[index]?.push({ measured, work: added(before, worked()) });
    }
  }
  return sides.map(({ what, store }, index) => {
    const of = turns[index] ?? [];
    const measured = inTurn(of.map((turn) => turn.measured));
    const work = summed(of.map((turn) => turn.work));
    const names = Object.keys(work) as (keyof ProcessorTime)[];
    const each = Object.fromEntries(
      names.map((name) => [name, work[name] / measured.count]),
    ) as unknown as ProcessorTime;
    return { what, store, clients, measured, work: each };
  });
}

function row({ what, store, clients, measured, work }: Figures): Record<string, string | number> {
  const ms = (value: number) => value.toFixed(2);
  return {
    clients,
    what: `${what}, ${store}`,
    'per second': Math.round(rate(measured)),
    ...latencyColumns(measured),
    'main thread, ms': ms(work.mainThread),
    'other threads': ms(work.otherThreads),
    PostgreSQL: ms(work.postgres),
    'other store': ms(work.children),
  };
}
