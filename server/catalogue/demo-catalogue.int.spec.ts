import { z } from 'zod';
import { queryRow } from '#platform/database/query-rows.js';
import { openOwnDatabase } from '../../test-support/database/own-database.js';
import { shared } from '../../test-support/shared.js';
import { seedDemoCatalogue } from './demo-catalogue.js';

const COUNTS = `
  select
    (select count(*)::integer from book) as books,
    (select count(*)::integer from book_search where words <> '') as searchable,
    (select count(*)::integer from author where biography <> '') as biographies,
    (select count(*)::integer from genre where description <> '') as genres,
    (select count(*)::integer from publisher where adress <> '') as publishers,
    (select count(*)::integer from book b where not exists (select from book_author a where a.book_id = b.id)
      or not exists (select from book_genre g where g.book_id = b.id)) as incomplete`;

describe("the demo's catalogue", () => {
  const database = shared(() => openOwnDatabase());
  const counts = async () => (await queryRow(database, z.record(z.string(), z.int()), COUNTS)) ?? {};

  it('is put in once, complete and searchable, and never into a catalogue that has books', async () => {
    await Promise.all([seedDemoCatalogue(database), seedDemoCatalogue(database)]);
    const first = await counts();
    expect(first['books']).toBeGreaterThan(200);
    expect(first['searchable']).toBe(first['books']);
    expect(first).toMatchObject({ incomplete: 0 });
    expect(first['biographies']).toBeGreaterThan(100);
    await seedDemoCatalogue(database);
    expect(await counts()).toEqual(first);
    await database.query('delete from book where id > (select min(id) from book)');
    await seedDemoCatalogue(database);
    expect(await counts()).toMatchObject({ books: 1 });
  });
});
