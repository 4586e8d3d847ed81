import { randomUUID } from 'node:crypto';
import {
  EventStoreDBClient,
  type AllStreamSubscription,
  type StreamSubscription,
} from '@eventstore/db-client';
import { startEventStore } from '../embedded/event-store/event-store-server.js';
import { createTestDatabase } from './database.js';
import { PATIENCE } from './wait-for.js';

/** The store that the conformance tests speak to: the embedded one, or the one that EVENTSTORE_URL names. */
export interface EventStoreUnderTest {
  client: EventStoreDBClient;
  close(): Promise<void>;
}

/** For facts that hold of the embedded store alone, and for tests that stop it or need a log that is theirs alone. */
export const embeddedOnly = process.env['EVENTSTORE_URL']
  ? (name: string, test: () => Promise<void>) =>
      it.skip(`${name} (not with EVENTSTORE_URL: needs its own)`, test)
  : it;

export async function openEventStoreUnderTest(): Promise<EventStoreUnderTest> {
  const given = process.env['EVENTSTORE_URL'];
  if (given) {
    const client = EventStoreDBClient.connectionString(given);
    return { client, close: () => client.dispose() };
  }
  const database = await createTestDatabase();
  const store = await startEventStore({ databaseUrl: database.url, mayDelete: true });
  const client = EventStoreDBClient.connectionString(store.connectionString);
  return {
    client,
    close: async () => {
      await client.dispose();
      await store.stop();
      await database.drop();
    },
  };
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
export async function eventually(holds: () => boolean, timeoutMs = PATIENCE): Promise<void> {
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
