import { randomUUID } from 'node:crypto';
import { doAtDesk, historyOf, rent } from '../../../test-support/product/borrow-steps.js';
import { refusal } from '../../../test-support/product/caller.js';
import { skipLast, storeForeign } from '../../../test-support/event-store/foreign-events.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';

const product = shared(() => startProduct());
const auditor = shared(() => product.account('Reader', 'Auditor'));

describe('what the event log calls people', () => {
  const admin = shared(() => product.account('Reader', 'Admin'));

  /** Rents, gives one book up and brings the other back, everybody with a hand in it. */
  async function borrow(reader: TestAccount): Promise<string> {
    const both = await rent(product, reader, ['Solaris', 'Lalka']);
    const first = { ...both, bookIds: both.bookIds.slice(0, 1) };
    for (const answer of [
      await doAtDesk(admin, 'issue-books', first),
      await reader.post(`Borrow/cancel-rent?borrowId=${both.borrowId}`),
      await doAtDesk(admin, 'return-books', first),
    ])
      expect(answer.status).toBe(200);
    return both.borrowId;
  }

  it('is nothing that leads to an account without the table of accounts', async () => {
    const reader = await product.account();
    const borrowId = await borrow(reader);
    const log = JSON.stringify(await product.storedEvents());
    expect(log).toContain(borrowId);
    for (const { id, pseudonym } of [reader, admin]) {
      expect(pseudonym).not.toBe(id);
      expect(log).toContain(pseudonym);
      expect(log).not.toContain(id);
    }
  });

  it('is never what the API says of them', async () => {
    const reader = await product.account();
    const borrowId = await borrow(reader);
    const answers = await Promise.all([
      reader.get('Borrow/history'),
      reader.get('Borrow/history?at=2099-01-01T00:00:00.000Z'),
      reader.get(`Borrow/fee?borrowId=${borrowId}`),
      admin.get('Borrow'),
      auditor.get(`Audit/readers?SearchTerm=${reader.id}`),
      auditor.get(`Audit/readers/${reader.id}/state`),
      auditor.get(`Audit/readers/${reader.id}/timeline`),
      auditor.get(`Audit/borrows/${borrowId}`),
      auditor.get(`Audit/borrows/${borrowId}/fee`),
    ]);
    // The looks just taken are listed as well.
    const looks = await auditor.get(`Audit/looks?readerId=${reader.id}`);
    for (const { status, body } of [...answers, looks]) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain(reader.id);
      expect(JSON.stringify(body)).not.toContain(reader.pseudonym);
    }
    const { items } = (await auditor.get(`Audit/readers/${reader.id}/events`)).body;
    expect(items.map(({ actor }: { actor: { id: string } }) => actor.id)).toEqual([
      reader.id,
      admin.id,
      reader.id,
      admin.id,
    ]);
  });

  it('stays the id of an account from before, whose history goes on', async () => {
    const made = await product.account();
    await product.database.query('update account set pseudonym = id where id = $1', [made.id]);
    // The server knows an account that made no call yet by nothing.
    const reader = await product.signIn({ ...made, pseudonym: made.id });
    const borrowId = await borrow(reader);
    expect(await historyOf(reader)).toMatchObject([{ id: borrowId, user: { id: made.id } }]);
    expect(await product.log.readStream('borrows', made.id)).toHaveLength(4);
    expect(await product.differences()).toEqual([]);
  });
});

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
  it.each(TROUBLES)(
    'refuses commands and says why, and goes on once it is skipped: $name',
    async ({ says, ...event }) => {
      const reader = await product.account();
      const { pseudonym } = reader;
      await rent(product, reader);
      const second = await product.book(1);
      const eventId = await storeForeign(product, pseudonym, event);

      // A process that folded the stream earlier notices at a refusal or an append, as the revision has moved on.
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
