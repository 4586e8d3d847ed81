import { isIsbn13 } from '../../server/catalogue/isbn.js';
import { openOwnDatabase } from '../../test-support/database/own-database.js';
import { shared } from '../../test-support/shared.js';
import { GeneratedCatalogue } from './generated-books.js';
import { loadGeneratedBooks } from './load-generated.js';

describe('generated books', () => {
  const database = shared(() => openOwnDatabase());

  it('are the same for the same seed, others for another, with valid numbers of their own', () => {
    const make = (seed: number) => {
      const catalogue = new GeneratedCatalogue(seed, 500);
      return Array.from({ length: 500 }, () => catalogue.next());
    };
    const books = make(1);
    expect(make(1)).toEqual(books);
    const numbers = [...books, ...make(2)].map(({ isbn }) => isbn);
    expect(new Set(numbers).size).toBe(1000);
    expect(numbers.every(isIsbn13)).toBe(true);
  });

  it('fill an empty catalogue and one with books, all indexes in place', async () => {
    const indexes = async () =>
      (await database.query("select indexdef from pg_indexes where schemaname = 'public' order by 1")).rows;
    const before = await indexes();
    await loadGeneratedBooks(database, 300, 1, () => undefined);
    await loadGeneratedBooks(database, 200, 2, () => undefined);
    expect(await indexes()).toEqual(before);
    await expect(loadGeneratedBooks(database, 10, 1, () => undefined)).rejects.toMatchObject({
      code: '23505',
    });
    const { rows } = await database.query(`select count(*)::integer as books,
      (select count(*)::integer from book_search where words @@ 'the | history | of | and') > 50 as searchable,
      (select count(*)::integer from book_shelf) as shelf from book`);
    expect(rows).toEqual([{ books: 500, searchable: true, shelf: 500 }]);
  });
});
