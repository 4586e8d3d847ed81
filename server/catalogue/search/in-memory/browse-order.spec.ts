import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import type { Database } from '#platform/database/database.js';
import type { Notifications } from '#platform/database/notifications.js';
import { createLogger } from '#platform/logging.js';
import { CatalogueCache } from '../../catalogue-cache.js';
import { BrowseOrder } from './browse-order.js';
import type { SearchIndex } from './search-index.js';

const BOOKS = 5_000;

/** Books of which the id is the number of copies, in a database whose readings of landmarks end when they are told to. */
function library() {
  const ends: (() => void)[] = [];
  const query = async (statement: string | { values: number[] }) => {
    if (typeof statement === 'string') {
      await new Promise<void>((end) => void ends.push(end));
      const rows = Array.from({ length: BOOKS / 1_000 }, (_, at) => BOOKS - at * 1_000);
      return { rows: rows.map((id) => ({ key: id, id })) };
    }
    const [limit = 0, offset = 0, from = BOOKS] = statement.values;
    return { rows: Array.from({ length: limit }, (_, at) => ({ id: from - offset - at })) };
  };
  const index = { current: () => Promise.resolve({ words: { size: BOOKS } }) } as unknown as SearchIndex;
  const cache = new CatalogueCache(new EventEmitter() as Notifications);
  const database = { query } as unknown as Database;
  const order = new BrowseOrder(database, createLogger('silent'), cache, index);
  const page = async (offset: number) => (await order.page('Copies', { offset, limit: 2 })).ids;
  return { page, ends };
}

describe('deep pages by copies', () => {
  afterEach(() => jest.restoreAllMocks());

  it('wait for their landmarks once, and go by those while they are read anew', async () => {
    const { page, ends } = library();
    const first = page(2_500);
    const beside = page(3_500);
    await new Promise((done) => setImmediate(done));
    expect(ends).toHaveLength(1);
    ends[0]?.();
    expect([await first, await beside]).toEqual([
      [2_500, 2_499],
      [1_500, 1_499],
    ]);
    const later = Date.now() + 31_000;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    // Nobody has ended the second reading.
    expect(await page(2_600)).toEqual([2_400, 2_399]);
    expect(await page(2_700)).toEqual([2_300, 2_299]);
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await new Promise((done) => setImmediate(done));
    expect(await page(2_800)).toEqual([2_200, 2_199]);
    expect(ends).toHaveLength(2);
  });
});
