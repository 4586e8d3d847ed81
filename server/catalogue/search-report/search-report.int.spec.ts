import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { shared } from '../../../test-support/shared.js';
import { forgetSearches } from './forget-searches.js';

const HOUR = 3_600_000;

describe('the report of searches without a result', () => {
  const clock = new TestClock();

  let admin: TestAccount;

  const product = shared(() => startProduct(clock));
  beforeAll(async () => {
    admin = await product.account('Admin');
    await product.book(1, 'Solaris');
  });

  const search = (term: string, more = '') => admin.get(`Book?SearchTerm=${encodeURIComponent(term)}${more}`);
  const report = async () => (await admin.get('SearchReport')).body;
  const later = async (hours: number) => {
    await clock.forward(hours * HOUR);
    admin = await product.signIn(admin);
  };

  it('has a text once it is searched for on another occasion, and nothing that was found', async () => {
    await search('Zzyzx Road');
    await search('zzyzx  ROAD');
    await search('zzyzx road', '&pageNumber=2');
    await search('Solaris');
    await search('nobody@example.org');
    expect(await report()).toEqual({ items: [], totalCount: 0, once: 1 });
    const rows = await product.rows('select text from search_without_result');
    expect(rows).toEqual([{ text: null }]);

    await later(1);
    await search('ZZYZX road!');
    expect(await report()).toEqual({
      items: [{ text: 'zzyzx road', times: 3, corrected: 0, lastAt: expect.any(String) }],
      totalCount: 1,
      once: 0,
    });
  });

  it('says where other spellings helped', async () => {
    expect((await search('Solarix')).body.corrections).toHaveLength(1);
    await report();
    await later(1);
    await search('solarix');
    expect((await report()).items).toContainEqual(
      expect.objectContaining({ text: 'solarix', times: 2, corrected: 2 }),
    );
  });

  it('is a file too, in which no cell is a formula', async () => {
    for (let time = 0; time < 5; time += 1) {
      await search('+qqq zzz');
      await report();
      await later(1);
    }
    const answer = await fetch(`${product.url}/api/SearchReport/file`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect(answer.headers.get('content-type')).toContain('text/csv');
    const lines = (await answer.text()).split('\r\n');
    expect(lines[0]).toBe('text,times,corrected,last_day');
    expect(lines[1]).toMatch(/^'\+qqq zzz,5,0,\d{4}-\d\d-\d\d$/);
  });

  it('forgets what nobody searches for any more', async () => {
    await later(89 * 24);
    await search('zzyzx road');
    await report();
    await later(2 * 24);
    expect(await forgetSearches(product.database, clock.now())).toBe(2);
    expect((await report()).items).toEqual([expect.objectContaining({ text: 'zzyzx road' })]);
  });
});
