import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { readRelated, readShelves } from '#contracts/catalogue/shelves.js';
import { caller } from '../../../test-support/product/caller.js';
import { addNewBooks } from '../../../test-support/product/new-books.js';
import { startProduct } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';
import { waitFor } from '../../../test-support/wait-for.js';

const DAY = 24 * 3_600_000;

describe('the shelves of the catalogue', () => {
  const product = shared(() => startProduct(undefined, { jobs: { rounds: false } }));
  const admin = shared(() => product.account('Admin'));
  const anyone = shared(() => caller(product.url, ''));
  beforeAll(async () => {
    const crime = (title: string, more = {}) => ({ title, genres: ['Crime'], ...more });
    const agatha = { authors: [{ firstname: 'Agatha', lastname: 'C' }] };
    await addNewBooks(product.database, [
      { title: 'Marker', authors: [], genres: [] },
      ...['Lalka', 'Quo Vadis', 'Ferdydurke', 'Solaris', 'Pharaoh', 'Hobbit', 'Dune'].map((title) => ({
        ...{ title, genres: ['Novel'], authors: [{ firstname: 'Only', lastname: title }] },
      })),
      crime('Crime one', { series: 'Cases', volume: '1', ...agatha }),
      crime('Crime two', { series: 'cases', volume: '2', ...agatha }),
      crime('Crime three', agatha),
      crime('Crime four'),
      { title: 'Lonely', genres: ['Rare'], authors: [] },
    ]);
  });

  const idOf = async (title: string) => {
    const rows = await product.rows<{ id: number }>('select id from book where title = $1', title);
    return rows[0]?.id ?? -1;
  };
  const readers = Array.from({ length: 6 }, () => randomUUID());

  /** A reader had these books for an hour, so many days ago. */
  async function borrowed(which: number, titles: readonly string[], daysAgo: number, isIssued = true) {
    const [readerId = '', borrowId, began] = [readers[which], randomUUID(), Date.now() - daysAgo * DAY];
    const books = await Promise.all(titles.map(async (title) => ({ bookId: await idOf(title), title })));
    const at = new Date(began).toISOString();
    if (!isIssued)
      return void (await product.change(readerId, { type: 'RentBooks', borrowId, readerId, books, at }));
    const librarianId = randomUUID();
    await product.change(readerId, { type: 'LendBooks', borrowId, readerId, books, librarianId, at });
    await product.change(readerId, {
      ...{ type: 'TakeBackBooks', borrowId, bookIds: books.map(({ bookId }) => bookId), librarianId },
      at: new Date(began + 3_600_000).toISOString(),
    });
  }

  let fillings = 0;
  async function filled() {
    // A list of borrows has all that is in the log.
    expect((await admin.get('Borrow?SortBy=All')).status).toBe(200);
    const done = await product.runJob('upkeep', 'fill-shelves', {});
    // The server looks at the shelves again when a book was changed; else within a minute.
    const marker = `Marker${(fillings += 1)}`;
    await product.rows(`update book set title = $1 where title ~ '^Marker'`, marker);
    await waitFor(
      async () => (await anyone.get(`Book?SearchTerm=${marker}`)).body.items[0]?.title === marker,
    );
    return done;
  }

  async function read<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema>> {
    const { status, body } = await anyone.get(`Book/${path}`);
    expect(status).toBe(200);
    return schema.parse(body);
  }
  const titles = (books: readonly { title: string }[] = []) => books.map(({ title }) => title);
  const shelves = () => read(readShelves.answer, 'shelves');
  const muchRead = async () => titles((await shelves()).muchRead);
  const related = async (title: string) => read(readRelated.answer, `${await idOf(title)}/related`);
  const alsoBorrowed = async (title: string) => titles((await related(title)).alsoBorrowed);

  it('have new books and, where nobody has read anything, the genres with the most of them', async () => {
    await filled();
    const { newest, muchRead: read, genres } = await shelves();
    expect(titles(newest).slice(0, 3)).toEqual(['Lonely', 'Crime four', 'Crime three']);
    expect(read).toEqual([]);
    expect(genres.map(({ name, books }) => [name, books.length])).toEqual([
      ['Novel', 7],
      ['Crime', 4],
    ]);
  });

  it('have what was read much this month, by different readers, and on no other shelf', async () => {
    // Three times one reader is one reader; a month ago is too long ago; what was not handed over was not read.
    await borrowed(0, ['Solaris'], 60);
    for (const daysAgo of [3, 2, 1]) await borrowed(0, ['Quo Vadis', 'Lalka'], daysAgo);
    await borrowed(0, ['Solaris'], 0.5, false);
    await borrowed(1, ['Lalka', 'Solaris'], 1);
    await borrowed(2, ['Lalka', 'Solaris'], 2);
    await filled();
    expect(await muchRead()).toEqual(['Lalka']);
    expect(titles((await shelves()).genres.flatMap(({ books }) => books))).not.toContain('Lalka');

    await borrowed(4, ['Solaris'], 1);
    await filled();
    expect(await muchRead()).toEqual(['Solaris', 'Lalka']);
  });

  it('say what readers of a book also borrowed when they were five, and not when they were four', async () => {
    for (const reader of [0, 1, 2, 3]) {
      await borrowed(reader, ['Pharaoh'], 400);
      await borrowed(reader, ['Hobbit'], 200);
    }
    await filled();
    expect(await alsoBorrowed('Pharaoh')).toEqual([]);
    // One who has had it twice is no fifth, and nor is one to whom it was not handed over.
    await borrowed(0, ['Hobbit'], 100);
    await borrowed(5, ['Pharaoh', 'Hobbit'], 0.5, false);
    await filled();
    expect(await alsoBorrowed('Pharaoh')).toEqual([]);

    await borrowed(4, ['Pharaoh', 'Hobbit'], 50);
    expect(await filled()).toMatchObject({ related: 2 });
    expect(await alsoBorrowed('Pharaoh')).toEqual(['Hobbit']);
    expect(await alsoBorrowed('Hobbit')).toEqual(['Pharaoh']);
    expect(await alsoBorrowed('Dune')).toEqual([]);
    expect(await filled()).toMatchObject({ related: 'as before' });
  });

  it('count what was borrowed of a book that was merged into another one, until that is undone', async () => {
    const before = await product.book(1, 'Ferdydurke again');
    for (const reader of [0, 1, 2]) await borrowed(reader, ['Dune', 'Ferdydurke'], 300);
    for (const reader of [3, 4]) await borrowed(reader, ['Dune', 'Ferdydurke again'], 300);
    await filled();
    expect(await alsoBorrowed('Dune')).not.toContain('Ferdydurke');
    const merge = { keep: await idOf('Ferdydurke'), merge: [before] };
    const { status, body } = await admin.post('Book/merge', merge);
    expect(status).toBe(200);
    await borrowed(1, ['Quo Vadis'], 300);
    await filled();
    expect(await alsoBorrowed('Dune')).toContain('Ferdydurke');
    expect(await alsoBorrowed('Ferdydurke')).toContain('Dune');
    expect((await admin.post(`Merge/${body.id}/undo`)).status).toBe(200);
    await borrowed(1, ['Quo Vadis'], 200);
    await filled();
    expect(await alsoBorrowed('Dune')).not.toContain('Ferdydurke');
    expect(await alsoBorrowed('Ferdydurke')).toEqual([]);
  });

  it('forget books that have left', async () => {
    expect(await muchRead()).toContain('Lalka');
    expect((await admin.delete(`Book/${await idOf('Lalka')}`)).status).toBe(200);
    expect(await muchRead()).not.toContain('Lalka');
  });

  it('have more by the same author, without the series that has a shelf of its own', async () => {
    const { moreBy } = await related('Crime one');
    expect([moreBy?.name, titles(moreBy?.books)]).toEqual(['Agatha C', ['Crime three']]);
    expect(titles((await related('Crime three')).moreBy?.books)).toEqual(['Crime two', 'Crime one']);
    expect((await related('Lonely')).moreBy).toBeNull();
  });

  it('are refused for no book at all', async () => {
    expect((await anyone.get('Book/2000000000/related')).status).toBe(404);
    expect((await anyone.get('Book/none/related')).status).toBe(400);
  });
});
