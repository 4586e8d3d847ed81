import { randomUUID } from 'node:crypto';
import { startEventStore, type RunningEventStore } from './event-store-server.js';
import { embeddedOnly } from '../../test-support/event-store/event-store-under-test.js';
import { startProduct } from '../../test-support/product/product.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';

describe('an event store that goes away and comes back', () => {
  let back: RunningEventStore | undefined;

  const product = shared(() => startProduct(undefined, { environment: { HOLD_STALE_SECONDS: '2' } }));
  const reader = shared(() => product.account());
  afterAll(() => back?.stop());

  const rent = (bookId: number, key: string) =>
    fetch(`${product.url}/api/Borrow/rent-books`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${reader.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ bookIds: [bookId] }),
    });

  embeddedOnly(
    'is answered for by 503 meanwhile, never by a success; then all goes on by itself',
    async () => {
      expect((await rent(await product.book(1), randomUUID())).status).toBe(200);
      const port = Number(new URL(product.settings.EVENTSTORE_URL.replace('esdb:', 'http:')).port);
      await product.stopEventStore();

      const [bookId, key] = [await product.book(1), randomUUID()];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const refused = await rent(bookId, key);
        expect(refused.status).toBe(503);
        expect(refused.headers.get('retry-after')).toBe('2');
        expect(await refused.json()).toMatchObject({ code: 'EventStoreUnavailable' });
      }
      expect((await reader.get('Book?pageNumber=1&pageSize=12')).status).toBe(200);

      back = await startEventStore({ databaseUrl: product.settings.DATABASE_URL, port });
      // The reader insists under one key. The hold of a refused rent may have been settled: then they ask anew.
      const rented = await waitFor(async () => {
        const answer = await rent(bookId, key);
        if (answer.status === 503) return undefined;
        const body = (await answer.json()) as { code?: string };
        return { status: answer.status, code: body.code };
      });
      expect([undefined, 'RentAbandoned']).toContain(rented.code);
      if (rented.code !== undefined) {
        await waitFor(async () => (await product.copies(bookId)) === 1);
        expect((await rent(bookId, randomUUID())).status).toBe(200);
      }

      // The projections follow again: the lists come to have it, and the log agrees with every row.
      await waitFor(async () => {
        const { body } = await reader.get('Borrow/history');
        return body.items?.length === 2 || body.length === 2;
      });
      expect(await product.differences()).toEqual([]);
      const { rows } = await product.database.query("select from copy_allocation where state = 'pending'");
      expect(rows).toEqual([]);
    },
  );
});
