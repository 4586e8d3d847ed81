import { randomUUID } from 'node:crypto';
import { rent } from '../../../test-support/borrow-steps.js';
import { refusal } from '../../../test-support/caller.js';
import { startProduct } from '../../../test-support/product.js';
import { shared } from '../../../test-support/shared.js';
import { skipLast, storeForeign } from '../../../test-support/foreign-events.js';

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
    ...{ name: 'an event without its rent', says: 'has no BooksRented or LoanTakenOver before it' },
    ...{
      type: 'BorrowExpired',
      data: { borrowId: randomUUID(), bookIds: [1], expiredAt: '2026-11-05T10:00:00.000Z' },
    },
  },
  { name: 'no metadata', type: 'BorrowExpired', data: {}, metadata: null, says: 'no metadata' },
];

describe('a history with an event that cannot be read or applied', () => {
  const product = shared(() => startProduct());
  const auditor = shared(() => product.account('Reader', 'Auditor'));

  it.each(TROUBLES)(
    'refuses commands and says why, and goes on once it is skipped: $name',
    async ({ says, ...event }) => {
      const reader = await product.account();
      const { pseudonym } = reader;
      await rent(product, reader);
      const second = await product.book(1);
      const eventId = await storeForeign(product, pseudonym, event);

      // Whoever has folded the stream before learns of it when they are refused, or appends: the revision moved on.
      const refused = await reader.post('Borrow/rent-books', { bookIds: [second] });
      expect(refused).toMatchObject(refusal(500, 'HistoryUnreadable'));
      expect(refused.body.detail).toContain(says);
      expect(await product.log.lastRevision('borrows', pseudonym)).toBe(1n);
      // Nobody knows whether an earlier attempt at this rent is stored.
      const taken = `select from copy_allocation where book_id = $1 and state = 'pending'`;
      expect((await product.database.query(taken, [second])).rowCount).toBe(1);
      const past = async () => (await reader.get(`Borrow/history?at=2099-01-01T00:00:00.000Z`)).body;
      expect(await past()).toMatchObject({ code: 'HistoryUnreadable' });

      await skipLast(product, pseudonym, eventId);
      await rent(product, reader);
      const types = (await product.log.readStream('borrows', pseudonym)).map((stored) => stored.event.type);
      expect(types).toEqual(['BooksRented', 'EventSkipped', 'BooksRented']);
      expect(await past()).toMatchObject({ totalCount: 2, asOf: { revision: 3 } });

      const timeline = (await auditor.get(`Audit/readers/${reader.id}/timeline`)).body;
      expect(timeline).toMatchObject({ totalCount: 4, lastRevision: 3 });
      expect(timeline.rows.map(([, type]: number[]) => timeline.types[type ?? 0])).toEqual([
        ...['BooksRented', event.type, 'EventSkipped', 'BooksRented'],
      ]);
      const { items } = (await auditor.get(`Audit/readers/${reader.id}/events`)).body;
      expect(items).toMatchObject([
        { type: 'BooksRented' },
        { type: event.type, id: eventId },
        { type: 'EventSkipped', data: { code: 'unreadable', eventId } },
        { type: 'BooksRented' },
      ]);
    },
  );
});
