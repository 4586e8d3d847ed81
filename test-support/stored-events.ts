import { EventStoreDBClient, NO_STREAM } from '@eventstore/db-client';
import { borrowStream } from '#contracts/borrowing/borrow-events.js';
import { borrowHistory, toStore } from '../bench/borrow-histories.js';

/** Ids of no book: nothing here looks at the catalogue. */
const BOOKS = Array.from({ length: 10 }, (_, index) => 900_000 + index);
const EVENTS_AN_APPEND = 1_000;

/** Gives a reader a history of so many events over the years before, as the decider makes them. */
export async function storeEvents(eventStoreUrl: string, readerId: string, count: number): Promise<void> {
  const client = EventStoreDBClient.connectionString(eventStoreUrl);
  try {
    const events = borrowHistory(readerId, count, BOOKS).map((event) => toStore(event));
    for (let from = 0; from < events.length; from += EVENTS_AN_APPEND) {
      await client.appendToStream(borrowStream(readerId), events.slice(from, from + EVENTS_AN_APPEND), {
        expectedRevision: from === 0 ? NO_STREAM : BigInt(from - 1),
      });
    }
  } finally {
    await client.dispose();
  }
}
