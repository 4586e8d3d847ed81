import type { RowsTaken } from '#contracts/catalogue/book-rows.js';
import { startProduct } from '../../../test-support/product.js';
import { shared } from '../../../test-support/shared.js';

describe('rows of a CSV file, from a browser', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));
  const take = async (line: number, ...lines: string[]) =>
    admin.post('Book/rows', { line, text: lines.join('\n') });
  const HEAD = 'isbn;title;authors;year;copies';

  it('are taken piece by piece, each told of by its line in the file', async () => {
    const { status, body } = await take(
      501,
      HEAD,
      '9788308049051;Solaris;Stanisław Lem;1961;2',
      '9788308049052;No such number;Nobody;2001;1',
      '9788307033990;Lalka;Bolesław Prus;before long;1',
    );
    const taken = body as RowsTaken;
    expect([status, taken.added, taken.alreadyThere]).toEqual([200, 2, 0]);
    expect(taken.refused).toEqual([{ line: 503, reason: expect.stringContaining('before long') }]);
    expect(taken.repaired).toEqual([{ line: 502, reason: expect.stringContaining('9788308049052') }]);
    const found = (await admin.get('Book?SearchTerm=solaris')).body.items;
    expect(found).toMatchObject([{ title: 'Solaris', copiesAvailable: 2 }]);
  });

  it('are there once, however often they are sent', async () => {
    const piece = [HEAD, '9788324072248;Ferdydurke;Witold Gombrowicz;1937;1'];
    expect((await take(2, ...piece)).body).toMatchObject({ added: 1, alreadyThere: 0 });
    expect((await take(2, ...piece)).body).toMatchObject({ added: 0, alreadyThere: 1 });
  });

  it('are refused as a whole where the first line names no columns, and to who is no admin', async () => {
    const { status, body } = await take(2, 'a;b', '1;2');
    expect([status, Object.keys(body.errors)]).toEqual([400, ['text']]);
    const reader = await product.account();
    expect((await reader.post('Book/rows', { line: 2, text: HEAD })).status).toBe(403);
  });
});
