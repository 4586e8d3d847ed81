import { randomUUID } from 'node:crypto';
import { startProduct } from '../../test-support/product/product.js';
import { startRelay, type Relay } from '../../test-support/installation/relay.js';
import { waitFor } from '../../test-support/wait-for.js';
import { atEnd, shared } from '../../test-support/shared.js';

describe('an event store that cannot be heard any more', () => {
  let link: Relay;

  const product = shared(() =>
    startProduct(undefined, {
      environment: { HOLD_STALE_SECONDS: '2' },
      before: async (url) => {
        link = await startRelay(Number(/:(\d+)\?/.exec(url)?.[1]));
        return `esdb://127.0.0.1:${link.port}?tls=false&keepAliveInterval=1000&keepAliveTimeout=500`;
      },
    }),
  );
  const reader = shared(() => product.account());
  atEnd(() => link?.restore());
  afterAll(() => link?.close());

  const rent = (bookId: number, key: string) =>
    reader.post('Borrow/rent-books', { bookIds: [bookId] }, { 'idempotency-key': key });
  const parts = async () =>
    (await (await fetch(`${product.url}/readyz`)).json()) as {
      checks: Record<string, { ok: boolean }>;
    };

  it('is noticed by its silence: calls are refused, and all goes on by itself when it is heard again', async () => {
    const [first, second] = [await product.book(1), await product.book(1)];
    expect((await rent(first, randomUUID())).status).toBe(200);
    const { length } = await product.lines();
    link.silence();

    const key = randomUUID();
    const refused = await rent(second, key);
    expect([refused.status, refused.body.code]).toEqual([503, 'EventStoreUnavailable']);
    // What was measured before the silence may be told for some seconds.
    await waitFor(async () => {
      const { eventStore, projection } = (await parts()).checks;
      return eventStore?.ok === false && projection?.ok === false;
    });
    // Its connection is there still: by the missing signs of life alone it is known that nobody is at its other end.
    await waitFor(async () => {
      const since = (await product.lines()).slice(length);
      return since.some((line) => line.includes('projection tries again after UnavailableError'));
    });

    link.restore();
    const rented = await waitFor(async () => {
      const answer = await rent(second, key);
      return answer.status === 503 ? undefined : answer;
    });
    // The hold of the refused rent may have been settled meanwhile: then they ask anew.
    if (rented.body.code === 'RentAbandoned') {
      await waitFor(async () => (await product.copies(second)) === 1);
      expect((await rent(second, randomUUID())).status).toBe(200);
    } else expect(rented.status).toBe(200);
    await waitFor(async () => (await reader.get('Borrow/history')).body.length === 2);
    expect(await product.differences()).toEqual([]);
  });
});
