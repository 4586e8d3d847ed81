import { doAtDesk, historyOf, rent } from '../../test-support/borrow-steps.js';
import { startProduct, type TestAccount } from '../../test-support/product.js';
import { shared } from '../../test-support/shared.js';

describe('what the event log calls people', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Reader', 'Admin'));
  const auditor = shared(() => product.account('Reader', 'Auditor'));

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
    expect(await historyOf(reader)).toMatchObject([{ id: borrowId, user: { id: made.id } }]);
    expect(await product.log.readStream('borrows', made.id)).toHaveLength(4);
    expect(await product.differences()).toEqual([]);
  });
});
