import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { storeHistory } from '../bench/borrow-histories.js';

/** Ids of no book: nothing here looks at the catalogue. */
const BOOKS = Array.from({ length: 10 }, (_, index) => 900_000 + index);

/** Gives a reader a history of so many events over many years, as the decider makes them. */
export async function storeEvents(
  eventStoreUrl: string,
  readerId: string,
  count: number,
): Promise<BorrowEvent[]> {
  const client = eventStoreClient(eventStoreUrl, ANY_LOG, { batched: true });
  try {
    return await storeHistory(client, readerId, count, BOOKS);
  } finally {
    await client.dispose();
  }
}
