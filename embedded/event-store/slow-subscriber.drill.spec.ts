import { randomUUID } from 'node:crypto';
import {
  EventStoreDBClient,
  START,
  TimeoutError,
  jsonEvent,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { storeHistory } from '../../bench/borrow-histories.js';
import { createTestDatabase } from '../../test-support/database/database.js';
import { caughtUp, eventually } from '../../test-support/event-store/event-store-under-test.js';
import { startProduct } from '../../test-support/product/product.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';
import { startEventStore } from './event-store-server.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const EVENTS = 50_000;
const PER_APPEND = 500;
const BYTES = 600;

describe('a subscriber that does not read', () => {
  const database = shared(() => createTestDatabase());
  const store = shared(() => startEventStore({ databaseUrl: database.url }));

  it('holds up no writer and fills no memory; it is ended, and gets everything in order by asking for the rest', async () => {
    const [reader, writer] = [0, 1].map(() => EventStoreDBClient.connectionString(store.connectionString));
    const subscribe = [
      (last?: ResolvedEvent) => reader!.subscribeToAll({ fromPosition: last?.event?.position ?? START }),
      (last?: ResolvedEvent) =>
        reader!.subscribeToStream('slow-0', { fromRevision: last?.event?.revision ?? START }),
    ];
    await writer!.appendToStream('slow-0', jsonEvent({ type: 'Noted', data: { n: -1 } }));
    const received = subscribe.map((): ResolvedEvent[] => []);
    const subscriptions = subscribe.map((begin, index) => {
      const subscription = begin();
      subscription.on('data', (event: ResolvedEvent) => received[index]!.push(event));
      return subscription;
    });
    const ended = subscriptions.map((subscription) => new Promise((end) => subscription.once('error', end)));
    for (const subscription of subscriptions) {
      await caughtUp(subscription);
      subscription.pause();
    }

    globalThis.gc?.();
    const memory = process.memoryUsage().rss;
    let slowest = 0;
    let mostMemory = 0;
    const text = 'x'.repeat(BYTES);
    for (let n = 0; n < EVENTS; n += PER_APPEND) {
      const events = Array.from({ length: PER_APPEND }, (_, index) =>
        jsonEvent({ type: 'Noted', data: { n: n + index, text } }),
      );
      const began = performance.now();
      await writer!.appendToStream(`slow-${(n / PER_APPEND) % 2}`, events);
      slowest = Math.max(slowest, performance.now() - began);
      mostMemory = Math.max(mostMemory, process.memoryUsage().rss - memory);
    }
    // A blocked writer would have waited for ever; a busy machine makes it wait a while.
    expect(slowest).toBeLessThan(3000);
    // Two queues of these events would be some 130 MB and more, beside what the writing client needs.
    expect(mostMemory).toBeLessThan(180 * 1024 * 1024);

    for (const subscription of subscriptions) subscription.resume();
    expect(await Promise.all(ended)).toEqual([expect.any(TimeoutError), expect.any(TimeoutError)]);
    const rest = subscribe.map((begin, index) => {
      const subscription = begin(received[index]!.at(-1));
      subscription.on('data', (event: ResolvedEvent) => received[index]!.push(event));
      return subscription;
    });
    await eventually(() => received[0]!.length + received[1]!.length >= EVENTS * 1.5 + 2);
    const all = Array.from({ length: EVENTS }, (_, n) => n);
    const numbers = received.map((events) => events.map(({ event }) => (event!.data as { n: number }).n));
    expect(numbers[0]).toEqual([-1, ...all]);
    expect(numbers[1]).toEqual([-1, ...all.filter((n) => Math.floor(n / PER_APPEND) % 2 === 0)]);
    // A subscription whose client goes away first reports that as an error, which nobody awaits any more.
    for (const subscription of rest) await subscription.unsubscribe();
    await reader!.dispose();
    await writer!.dispose();
  });
});

describe('the projection and the letters', () => {
  /** Ends of each subscription. */
  const ENDS = 25;
  /** Events of an append: more than is kept for a live subscriber. */
  const BURST = 1000;
  /** None of the catalogue. */
  const BOOKS = Array.from({ length: 10 }, (_, index) => 900_000 + index);

  // No look at the parts meanwhile: on a busy machine one may be slow, and that is said.
  const product = shared(() => startProduct(undefined, { heartbeatMs: 3_600_000 }));
  let operations: string;
  beforeAll(async () => (operations = await product.projectionOperations()));

  const counted = async () => {
    const { rows } = await product.database.query<{ n: string }>(
      `select events as n from ${READ_MODEL}.checkpoint union all select events from letters.checkpoint`,
    );
    return rows.map(({ n }) => Number(n));
  };
  const resubscriptions = async () => {
    const text = await (await fetch(`${operations}/metrics`)).text();
    return [...text.matchAll(/^lectern_follower_resubscriptions\{.*\} (\d+)$/gm)].map(([, n]) => Number(n));
  };

  it(`are ended ${ENDS} times under load, go on each time, and nothing is lost, doubled or said`, async () => {
    const client = eventStoreClient(product.settings.EVENTSTORE_URL, ANY_LOG, { batched: true });
    const reader = await product.account();
    const librarian = await product.account('Admin');
    const bookIds = [await product.book(50)];
    const before = await counted();
    let [stored, rents, working] = [0, 0, true];
    // Commands go on meanwhile, each with its rows and letters.
    const commands = (async () => {
      for (; working; rents += 1) {
        const rented = await reader.post('Borrow/rent-books', { bookIds });
        expect(rented.status).toBe(200);
        const { borrowId } = rented.body as { borrowId: string };
        const query = `borrowId=${borrowId}&userId=${reader.id}`;
        expect((await librarian.post(`Borrow/issue-books?${query}`, { bookIds })).status).toBe(200);
        expect((await librarian.post(`Borrow/return-books?${query}`, { bookIds })).status).toBe(200);
      }
    })();
    try {
      while (Math.min(...(await resubscriptions())) < ENDS) {
        await storeHistory(client, randomUUID(), BURST, BOOKS);
        stored += BURST;
        // Only who is live can be too slow.
        await waitFor(async () => (await counted()).every((n, index) => n >= (before[index] ?? 0) + stored));
      }
    } finally {
      working = false;
      await commands;
      await client.dispose();
    }
    const total = stored + rents * 3;
    await waitFor(async () => (await counted()).every((n, index) => n >= (before[index] ?? 0) + total));
    expect(await counted()).toEqual(before.map((n) => n + total));
    expect((await product.differences()).filter((one) => !one.endsWith('no copy is held'))).toEqual([]);
    expect((await product.projectionState())?.kind).toBe('leading');
    expect((await product.lines()).filter((line) => /tries again|"level":[456]0/.test(line))).toEqual([]);
    process.stdout.write(
      `${(await resubscriptions()).join(' and ')} ends, ${stored} events, ${rents} rents\n`,
    );
  });
});
