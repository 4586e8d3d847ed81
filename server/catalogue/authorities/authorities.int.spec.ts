import { addRow } from '../../../test-support/database/add-row.js';
import { refusal } from '../../../test-support/product/caller.js';
import { startProduct } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';

const BIOGRAPHY = 'Wrote of the stars and of those who look at them.';
const author = (firstname: string, lastname: string, more: object = {}) => ({
  firstname,
  lastname,
  nationality: 'Polish',
  biography: BIOGRAPHY,
  ...more,
});
const publisher = (name: string, more: object = {}) => ({
  name,
  adress: 'ul. Długa 1, Kraków',
  phone: '+48 123-456-789',
  website: 'https://www.example.com',
  ...more,
});
const genre = (name: string, more: object = {}) => ({ name, description: 'Of what may once be.', ...more });

describe('authors, genres and publishers', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));
  const reader = shared(() => product.account());

  /** A book that is found by what it has. */
  const bookWith = async (links: { author?: number; genre?: number; publisher?: number }, title: string) => {
    const book = await product.book(1, title);
    const { author: by, genre: of, publisher: house } = links;
    if (by) await product.rows('insert into book_author values ($1, $2, 0)', book, by);
    if (of) await product.rows('insert into book_genre values ($1, $2, 0)', book, of);
    if (house) await product.rows('update book set publisher_id = $2 where id = $1', book, house);
    return book;
  };
  const found = async (term: string) =>
    (await reader.get(`Book?SearchTerm=${encodeURIComponent(term)}`)).body.items.map(
      (book: { title: string }) => book.title,
    ) as string[];

  // spec 3.5, 7.12, 7.13, 7.14
  it('are added, read, changed and deleted, and each answer is the saved object', async () => {
    for (const [path, body, change] of [
      ['Author', author('Stanisław', 'Lem'), author('Stanisław', 'Lem', { nationality: 'of Lwów' })],
      ['Genre', genre('Science fiction'), genre('Science Fiction')],
      ['Publisher', publisher('Wydawnictwo Literackie'), publisher('Wydawnictwo Literackie S.A.')],
    ] as const) {
      const added = await admin.post(`${path}/add`, body);
      expect(added).toMatchObject({ status: 201, body: { ...body, version: 1 } });
      const { id } = added.body;
      expect(await reader.get(`${path}/${id}`)).toEqual({ status: 200, body: added.body });
      const changed = await admin.put(`${path}/${id}`, { ...change, version: 1 });
      expect(changed).toMatchObject({ status: 200, body: { ...change, id, version: 2 } });
      expect((await reader.get(path)).body).toContainEqual(changed.body);
      const address = path === 'Genre' ? `Genre?id=${id}` : `${path}/${id}`;
      expect(await admin.delete(address)).toEqual({ status: 200, body: { deleted: 1 } });
      expect(await reader.get(`${path}/${id}`)).toMatchObject(refusal(404, 'NotFound'));
      expect(await admin.delete(address)).toMatchObject(refusal(404, 'NotFound'));
      expect(await admin.put(`${path}/${id}`, change)).toMatchObject({ status: 404 });
    }
    expect((await admin.post('Author/add', author('Ada', 'Byron'))).body.fullname).toBe('Ada Byron');
  });

  it('of an import, which lack much, can be changed, and what is there cannot be emptied', async () => {
    const names = { firstname: '—', lastname: 'Sappho', nationality: 'Greek' };
    const path = `Author/${await addRow(product.database, 'author', names)}`;
    const lacking = { firstname: '—', lastname: 'Sappho', nationality: 'Greek', biography: '' };
    const changed = await admin.put(path, { ...lacking, otherNames: ['Psappho', ' Safona '] });
    expect(changed).toMatchObject({ status: 200, body: { ...lacking, otherNames: ['Psappho', 'Safona'] } });
    // Not sent, they stay.
    expect((await admin.put(path, { ...lacking, nationality: 'Aeolian' })).body.otherNames).toHaveLength(2);
    expect((await admin.put(path, { ...lacking, nationality: '', biography: 'short' })).body.errors).toEqual({
      nationality: ['Nationality is required (2-50 characters).'],
      biography: ['Biography is required (10-1000 characters).'],
    });
  });

  // spec 5.13
  it('names every field that does not hold', async () => {
    expect(await admin.post('Author/add', { firstname: 'A', biography: 'short' })).toMatchObject({
      status: 400,
      body: {
        errors: {
          firstname: ['First name is required (2-50 characters).'],
          lastname: ['Last name is required (2-50 characters).'],
          nationality: ['Nationality is required (2-50 characters).'],
          biography: ['Biography is required (10-1000 characters).'],
        },
      },
    });
    expect((await admin.post('Publisher/add', publisher('House', { phone: 'none' }))).body.errors).toEqual({
      phone: ['Invalid phone number format (e.g., +48 123-456-789)'],
    });
    expect((await admin.delete('Genre')).body.errors).toHaveProperty('id');
    expect((await admin.get('Author/abc')).status).toBe(400);
    expect((await admin.get('Author/paginated?SortBy=Age')).body.errors).toHaveProperty('SortBy');
    expect((await admin.get('Author/paginated?pageSize=101')).body.errors).toHaveProperty('pageSize');
    expect((await admin.get('Author/paginated?pageNumber=0')).body.errors).toHaveProperty('pageNumber');
  });

  it('has each name once, whatever its case, accents and blanks', async () => {
    await admin.post('Publisher/add', publisher('Łódzki Dom Książki'));
    for (const name of ['Łódzki Dom Książki', 'lodzki  dom ksiazki', ' ŁÓDZKI DOM KSIĄŻKI ']) {
      expect(await admin.post('Publisher/add', publisher(name))).toMatchObject(
        refusal(409, 'NameTaken', 'The catalogue has the publisher Łódzki Dom Książki already.'),
      );
    }
    const other = (await admin.post('Publisher/add', publisher('Another House'))).body;
    expect(await admin.put(`Publisher/${other.id}`, publisher('łódzki dom książki'))).toMatchObject({
      status: 409,
    });
    expect((await admin.get(`Publisher/${other.id}`)).body).toEqual(other);
    // Signs are part of a name.
    expect((await admin.post('Genre/add', genre('About C'))).status).toBe(201);
    expect((await admin.post('Genre/add', genre('About C++'))).status).toBe(201);
  });

  it('lets one of many have a name that they give at once', async () => {
    const names = ['Éditions de Minuit', 'editions de minuit', 'EDITIONS DE MINUIT', 'Editions de  Minuit'];
    const answers = await Promise.all(names.map((name) => admin.post('Publisher/add', publisher(name))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('lets imported namesakes keep their names', async () => {
    await addRow(product.database, 'genre', { name: 'Fantasy' });
    const id = await addRow(product.database, 'genre', { name: 'fantasy' });
    const genreBefore = { id, name: 'fantasy', description: '', version: 1 };
    expect((await admin.get(`Genre/${id}`)).body).toEqual(genreBefore);
    expect(await admin.put(`Genre/${id}`, genre('FANTASY'))).toMatchObject({ status: 200 });
    expect(await admin.put(`Genre/${id}`, genre('Fantasy'))).toMatchObject(refusal(409, 'NameTaken'));
  });

  it('reads authors that an import brought with a name alone', async () => {
    const id = await addRow(product.database, 'author', { firstname: '', lastname: 'Homer' });
    expect((await reader.get(`Author/${id}`)).body).toEqual({
      ...{ id, firstname: '', lastname: 'Homer', fullname: 'Homer', nationality: '' },
      ...{ otherNames: [], biography: '', version: 1 },
    });
    const page = await reader.get('Author/paginated?SortBy=Nationality&pageSize=100');
    expect(page.body.items.at(-1)).toMatchObject({ nationality: '' });
  });

  it('refuses what was opened before somebody else saved, and nothing is changed', async () => {
    const { id } = (await admin.post('Author/add', author('Wisława', 'Szymborska'))).body;
    const edits = await Promise.all(
      ['Poland', 'Kraków', 'Kórnik'].map((nationality) =>
        admin.put(`Author/${id}`, author('Wisława', 'Szymborska', { nationality, version: 1 })),
      ),
    );
    expect(edits.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const won = edits.find(({ status }) => status === 200);
    expect(edits.find(({ status }) => status === 409)?.body.code).toBe('EditedMeanwhile');
    expect((await admin.get(`Author/${id}`)).body).toEqual(won?.body);
    // The specification's own body has no version.
    expect((await admin.put(`Author/${id}`, author('Wisława', 'Szymborska'))).body.version).toBe(3);
  });

  it('refuses to delete what books have, and says how many', async () => {
    const a = (await admin.post('Author/add', author('Bruno', 'Schulz'))).body;
    const g = (await admin.post('Genre/add', genre('Dreams'))).body;
    const p = (await admin.post('Publisher/add', publisher('Rój'))).body;
    await bookWith({ author: a.id, genre: g.id, publisher: p.id }, 'Sklepy cynamonowe');
    await bookWith({ author: a.id }, 'Sanatorium pod Klepsydrą');
    expect(await admin.delete(`Author/${a.id}`)).toMatchObject(
      refusal(409, 'InUse', '2 books have the author Bruno Schulz. Nothing was deleted.'),
    );
    expect(await admin.delete(`Genre?id=${g.id}`)).toMatchObject(
      refusal(409, 'InUse', '1 book has the genre Dreams. Nothing was deleted.'),
    );
    expect((await admin.delete(`Publisher/${p.id}`)).body.code).toBe('InUse');
    expect((await admin.get(`Author/${a.id}`)).status).toBe(200);
  });

  it('finds and shows books under a new name at once', async () => {
    const a = (await admin.post('Author/add', author('Aleksander', 'Głowacki'))).body;
    const g = (await admin.post('Genre/add', genre('Positivism'))).body;
    const p = (await admin.post('Publisher/add', publisher('Gebethner'))).body;
    await bookWith({ author: a.id, genre: g.id, publisher: p.id }, 'Lalka');
    expect(await found('Głowacki')).toEqual(['Lalka']);
    await admin.put(`Author/${a.id}`, author('Bolesław', 'Prus'));
    await admin.put(`Genre/${g.id}`, genre('Realism'));
    await admin.put(`Publisher/${p.id}`, publisher('Wolff'));
    for (const term of ['Prus', 'Realism', 'Wolff']) expect(await found(term)).toEqual(['Lalka']);
    for (const term of ['Głowacki', 'Positivism', 'Gebethner']) expect(await found(term)).toEqual([]);
    const [book] = (await reader.get('Book?SearchTerm=Lalka')).body.items;
    expect(book).toMatchObject({ authors: [{ lastname: 'Prus' }], genres: [{ name: 'Realism' }] });
  });

  // spec 7.13
  it('sorts as a Polish reader expects, searches without accents, and counts exactly', async () => {
    for (const name of ['Zorza Test', 'Łuk Test', 'Lutnia Test', 'Ćma Test', 'Cisza Test', '100%_ Test']) {
      await admin.post('Genre/add', genre(name));
    }
    const page = async (query: string) => {
      const { body } = await reader.get(`Genre/paginated?${query}`);
      return { names: body.items.map(({ name }: { name: string }) => name) as string[], n: body.totalCount };
    };
    const all = ['100%_ Test', 'Cisza Test', 'Ćma Test', 'Lutnia Test', 'Łuk Test', 'Zorza Test'];
    expect(await page('SearchTerm=test')).toEqual({ names: all, n: 6 });
    expect(await page('SearchTerm=test&SortBy=NameZ-A')).toEqual({ names: [...all].reverse(), n: 6 });
    expect(await page('SearchTerm=test&pageSize=4&pageNumber=2')).toEqual({ names: all.slice(4), n: 6 });
    expect(await page('SearchTerm=test&pageNumber=9')).toEqual({ names: [], n: 6 });
    expect((await page('SearchTerm=TEST%20luk')).names).toEqual(['Łuk Test']);
    expect((await page('SearchTerm=0%25_')).names).toEqual(['100%_ Test']);
    expect((await page('SearchTerm=%25%25')).n).toBe(0);
    expect((await page('SearchTerm=%5C')).n).toBe(0);
    expect((await page('SortBy=')).n).toBeGreaterThanOrEqual(6);
  });

  it('pages through all of many authors, nobody twice and nobody left out', async () => {
    await product.rows(`insert into author (firstname, lastname, nationality, biography)
       select 'Same', 'Name ' || n, 'Polish', '' from generate_series(1, 1000) n`);
    const ids = new Set<number>();
    for (let pageNumber = 1; pageNumber <= 3; pageNumber += 1) {
      const { body } = await reader.get(
        `Author/paginated?SortBy=Firstname&SearchTerm=same%20name&pageSize=100&pageNumber=${pageNumber}`,
      );
      expect(body.totalCount).toBe(1_000);
      for (const { id } of body.items) ids.add(id);
    }
    expect(ids.size).toBe(300);
    expect((await reader.get('Author')).body).toHaveLength(100);
  });
});
