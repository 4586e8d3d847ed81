import { randomUUID } from 'node:crypto';
import { borrowStream } from '#contracts/borrowing/borrow-events.js';
import { metadataOf } from './event-metadata.js';
import type { TestProduct } from '../product/product.js';

/** An event that is no part of this release, or none at all. */
interface ForeignEvent {
  type: string;
  data: object;
  /** Null: none. */
  metadata?: object | null;
}

/** Stores an event in a reader's stream past the product, as another release or a script would. Gives its id. */
export async function storeForeign(
  product: Pick<TestProduct, 'eventStore'>,
  readerId: string,
  { type, data, metadata = { ...metadataOf(), schemaVersion: 1 } }: ForeignEvent,
): Promise<string> {
  const event = { id: randomUUID(), contentType: 'application/json' as const, type, data: { ...data } };
  await product.eventStore.appendToStream(borrowStream(readerId), {
    ...event,
    metadata: metadata === null ? undefined : { ...metadata },
  });
  return event.id;
}

/** Stores that the last event of a reader's stream is skipped. */
export async function skipLast(
  product: Pick<TestProduct, 'log'>,
  readerId: string,
  eventId: string,
): Promise<void> {
  const last = await product.log.lastRevision('borrows', readerId);
  const data = {
    revision: Number(last),
    eventId,
    code: 'unreadable',
    skippedAt: new Date().toISOString(),
  } as const;
  const event = { type: 'EventSkipped', data } as const;
  await product.log.append('borrows', readerId, [{ id: randomUUID(), event, metadata: metadataOf() }], last);
}
