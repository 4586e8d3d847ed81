import { migrate } from '#platform/database/migrate.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { waitFor } from '../test-support/wait-for.js';
import { startProduct, type TestProduct } from '../test-support/product.js';
import { SAMPLES, openSample } from '../test-support/samples.js';
import { startEventStore } from './event-store/event-store-server.js';
import { READ_MODEL } from '#platform/database/read-model.js';

describe.each(SAMPLES)('a library that was written by the release of %s', (name) => {
  let product: TestProduct;
  let close: () => Promise<void> = async () => undefined;
  beforeAll(async () => {
    const database = await openSample(name);
    await migrate(database.url);
    const store = await startEventStore({ databaseUrl: database.url });
    product = await startProduct(undefined, {
      databaseUrl: database.url,
      before: async () => store.connectionString,
    });
    close = async () => {
      await product.close();
      await store.stop();
      await database.drop();
    };
  });
  afterAll(() => close());

  it('opens with its borrows, goes on, and is what its log says, before and after a rebuild', async () => {
    const admin = await product.account('Admin');
    const lists = async () => {
      const { status, body } = await admin.get('Borrow?pageNumber=1&pageSize=20');
      expect(status).toBe(200);
      return (body.items as BorrowView[]).map(({ status: is, id }) => [id, is] as const);
    };
    // Its lists are made anew for this release.
    await waitFor(async () => (await admin.get('Borrow')).status === 200);
    const before = await lists();
    const statuses = before.map(([, status]) => status).sort();
    expect(statuses).toEqual(['Expired', 'Issued', 'Rented', 'Returned', 'Returned']);
    expect(await product.differences()).toEqual([]);
    await product.rebuild();
    expect(await lists()).toEqual(before);
    expect(await product.differences()).toEqual([]);

    const reader = await product.account();
    const bookId = await product.book(1);
    const rented = await reader.post('Borrow/rent-books', { bookIds: [bookId] });
    expect([rented.status, rented.body.upToDate]).toEqual([200, true]);
    expect(await lists()).toHaveLength(before.length + 1);
    expect(await product.differences()).toEqual([]);
    const { rows } = await product.database.query(`select log_id from ${READ_MODEL}.checkpoint`);
    expect(rows).toEqual([{ log_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
  });
});
