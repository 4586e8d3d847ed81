import { EventStoreDBClient, START, jsonEvent } from '@eventstore/db-client';
import { createTestDatabase, type TestDatabase } from '../../test-support/database.js';
import { eventually } from '../../test-support/event-store-under-test.js';
import { startEventStore, type RunningEventStore } from './event-store-server.js';

const EVENTS = 50_000;
const PER_APPEND = 500;
const BYTES = 600;

describe('a subscriber that does not read', () => {
  let database: TestDatabase;
  let store: RunningEventStore;
  beforeAll(async () => {
    database = await createTestDatabase();
    store = await startEventStore({ databaseUrl: database.url });
  });
  afterAll(async () => {
    await store.stop();
    await database.drop();
  });

  it('holds up no writer and fills no memory, and then gets everything in order', async () => {
    const [reader, writer] = [0, 1].map(() => EventStoreDBClient.connectionString(store.connectionString));
    const subscriptions = [
      reader!.subscribeToAll({ fromPosition: START }),
      reader!.subscribeToStream('slow-0', { fromRevision: START }),
    ];
    let fellBehind = 0;
    for (const subscription of subscriptions) {
      await new Promise((resolve) => {
        subscription.once('caughtUp', () => resolve(undefined));
        // Without a reader nothing flows at all: read until it is live, then stop.
        subscription.resume();
      });
      subscription.on('fellBehind', () => (fellBehind += 1));
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

    const received = subscriptions.map(() => [] as number[]);
    for (const [index, subscription] of subscriptions.entries()) {
      subscription.on('data', ({ event }: { event?: { data: unknown } }) =>
        received[index]!.push((event!.data as { n: number }).n),
      );
      subscription.resume();
    }
    await eventually(() => received[0]!.length + received[1]!.length >= EVENTS * 1.5, 30_000);
    const all = Array.from({ length: EVENTS }, (_, n) => n);
    expect(received[0]).toEqual(all);
    expect(received[1]).toEqual(all.filter((n) => Math.floor(n / PER_APPEND) % 2 === 0));
    expect(fellBehind).toBeGreaterThan(0);
    // A subscription whose client goes away first reports that as an error, which nobody awaits any more.
    for (const subscription of subscriptions) await subscription.unsubscribe();
    await reader!.dispose();
    await writer!.dispose();
  });
});
