import { randomUUID } from 'node:crypto';
import {
  type AllStreamSubscription,
  EventStoreDBClient,
  startEventStore,
  startTestStore,
  type StreamSubscription,
} from './event-store-parts.js';
import type { EventStoreHere } from '../../embedded/event-store/event-store-server.js';
import { createTestDatabase } from '../database/database.js';
import { TIMEOUT } from '../wait-for.js';

const { TEST_EVENT_STORE_COMMAND } = process.env;

/** For facts that hold of the embedded store alone. */
export const embeddedOnly = TEST_EVENT_STORE_COMMAND
  ? (name: string, test: () => Promise<void>) => it.skip(`${name} (of the embedded event store)`, test)
  : it;

/** The store that the tests speak to, on a database of its own if it needs one, with a client. */
export interface EventStoreUnderTest {
  client: EventStoreDBClient;
  url: string;
  close(): Promise<void>;
}

export async function openEventStoreUnderTest(): Promise<EventStoreUnderTest> {
  const database = await createTestDatabase();
  const store = await startTestStore({ databaseUrl: database.url, mayDelete: true });
  const client = EventStoreDBClient.connectionString(store.url);
  return {
    client,
    url: store.url,
    close: async () => {
      await client.dispose();
      await store.stop();
      await database.drop();
    },
  };
}

/**
 * Starts an embedded store on a database of its own. The test may stop it before its end.
 * @param closers what the test does at its end, the last first
 */
export async function startEmbeddedStore(closers: (() => Promise<unknown>)[]): Promise<EventStoreHere> {
  const database = await createTestDatabase();
  closers.push(() => database.drop());
  const store = await startEventStore({ databaseUrl: database.url });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= store.stop());
  closers.push(stop);
  return { ...store, stop };
}

/** A stream name that no other test uses. */
export function uniqueStream(category = 'test'): string {
  return `${category}-${randomUUID().replaceAll('-', '')}`;
}

/** A category (the part of a stream name up to its first dash) that no other test uses. */
export function uniqueCategory(): string {
  return `c${randomUUID().replaceAll('-', '')}`;
}

/** All that a read gives. */
export async function collect<T>(read: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of read) all.push(item);
  return all;
}

/** The error that a promise is rejected with. */
export async function refusal(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error('It was not refused');
}

/** Waits until something holds. */
export async function eventually(holds: () => boolean, timeoutMs = TIMEOUT): Promise<void> {
  const until = Date.now() + timeoutMs;
  while (!holds()) {
    if (Date.now() > until) throw new Error('It did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Resolves when the subscription reports that it has caught up. */
export function caughtUp(subscription: AllStreamSubscription | StreamSubscription): Promise<void> {
  return new Promise((resolve, reject) => {
    subscription.once('caughtUp', () => resolve());
    subscription.once('error', reject);
  });
}
