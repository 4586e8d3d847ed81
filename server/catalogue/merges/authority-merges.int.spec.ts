import { addRow } from '../../../test-support/database/add-row.js';
import { refusal } from '../../../test-support/product/caller.js';
import { startProduct } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';

describe('a merge of authors, genres or publishers', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));

  const author = (firstname: string, lastname: string, more: object = {}) =>
    addRow(product.database, 'author', { firstname, lastname, ...more });
  const genre = (name: string) => addRow(product.database, 'genre', { name });
  const publisher = (name: string, phone = '') => addRow(product.database, 'publisher', { name, phone });
  const bookBy = async (title: string, ...authors: number[]) => {
    const id = await product.book(1, title);
    await product.rows('delete from book_author where book_id = $1', id);
    await product.rows(
      'insert into book_author select $1, a, place - 1 from unnest($2::integer[]) with ordinality x (a, place)',
      id,
      authors,
    );
    return id;
  };
  const authorsOf = async (book: number) =>
    (await admin.get(`Book/${book}`)).body.authors.map(({ id }: { id: number }) => id) as number[];
  const found = async (term: string) =>
    (await admin.get(`Book?SortBy=Title&SearchTerm=${encodeURIComponent(term)}`)).body.items.map(
      ({ title }: { title: string }) => title,
    ) as string[];
  const merge = (kind: string, keep: number, ...others: number[]) =>
    admin.post(`${kind}/merge`, { keep, merge: others });
  const undo = (id: string) => admin.post(`Merge/${id}/undo`);

  it('gives the books of all to one, fills in what it lacks, and is undone as one', async () => {
    const kept = await author('J. K.', 'Rowling');
    const dots = await author('J.K.', 'Rowling', {
      ...{ nationality: 'British', biography: 'Wrote of a school for wizards.' },
      other_names: ['Robert Galbraith'],
    });
    const turned = await author('', 'Rowling, J. K.');
    const artist = await author('Mary', 'GrandPré');
    const own = await bookBy('The Casual Vacancy', kept);
    const first = await bookBy('The Philosopher’s Stone', artist, dots);
    const both = await bookBy('The Chamber of Secrets', dots, turned);
    const all = await bookBy('The Goblet of Fire', turned, kept, dots);

    const merged = await merge('Author', kept, dots, turned);
    expect(merged).toMatchObject({
      status: 200,
      body: {
        kind: 'author',
        kept: { id: kept, name: 'J. K. Rowling' },
        merged: [
          { id: dots, name: 'J.K. Rowling' },
          { id: turned, name: 'Rowling, J. K.' },
        ],
        books: 3,
        mergedBy: expect.any(String),
        undoneAt: null,
      },
    });
    expect(await Promise.all([own, first, both, all].map(authorsOf))).toEqual([
      [kept],
      [artist, kept],
      [kept],
      [kept],
    ]);
    expect((await admin.get(`Author/${kept}`)).body).toMatchObject({
      nationality: 'British',
      biography: 'Wrote of a school for wizards.',
      // What differs by its spelling alone is no other name.
      otherNames: ['Robert Galbraith', 'Rowling, J. K.'],
      version: 2,
    });
    expect((await admin.get(`Author/${dots}`)).status).toBe(404);
    expect(await found('Rowling')).toEqual([
      'The Casual Vacancy',
      'The Chamber of Secrets',
      'The Goblet of Fire',
      'The Philosopher’s Stone',
    ]);
    expect((await admin.get('Merge')).body.items[0]).toEqual(merged.body);

    expect(await undo(merged.body.id)).toMatchObject({
      status: 200,
      body: { id: merged.body.id, undoneBy: merged.body.mergedBy, undoneAt: expect.any(String) },
    });
    expect(await Promise.all([own, first, both, all].map(authorsOf))).toEqual([
      [kept],
      [artist, dots],
      [dots, turned],
      [turned, kept, dots],
    ]);
    expect((await admin.get(`Author/${kept}`)).body).toMatchObject({
      ...{ nationality: '', biography: '', otherNames: [] },
    });
    expect((await admin.get(`Author/${dots}`)).body).toMatchObject({
      otherNames: ['Robert Galbraith'],
      firstname: 'J.K.',
      lastname: 'Rowling',
      nationality: 'British',
    });
    expect(await undo(merged.body.id)).toMatchObject(
      refusal(409, 'NothingToUndo', 'This merge has already been undone.'),
    );
  });

  it('brings genres and publishers together, and the search with them', async () => {
    const [classics, classic] = [await genre('Classics'), await genre('classic')];
    const [house, ltd] = [await publisher('Faber'), await publisher('Gwyer Ltd.', '+44 1')];
    const book = await product.book(2, 'Lord of the Flies');
    await product.rows('insert into book_genre values ($1, $2, 0)', book, classic);
    await product.rows('update book set publisher_id = $2 where id = $1', book, ltd);
    expect(await found('Gwyer')).toEqual(['Lord of the Flies']);

    const genres = (await merge('Genre', classics, classic)).body;
    const publishers = (await merge('Publisher', house, ltd)).body;
    expect((await admin.get(`Book/${book}`)).body).toMatchObject({
      genres: expect.arrayContaining([expect.objectContaining({ id: classics })]),
      publisher: { id: house, name: 'Faber', phone: '+44 1' },
    });
    expect(await found('Gwyer')).toEqual([]);
    expect(await found('Faber classics')).toEqual(['Lord of the Flies']);

    await undo(genres.id);
    await undo(publishers.id);
    expect((await admin.get(`Book/${book}`)).body).toMatchObject({
      genres: expect.arrayContaining([expect.objectContaining({ id: classic })]),
      publisher: { id: ltd },
    });
    expect(await found('Gwyer classic')).toEqual(['Lord of the Flies']);
  });

  it('names what is wrong with a request, and changes nothing', async () => {
    const kept = await author('Italo', 'Calvino');
    expect((await merge('Author', kept)).body.errors).toEqual({
      merge: ['Choose at least one to merge into the one that stays.'],
    });
    expect((await merge('Author', kept, kept)).body.errors).toEqual({
      merge: ['A record cannot be merged into itself.'],
    });
    expect((await merge('Author', kept, 9, 9)).body.errors).toEqual({ merge: ['Name each only once.'] });
    expect((await admin.post('Author/merge', { merge: [kept] })).body.errors).toHaveProperty('keep');
    expect(await merge('Author', kept, 888_888, 999_999)).toMatchObject(
      refusal(404, 'NotFound', 'The authors 888888, 999999 are not in the catalogue. Nothing was merged.'),
    );
    expect((await admin.get(`Author/${kept}`)).status).toBe(200);
    expect((await admin.get(`Merge?pageSize=0`)).body.errors).toHaveProperty('pageSize');
    expect((await undo('0b8f9f8e-3a51-4f0e-9d0f-6e0d0c1a2b3c')).status).toBe(404);
  });

  it('is done once for a key', async () => {
    const [kept = 0, other, third] = await Promise.all(['A', 'B', 'C'].map((name) => author(name, 'Key')));
    const headers = { 'Idempotency-Key': 'one-and-the-same-merge' };
    const asked = { keep: kept, merge: [other] };
    const answers = await Promise.all([1, 2, 3].map(() => admin.post('Author/merge', asked, headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await admin.post('Author/merge', { keep: kept, merge: [third] }, headers)).toMatchObject({
      status: 422,
    });
    const again = { 'Idempotency-Key': 'one-and-the-same-undoing' };
    const id = answers[0]?.body.id;
    const undone = await Promise.all([1, 2].map(() => admin.post(`Merge/${id}/undo`, {}, again)));
    expect(undone.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('says what is in the way of undoing it', async () => {
    const [first = 0, second = 0, third = 0] = await Promise.all(
      ['A', 'B', 'C'].map((name) => author('Ann', name)),
    );
    const book = await bookBy('In the way', first);
    const one = (await merge('Author', second, first)).body;
    const two = (await merge('Author', third, second)).body;
    expect(await undo(one.id)).toMatchObject(
      refusal(409, 'UndoBlocked', 'Ann B was itself merged into Ann C since. Undo that merge first.'),
    );
    await undo(two.id);
    const namesake = await author('Ann', 'A');
    expect(await undo(one.id)).toMatchObject(
      refusal(
        409,
        'UndoBlocked',
        'The catalogue has the author Ann A again, added since the merge. Rename that one or merge it too.',
      ),
    );
    await admin.delete(`Author/${namesake}`);
    expect((await undo(one.id)).status).toBe(200);
    expect(await authorsOf(book)).toEqual([first]);

    const gone = (await merge('Publisher', await publisher('Stays'), await publisher('Goes'))).body;
    await admin.delete(`Publisher/${gone.kept.id}`);
    expect((await undo(gone.id)).body.detail).toBe(
      'The publisher Stays was deleted since, so the merge cannot be undone.',
    );
  });

  it('is undone in any order, and leaves books alone that were given others since', async () => {
    const [kept = 0, one = 0, two = 0, other = 0] = await Promise.all(
      ['Kept', 'One', 'Two', 'Other'].map((name) => author('Ky', name)),
    );
    const both = await bookBy('Of both', one, two);
    const changed = await bookBy('Changed since', one);
    const first = (await merge('Author', kept, one)).body;
    const second = (await merge('Author', kept, two)).body;
    await product.rows(`update book_author set author_id = ${other} where book_id = ${changed}`);
    await undo(first.id);
    expect(await authorsOf(both)).toEqual(expect.arrayContaining([one, kept]));
    await undo(second.id);
    expect(await authorsOf(both)).toEqual([one, two]);
    expect(await authorsOf(changed)).toEqual([other]);
  });

  it('loses no book to writers of the same moment', async () => {
    const kept = await author('Race', 'Kept');
    const others = await Promise.all([1, 2, 3, 4].map((n) => author('Race', `Other ${n}`)));
    const books = await Promise.all(others.map((id, n) => bookBy(`Race ${n}`, id)));
    const answers = await Promise.all([
      ...others.map((id) => merge('Author', kept, id)),
      // In opposite directions, one of the two finds the other gone.
      merge('Author', others[0] ?? 0, kept),
      ...books.map((book) => admin.post('Borrow/rent-books', { bookIds: [book] })),
    ]);
    const statuses = answers.map(({ status }) => status);
    for (const status of statuses.slice(0, 5)) expect([200, 404]).toContain(status);
    expect(statuses.slice(5)).toEqual([200, 200, 200, 200]);
    const rows = await product.rows<{ names: string }>(
      `select string_agg(a.lastname, ',') as names from book b
       join book_author ba on ba.book_id = b.id join author a on a.id = ba.author_id
       where b.title like 'Race %' group by b.id`,
    );
    expect(rows).toHaveLength(4);
    for (const { names } of rows) expect(names.split(',')).toHaveLength(1);
    expect(await found('Race')).toHaveLength(4);
  });
});
