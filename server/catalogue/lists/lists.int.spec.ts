import { MAX_BOOKS_PER_LIST, MAX_LISTS, type OwnList } from '#contracts/lists/reading-lists.js';
import { caller, keyed } from '../../../test-support/product/caller.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';

const NOBODYS = '00000000-0000-4000-8000-000000000001';

describe('lists of books', () => {
  const clock = new TestClock();
  const product = shared(() => startProduct(clock));
  const guest = shared(() => caller(product.url, ''));

  const book = (title: string) => product.book(1, title);
  const mine = async (reader: TestAccount) => (await reader.get('List/mine')).body as OwnList[];
  const newList = async (reader: TestAccount, name: string) =>
    (await reader.post('List', { name })).body as OwnList;
  const titlesOf = async (reader: TestAccount, id: string) =>
    ((await reader.get(`List/${id}`)).body.items as { book: { title: string } }[]).map(
      (item) => item.book.title,
    );
  const withBooks = async (reader: TestAccount, name: string, ...titles: string[]) => {
    const { id } = await newList(reader, name);
    const ids: number[] = [];
    for (const title of titles) {
      const bookId = await book(title);
      ids.push(bookId);
      await reader.post(`List/${id}/books`, { bookId });
    }
    return { id, ids };
  };

  describe('of a reader', () => {
    it('are two from the beginning, written down with the first book', async () => {
      const reader = await product.account();
      const [toRead, favourites, ...others] = await mine(reader);
      expect(toRead).toMatchObject({ standing: 'to-read', name: 'To read', books: 0, changedAt: null });
      expect(favourites).toMatchObject({ standing: 'favourites', name: 'Favourites', books: 0 });
      expect(others).toEqual([]);
      expect((await reader.get(`List/${toRead?.id}`)).body).toMatchObject({ name: 'To read', items: [] });

      const solaris = await book('Solaris');
      expect((await reader.post(`List/${toRead?.id}/books`, { bookId: solaris })).body).toEqual({
        added: true,
        books: 1,
      });
      expect((await reader.get(`List/mine?bookId=${solaris}`)).body).toMatchObject([
        { id: toRead?.id, hasBook: true, books: 1, firstBooks: [solaris] },
        { id: favourites?.id, hasBook: false, books: 0 },
      ]);
      // Another's standing list has another id.
      expect((await mine(await product.account()))[0]?.id).not.toBe(toRead?.id);
    });

    it('are made, renamed and deleted; the standing ones keep their names', async () => {
      const reader = await product.account();
      const key = keyed();
      const body = { name: ' Żółte książki ', description: 'Of yellow books.' };
      const first = await reader.post('List', body, key);
      expect(first).toMatchObject({
        status: 201,
        body: { name: 'Żółte książki', books: 0, isShared: false },
      });
      expect((await reader.post('List', body, key)).body).toEqual(first.body);
      const { id } = first.body as OwnList;

      const taken = [
        await reader.post('List', { name: 'zolte  KSIAZKI' }),
        await reader.post('List', { name: 'favourites' }),
        await reader.put(`List/${id}`, { name: 'TO READ' }),
      ];
      expect(taken.map(({ status, body: { code } }) => [status, code])).toEqual(
        taken.map(() => [409, 'NameTaken']),
      );
      await newList(reader, 'Poems');
      expect((await reader.put(`List/${id}`, { name: 'poems' })).body.code).toBe('NameTaken');
      expect((await reader.put(`List/${id}`, { name: 'Yellow' })).body).toMatchObject({
        name: 'Yellow',
        description: '',
      });
      expect((await mine(reader)).map(({ name }) => name)).toEqual([
        ...['To read', 'Favourites', 'Poems', 'Yellow'],
      ]);

      const [toRead] = await mine(reader);
      expect((await reader.put(`List/${toRead?.id}`, { name: 'Later' })).body.code).toBe('ListStays');
      expect(
        (await reader.put(`List/${toRead?.id}`, { name: 'To read', description: 'Soon.' })).body,
      ).toMatchObject({ name: 'To read', description: 'Soon.' });
      expect((await reader.delete(`List/${toRead?.id}`)).body.code).toBe('ListStays');
      expect((await reader.delete(`List/${id}`)).body).toHaveLength(3);
      expect((await reader.delete(`List/${id}`)).status).toBe(404);
    });

    it('keep books in an order of the reader’s own', async () => {
      const reader = await product.account();
      const { id, ids } = await withBooks(reader, 'Order', 'A', 'B', 'C', 'D');
      const [a = 0, b = 0, , d = 0] = ids;
      expect((await reader.post(`List/${id}/books`, { bookId: a })).body).toEqual({ added: false, books: 4 });
      await reader.put(`List/${id}/books/${d}`, { place: 1 });
      expect(await titlesOf(reader, id)).toEqual(['D', 'A', 'B', 'C']);
      await reader.put(`List/${id}/books/${d}`, { place: 3 });
      expect(await titlesOf(reader, id)).toEqual(['A', 'B', 'D', 'C']);
      await reader.put(`List/${id}/books/${a}`, { place: 1000 });
      expect(await titlesOf(reader, id)).toEqual(['B', 'D', 'C', 'A']);
      expect((await reader.delete(`List/${id}/books/${d}`)).body).toEqual({ place: 2, books: 3 });
      expect((await reader.delete(`List/${id}/books/${d}`)).body).toEqual({ place: null, books: 3 });
      expect((await reader.put(`List/${id}/books/${d}`, { place: 1 })).body.code).toBe('BookNotListed');
      // Put back where it was.
      await reader.post(`List/${id}/books`, { bookId: d, place: 2 });
      expect(await titlesOf(reader, id)).toEqual(['B', 'D', 'C', 'A']);

      const page = await reader.get(`List/${id}?pageNumber=2&pageSize=3`);
      expect(page.body).toMatchObject({ totalCount: 4, items: [{ book: { title: 'A' } }] });
      await product.database.query('delete from book where id = $1', [b]);
      expect(await titlesOf(reader, id)).toEqual(['D', 'C', 'A']);
    });

    it('are refused what is wrong, in words for each field', async () => {
      const reader = await product.account();
      const { id } = await newList(reader, 'Wrong');
      for (const [answer, field] of [
        [reader.post('List', {}), 'name'],
        [reader.post('List', { name: ' ' }), 'name'],
        [reader.post('List', { name: 'x'.repeat(81) }), 'name'],
        [reader.post('List', { name: 'x', description: 'x'.repeat(1001) }), 'description'],
        [reader.post(`List/${id}/books`, { bookId: 'x' }), 'bookId'],
        [reader.put(`List/${id}/books/1`, { place: 0 }), 'place'],
        [reader.get('List/none'), 'id'],
        [reader.get('List/mine/file?format=pdf'), 'format'],
      ] as const) {
        const { status, body } = await answer;
        expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
      }
      const missing = await reader.post(`List/${id}/books`, { bookId: 2_000_000_000 });
      expect([missing.status, missing.body.code]).toEqual([404, 'BookNotFound']);
    });

    it('are nobody else’s, and not the library’s', async () => {
      const [reader, other, admin] = [
        await product.account(),
        await product.account(),
        await product.account('Admin'),
      ];
      const { id, ids } = await withBooks(reader, 'Secret', 'Hidden');
      const calls = (caller_: TestAccount, list: string) => [
        caller_.get(`List/${list}`),
        caller_.put(`List/${list}`, { name: 'Mine now' }),
        caller_.delete(`List/${list}`),
        caller_.post(`List/${list}/books`, { bookId: ids[0] }),
        caller_.put(`List/${list}/books/${ids[0]}`, { place: 1 }),
        caller_.delete(`List/${list}/books/${ids[0]}`),
        caller_.post(`List/${list}/share`),
        caller_.delete(`List/${list}/share`),
      ];
      const unknown = await Promise.all(calls(other, NOBODYS));
      for (const stranger of [other, admin]) {
        const answers = await Promise.all(calls(stranger, id));
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
        expect(answers.map(({ body }) => body.detail)).toEqual(unknown.map(({ body }) => body.detail));
      }
      expect((await admin.put(`ReadingList/${id}`, { name: 'x', onHome: true })).status).toBe(404);
      expect((await guest.get(`ReadingList/${id}`)).status).toBe(404);
      const { body: shelf } = await admin.post('ReadingList', { name: 'Of all', onHome: false });
      expect((await reader.get(`List/${shelf.id}`)).status).toBe(404);
      expect(await titlesOf(reader, id)).toEqual(['Hidden']);
    });

    it('keep to their limits, and books to one place, however many come at once', async () => {
      const reader = await product.account();
      await product.database.query(
        `insert into reading_list (id, account_id, name, description, on_home, created_at, changed_at)
         select gen_random_uuid(), $1, 'List ' || n, '', false, now(), now() from generate_series(1, $2::integer) n`,
        [reader.id, MAX_LISTS - 1],
      );
      const added = await Promise.all([1, 2, 3].map((n) => reader.post('List', { name: `Last ${n}` })));
      expect(added.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect(added.find(({ status }) => status === 409)?.body.code).toBe('TooManyLists');

      const { id } = (await mine(reader))[0] as OwnList;
      const dune = await book('Dune');
      const twice = await Promise.all(
        [1, 2, 3, 4, 5, 6, 7, 8].map(() => reader.post(`List/${id}/books`, { bookId: dune })),
      );
      expect(twice.map(({ body }) => body.added as boolean).sort()).toEqual([
        ...Array.from({ length: 7 }, () => false),
        true,
      ]);

      await product.database.query('alter table book disable trigger user');
      await product.database.query(
        `with filler as (
           insert into book (isbn, title, published, copies_total, copies_available)
           select 'filler-' || n, 'Filler ' || n, '2001-01-01', 0, 0 from generate_series(1, $2::integer) n returning id)
         insert into reading_list_book (list_id, book_id, place, added_at) select $1, id, 2, now() from filler`,
        [id, MAX_BOOKS_PER_LIST - 2],
      );
      await product.database.query('alter table book enable trigger user');
      const more = await Promise.all(['X', 'Y', 'Z'].map(book));
      const full = await Promise.all(more.map((bookId) => reader.post(`List/${id}/books`, { bookId })));
      expect(full.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      expect(full.find(({ status }) => status === 409)?.body.code).toBe('ListFull');
      expect((await reader.get(`List/${id}`)).body.totalCount).toBe(MAX_BOOKS_PER_LIST);
    });

    it('are taken along as a file, and go with the account', async () => {
      const reader = await product.account();
      const { id } = await withBooks(reader, '=Sums', 'Numbers, “all”', '-1');
      await newList(reader, 'Empty');
      const answer = await reader.download('List/mine/file');
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="lists.csv"');
      const lines = (await answer.text()).split('\r\n');
      expect(lines[0]).toBe('list,title,author,isbn,publication_date,added');
      expect(lines[1]).toMatch(/^'=Sums,"Numbers, “all”",,test-[^,]+,2001-01-01,\d{4}-/);
      expect(lines[2]).toMatch(/^'=Sums,'-1,/);
      expect(lines[3]).toBe('Empty,,,,,');
      const { body } = await reader.get('List/mine/file?format=json');
      expect(body.lists).toMatchObject([
        { name: '=Sums', books: [{ title: 'Numbers, “all”' }, { title: '-1' }] },
        { name: 'Empty', books: [] },
      ]);

      const { token } = (await reader.post(`List/${id}/share`)).body;
      await product.database.query('delete from account where id = $1', [reader.id]);
      const { rows } = await product.database.query('select from reading_list where id = $1', [id]);
      expect(rows).toEqual([]);
      expect((await guest.post('List/shared', { token })).status).toBe(404);
    });
  });

  describe('shared by a link', () => {
    it('show name and books to whoever has it, and nothing of the reader, until it is ended', async () => {
      const reader = await product.account();
      const { id } = await withBooks(reader, 'For friends', 'Emma', 'Persuasion');
      const { status, body: link } = await reader.post(`List/${id}/share`);
      expect(status).toBe(201);
      const token = link.token as string;
      const open = (of: string) => guest.post('List/shared', { token: of });
      const shown = await open(token);
      expect(shown).toMatchObject({
        status: 200,
        body: { name: 'For friends', totalCount: 2, items: [{ title: 'Emma' }, { title: 'Persuasion' }] },
      });
      expect(Object.keys(shown.body).sort()).toEqual(['description', 'items', 'name', 'totalCount']);
      expect((await mine(reader)).find((list) => list.id === id)?.isShared).toBe(true);

      // A second link takes the first one's place.
      const { body: second } = await reader.post(`List/${id}/share`);
      expect((await open(token)).body.code).toBe('ListNotFound');
      expect((await open(second.token)).status).toBe(200);
      expect((await reader.delete(`List/${id}/share`)).body.isShared).toBe(false);
      expect((await open(second.token)).body.code).toBe('ListNotFound');

      // Neither the database nor a line of the log has a token.
      const { rows } = await product.database.query('select l::text as text from reading_list l');
      const logged = (await product.lines()).join('');
      for (const secret of [token, second.token as string]) {
        expect(JSON.stringify(rows)).not.toContain(secret);
        expect(logged).not.toContain(secret);
      }
    });

    it('can be a standing one on which nothing is yet', async () => {
      const reader = await product.account();
      const favourites = (await mine(reader))[1] as OwnList;
      const { body } = await reader.post(`List/${favourites.id}/share`);
      expect((await guest.post('List/shared', { token: body.token })).body).toMatchObject({
        name: 'Favourites',
        items: [],
      });
    });

    it('are not found by trying', async () => {
      // What other tests tried counts no more.
      await clock.forward(16 * 60_000);
      expect((await guest.post('List/shared', { token: 'short' })).body.errors).toHaveProperty('token');
      const reader = await product.account();
      const { id } = await withBooks(reader, 'Found', 'Ulysses');
      const { body } = await reader.post(`List/${id}/share`);
      const tried = await Promise.all(
        Array.from({ length: 101 }, () => guest.post('List/shared', { token: 'x'.repeat(43) })),
      );
      const count = (status: number) => tried.filter((answer) => answer.status === status).length;
      expect([count(404), count(429)]).toEqual([100, 1]);
      // Whoever has a link that is one goes on reading.
      expect((await guest.post('List/shared', { token: body.token })).status).toBe(200);
    });
  });

  describe('of the library', () => {
    it('are kept by admins and shown to everybody, on the home page in their order', async () => {
      const [admin, second] = [await product.account('Admin'), await product.account('Admin')];
      const add = async (name: string, onHome: boolean) =>
        (await admin.post('ReadingList', { name, description: `About ${name}`, onHome })).body as {
          id: string;
          version: number;
        };
      const [prizes, summer, later] = [
        await add('Prizes', true),
        await add('Summer', true),
        await add('Later', false),
      ];
      expect((await admin.post('ReadingList', { name: 'PRIZES', onHome: true })).body.code).toBe('NameTaken');
      expect((await admin.post('ReadingList', { name: 'Which' })).body.errors).toHaveProperty('onHome');
      for (const [list, title] of [
        [prizes, 'First'],
        [prizes, 'Second'],
        [later, 'Kept'],
      ] as const) {
        await admin.post(`ReadingList/${list.id}/books`, { bookId: await book(title) });
      }
      const home = async () =>
        ((await guest.get('ReadingList/home')).body as { name: string; books: { title: string }[] }[]).map(
          ({ name, books }) => [name, books.map(({ title }) => title)],
        );
      // One without books is not shown.
      expect(await home()).toEqual([['Prizes', ['First', 'Second']]]);
      await admin.post(`ReadingList/${summer.id}/books`, { bookId: await book('Sun') });
      await admin.put(`ReadingList/${summer.id}/place`, { place: 1 });
      expect(await home()).toEqual([
        ['Summer', ['Sun']],
        ['Prizes', ['First', 'Second']],
      ]);
      expect((await guest.get(`ReadingList/${later.id}`)).body).toMatchObject({
        name: 'Later',
        items: [{ title: 'Kept' }],
      });

      const change = { name: 'Prizes of 2026', onHome: false, version: prizes.version };
      expect((await second.put(`ReadingList/${prizes.id}`, change)).body).toMatchObject({ onHome: false });
      expect((await admin.put(`ReadingList/${prizes.id}`, change)).body.code).toBe('EditedMeanwhile');
      expect(await home()).toEqual([['Summer', ['Sun']]]);
      const { fullname } = (await second.get('User/profile')).body;
      const all = (await admin.get('ReadingList')).body as { id: string; changedBy: string }[];
      expect(all.find(({ id }) => id === prizes.id)?.changedBy).toBe(fullname);

      const printed = await admin.download(`ReadingList/${prizes.id}/file`);
      expect((await printed.text()).split('\r\n').slice(0, 3)).toEqual([
        'place,title,author,isbn,publication_date,copies,book',
        expect.stringMatching(/^1,First,,test-[^,]+,2001-01-01,1,\d+$/),
        expect.stringMatching(/^2,Second,/),
      ]);
      expect((await admin.delete(`ReadingList/${summer.id}`)).status).toBe(200);
      expect(await home()).toEqual([]);
    });

    it('refuses the key of a list of another kind', async () => {
      const admin = await product.account('Admin');
      const key = keyed();
      expect((await admin.post('List', { name: 'Mine' }, key)).status).toBe(201);
      const refused = await admin.post('ReadingList', { name: 'Ours', onHome: false }, key);
      expect([refused.status, refused.body.code]).toEqual([422, 'IdempotencyKeyReused']);
    });
  });
});
