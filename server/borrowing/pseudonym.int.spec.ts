import { EventStoreDBClient, START } from '@eventstore/db-client';
import { startProduct, type TestAccount } from '../../test-support/product.js';
import { shared } from '../../test-support/shared.js';

describe('what the event log calls people', () => {
  const product = shared(() => startProduct());
  const client = shared(() => EventStoreDBClient.connectionString(product.settings.EVENTSTORE_URL));
  const admin = shared(() => product.account('Reader', 'Admin'));
  const auditor = shared(() => product.account('Reader', 'Auditor'));

  /** Rents, gives one book up and brings the other back, everybody with a hand in it. */
  async function borrow(reader: TestAccount): Promise<string> {
    const bookIds = [await product.book(1)];
    const both = [...bookIds, await product.book(1)];
    const { body } = await reader.post('Borrow/rent-books', { bookIds: both });
    const desk = `borrowId=${body.borrowId}&userId=${reader.id}`;
    expect((await admin.post(`Borrow/issue-books?${desk}`, { bookIds })).status).toBe(200);
    expect((await reader.post(`Borrow/cancel-rent?borrowId=${body.borrowId}`)).status).toBe(200);
    expect((await admin.post(`Borrow/return-books?${desk}`, { bookIds })).status).toBe(200);
    return body.borrowId;
  }

  /** Stream names, data and metadata of everything in the log. */
  async function wholeLog(): Promise<string> {
    const parts: string[] = [];
    for await (const { event } of client.readAll({ fromPosition: START })) {
      if (event) parts.push(JSON.stringify([event.streamId, event.data, event.metadata]));
    }
    return parts.join('\n');
  }

  it('is nothing that leads to an account without the table of accounts', async () => {
    const reader = await product.account();
    const borrowId = await borrow(reader);
    const log = await wholeLog();
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
    // What was looked at just now.
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
    expect((await reader.get('Borrow/history')).body).toMatchObject([
      { id: borrowId, user: { id: made.id } },
    ]);
    expect(await product.log.readStream('borrows', made.id)).toHaveLength(4);
    expect(await product.differences()).toEqual([]);
  });
});
