import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readRelated, readShelves } from '#contracts/catalogue/shelves.js';
import { Clock } from '#platform/clock.js';
import { queryRow } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { startCatalogueApp } from '../../../test-support/catalogue-app.js';
import { shared } from '../../../test-support/shared.js';
import { CatalogueCache } from '../catalogue-cache.js';
import { FillShelves } from './fill-shelves.js';

const DAY = 24 * 3_600_000;

describe('the shelves of the catalogue', () => {
  let shelves: FillShelves;
  let schema: string;
  let position = 1000;

  const library = shared(() => startCatalogueApp());
  beforeAll(async () => {
    const readModel = new ReadModelSchema(library.database);
    schema = await readModel.toRead();
    const jobs = { handle: () => undefined, repeat: () => undefined };
    shelves = new FillShelves(
      jobs as never,
      library.database,
      readModel,
      library.app.get(Clock),
      library.app.get(LibraryTimeZone),
    );
    const crime = (title: string, more = {}) => ({ title, genres: ['Crime'], ...more });
    await library.add(
      ...['Lalka', 'Quo Vadis', 'Ferdydurke', 'Solaris', 'Pharaoh', 'Hobbit', 'Dune'].map((title) => ({
        title,
        genres: ['Novel'],
        authors: [{ firstname: 'Only', lastname: title }],
      })),
      crime('Crime one', { series: 'Cases', volume: '1', authors: [{ firstname: 'Agatha', lastname: 'C' }] }),
      crime('Crime two', { series: 'cases', volume: '2', authors: [{ firstname: 'Agatha', lastname: 'C' }] }),
      crime('Crime three', { authors: [{ firstname: 'Agatha', lastname: 'C' }] }),
      crime('Crime four'),
      { title: 'Lonely', genres: ['Rare'], authors: [] },
    );
  });

  const idOf = async (title: string) =>
    (
      await queryRow(library.database, z.object({ id: z.int() }), 'select id from book where title = $1', [
        title,
      ])
    )?.id ?? -1;

  /** A reader who borrowed these, so many days ago, as the projection writes it down. */
  async function borrowed(readerId: string, titles: readonly string[], daysAgo: number, isIssued = true) {
    const at = new Date(Date.now() - daysAgo * DAY).toISOString();
    const books = await Promise.all(
      titles.map(async (title) => ({ bookId: await idOf(title), title, issuedAt: isIssued ? at : null })),
    );
    position += 1;
    await library.database.query(
      `insert into ${schema}.borrow (borrow_id, reader_id, books, titles, rented_at, collect_by, issued_at, status,
         charged, paid, waived, renewals, lent, reserved, undone, recent, revision, position)
       values ($1, $2, $3, $4, $5, $5, $6, $7, 0, 0, 0, 0, 1, 0, false, '[]', 0, $8)`,
      [
        randomUUID(),
        readerId,
        JSON.stringify(books),
        titles.join(', '),
        at,
        isIssued ? at : null,
        isIssued ? 'Issued' : 'Rented',
        position,
      ],
    );
    await library.database.query(`update ${schema}.checkpoint set commit_position = $1`, [position]);
  }
  const readers = Array.from({ length: 6 }, () => randomUUID());

  async function read<Schema extends z.ZodType>(schemaOf: Schema, path: string): Promise<z.output<Schema>> {
    const answer = await fetch(`${library.url}/Book/${path}`);
    expect(answer.status).toBe(200);
    return schemaOf.parse(await answer.json());
  }
  const titles = (books: readonly { title: string }[]) => books.map(({ title }) => title);

  async function filled() {
    const done = await shelves.fill();
    // The server looks again within a minute.
    library.app.get(CatalogueCache).forget('books');
    return done;
  }
  const related = async (title: string) => read(readRelated.answer, `${await idOf(title)}/related`);

  it('have new books and, where nobody has read anything, the genres with the most of them', async () => {
    await filled();
    const { newest, muchRead, genres } = await read(readShelves.answer, 'shelves');
    expect(titles(newest).slice(0, 3)).toEqual(['Lonely', 'Crime four', 'Crime three']);
    expect(muchRead).toEqual([]);
    expect(genres.map(({ name, books }) => [name, books.length])).toEqual([
      ['Novel', 7],
      ['Crime', 4],
    ]);
  });

  it('have what was read much this month, by different readers, and on no other shelf', async () => {
    const [one = '', two = '', three = ''] = readers;
    // Three times one reader is one reader; a month ago is too long ago; what was not handed over was not read.
    for (const daysAgo of [1, 2, 3]) await borrowed(one, ['Quo Vadis', 'Lalka'], daysAgo);
    await borrowed(two, ['Lalka', 'Solaris'], 1);
    await borrowed(three, ['Lalka', 'Solaris'], 2);
    await borrowed(one, ['Solaris'], 60);
    await borrowed(one, ['Solaris'], 1, false);
    await filled();
    const month = await read(readShelves.answer, 'shelves');
    expect(titles(month.muchRead)).toEqual(['Lalka']);
    expect(titles(month.genres.flatMap(({ books }) => books))).not.toContain('Lalka');

    await borrowed(readers[4] ?? '', ['Solaris'], 1);
    await filled();
    expect(titles((await read(readShelves.answer, 'shelves')).muchRead)).toEqual(['Solaris', 'Lalka']);
  });

  it('say what readers of a book also borrowed when they were five, and not when they were four', async () => {
    for (const reader of readers.slice(0, 4)) {
      await borrowed(reader, ['Pharaoh'], 400);
      await borrowed(reader, ['Hobbit'], 200);
    }
    await filled();
    expect((await related('Pharaoh')).alsoBorrowed).toEqual([]);
    // One who has had it twice is no fifth, and nor is one to whom it was not handed over.
    await borrowed(readers[0] ?? '', ['Hobbit'], 100);
    await borrowed(readers[5] ?? '', ['Pharaoh', 'Hobbit'], 100, false);
    await filled();
    expect((await related('Pharaoh')).alsoBorrowed).toEqual([]);

    await borrowed(readers[4] ?? '', ['Pharaoh', 'Hobbit'], 50);
    expect(await filled()).toMatchObject({ related: 2 });
    expect(titles((await related('Pharaoh')).alsoBorrowed)).toEqual(['Hobbit']);
    expect(titles((await related('Hobbit')).alsoBorrowed)).toEqual(['Pharaoh']);
    expect((await related('Dune')).alsoBorrowed).toEqual([]);
    expect(await filled()).toMatchObject({ related: 'as before' });
  });

  it('count what was borrowed of a book that was merged into another one', async () => {
    const merged = z.object({ id: z.int() });
    const before = await queryRow(
      library.database,
      merged,
      `insert into book (isbn, title, description, published, copies_total, copies_available)
       values ('9790000000000', 'Ferdydurke again', '', '1937-01-01', 0, 0) returning id`,
    );
    for (const reader of readers.slice(0, 3)) await borrowed(reader, ['Dune', 'Ferdydurke'], 300);
    for (const reader of readers.slice(3, 5)) await borrowed(reader, ['Dune', 'Ferdydurke again'], 300);
    await library.database.query('delete from book where id = $1', [before?.id]);
    await filled();
    expect(titles((await related('Dune')).alsoBorrowed)).not.toContain('Ferdydurke');
    await library.database.query('insert into merged_book (id, kept_id) values ($1, $2)', [
      before?.id,
      await idOf('Ferdydurke'),
    ]);
    await library.database.query(`update ${schema}.checkpoint set commit_position = commit_position + 1`);
    await filled();
    expect(titles((await related('Dune')).alsoBorrowed)).toContain('Ferdydurke');
  });

  it('forget what is not so any more, and books that have left', async () => {
    await library.database.query(`delete from ${schema}.borrow where reader_id = $1`, [readers[4]]);
    await library.database.query(`update ${schema}.checkpoint set commit_position = commit_position + 1`);
    expect(await filled()).toMatchObject({ related: 0 });
    expect((await related('Pharaoh')).alsoBorrowed).toEqual([]);
    await library.database.query(`delete from book where title = 'Lalka'`);
    library.app.get(CatalogueCache).changed('everything');
    expect(titles((await read(readShelves.answer, 'shelves')).muchRead)).not.toContain('Lalka');
  });

  it('have more by the same author, without the series that has a shelf of its own', async () => {
    const first = await related('Crime one');
    expect(first.moreBy?.name).toBe('Agatha C');
    expect(titles(first.moreBy?.books ?? [])).toEqual(['Crime three']);
    expect(titles((await related('Crime three')).moreBy?.books ?? [])).toEqual(['Crime two', 'Crime one']);
    expect((await related('Lonely')).moreBy).toBeNull();
  });

  it('are refused for no book at all', async () => {
    expect((await fetch(`${library.url}/Book/2000000000/related`)).status).toBe(404);
    expect((await fetch(`${library.url}/Book/none/related`)).status).toBe(400);
  });
});
