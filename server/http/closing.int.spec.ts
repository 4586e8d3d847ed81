import { startProduct } from '../../test-support/product/product.js';
import { waitFor } from '../../test-support/wait-for.js';

describe('a server that closes', () => {
  it('cuts nobody off who waits for a report: they are told to ask again, and the report is not lost', async () => {
    // Nobody does the jobs, so the report takes for ever.
    const product = await startProduct(undefined, { environment: { JOBS: 'off', SHUTDOWN_SECONDS: '1' } });
    try {
      const admin = await product.account('Admin');
      await product.book(1);
      const answer = fetch(`${product.url}/api/Dashboard/bookRaport`, {
        headers: { authorization: `Bearer ${admin.token}` },
      });
      const asked = await waitFor(async () => {
        const { rows } = await product.database.query<{ state: string }>('select state from report');
        return rows[0]?.state;
      });
      expect(asked).toBe('waiting');
      const [told] = await Promise.all([answer, product.server.close()]);
      expect([told.status, told.headers.get('connection')]).toEqual([503, 'close']);
      expect(Number(told.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await told.json()).toMatchObject({
        code: 'ServerClosing',
        detail: expect.stringMatching(/again/),
      });
      const { rows } = await product.database.query('select state from report');
      expect(rows).toEqual([{ state: 'waiting' }]);
    } finally {
      await product.close();
    }
  });
});
