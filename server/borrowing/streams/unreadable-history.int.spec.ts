import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { borrowStream } from '#contracts/borrowing/borrow-events.js';
import type { EventSkipped } from '#contracts/event-log/skipped-events.js';
import { startProduct } from '../../../test-support/product.js';
import { shared } from '../../../test-support/shared.js';
import { metadataOf } from '../../../test-support/event-metadata.js';

/** Events that nobody can fold, and what the refusal says of them. */
const TROUBLES = [
  {
    name: 'a type that this release does not know',
    type: 'BooksRecalled',
    data: { why: 'x' },
    says: 'type is unknown',
  },
  {
    name: 'data that do not hold',
    type: 'BooksIssued',
    data: { borrowId: 1, policyVersion: 1 },
    says: 'fields do not hold',
  },
  {
    name: 'an event without its rent',
    type: 'BorrowExpired',
    data: { borrowId: randomUUID(), bookIds: [1], expiredAt: '2026-11-05T10:00:00.000Z' },
    says: 'has no BooksRented or LoanTakenOver before it',
  },
  { name: 'no metadata', type: 'BorrowExpired', data: {}, metadata: null, says: 'no metadata' },
];

describe('a history with an event that cannot be read or applied', () => {
  const product = shared(() => startProduct());
  const client = shared(() => EventStoreDBClient.connectionString(product.settings.EVENTSTORE_URL));
  const auditor = shared(() => product.account('Reader', 'Auditor'));

  async function setAside(key: string, event: EventSkipped['data']): Promise<void> {
    const last = await product.log.lastRevision('borrows', key);
    const decision = {
      id: randomUUID(),
      event: { type: 'EventSkipped', data: event },
      metadata: metadataOf(),
    } as const;
    await product.log.append('borrows', key, [decision], last);
  }

  it.each(TROUBLES)(
    'refuses commands and says why, and goes on once it is skipped: $name',
    async (trouble) => {
      const reader = await product.account();
      const [first, second] = [await product.book(1), await product.book(1)];
      expect((await reader.post('Borrow/rent-books', { bookIds: [first] })).status).toBe(200);
      const stored = {
        id: randomUUID(),
        type: trouble.type,
        data: trouble.data,
        ...(trouble.metadata !== null && { metadata: { ...metadataOf(), schemaVersion: 1 } }),
      };
      await client.appendToStream(borrowStream(reader.pseudonym), jsonEvent(stored));

      // Whoever has folded the stream before learns of it when they are refused, or appends: the revision moved on.
      const refused = await reader.post('Borrow/rent-books', { bookIds: [second] });
      expect(refused).toMatchObject({ status: 500, body: { code: 'HistoryUnreadable' } });
      expect(refused.body.detail).toContain(trouble.says);
      expect(await product.log.lastRevision('borrows', reader.pseudonym)).toBe(1n);
      expect((await reader.get(`Borrow/history?at=2099-01-01T00:00:00.000Z`)).body.code).toBe(
        'HistoryUnreadable',
      );

      await setAside(reader.pseudonym, {
        revision: 1,
        eventId: stored.id,
        code: 'unreadable',
        skippedAt: new Date().toISOString(),
      });
      const key = { 'idempotency-key': randomUUID() };
      const rented = await reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] }, key);
      expect(rented.status).toBe(200);
      expect(
        (await product.log.readStream('borrows', reader.pseudonym)).map(({ event }) => event.type),
      ).toEqual(['BooksRented', 'EventSkipped', 'BooksRented']);
      const past = (await reader.get(`Borrow/history?at=2099-01-01T00:00:00.000Z`)).body;
      expect(past).toMatchObject({ totalCount: 2, asOf: { revision: 3 } });

      const timeline = (await auditor.get(`Audit/readers/${reader.id}/timeline`)).body;
      expect(timeline).toMatchObject({ totalCount: 4, lastRevision: 3 });
      expect(timeline.rows.map(([, type]: number[]) => timeline.types[type ?? 0])).toEqual([
        'BooksRented',
        trouble.type,
        'EventSkipped',
        'BooksRented',
      ]);
      const { items } = (await auditor.get(`Audit/readers/${reader.id}/events`)).body;
      expect(items).toMatchObject([
        { type: 'BooksRented' },
        { type: trouble.type, id: stored.id },
        { type: 'EventSkipped', data: { code: 'unreadable', eventId: stored.id } },
        { type: 'BooksRented' },
      ]);
    },
  );
});
