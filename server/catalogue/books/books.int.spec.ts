import { randomInt } from 'node:crypto';
import { addRow } from '../../../test-support/database/add-row.js';
import { refusal } from '../../../test-support/product/caller.js';
import { startProduct } from '../../../test-support/product/product.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { atEnd, shared } from '../../../test-support/shared.js';
import { ean13, isbn13Of } from '../isbn.js';

const freeIsbn = () => ean13(`978${String(randomInt(1_000_000_000)).padStart(9, '0')}`);

describe('books, as administrators save them', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));
  const reader = shared(() => product.account());
  let [lem, dick, fiction, essays, house, press] = [0, 0, 0, 0, 0, 0];
  beforeAll(async () => {
    lem = await addRow(product.database, 'author', { firstname: 'Stanisław', lastname: 'Lem' });
    dick = await addRow(product.database, 'author', { firstname: 'Philip K.', lastname: 'Dick' });
    fiction = await addRow(product.database, 'genre', { name: 'Fiction' });
    essays = await addRow(product.database, 'genre', { name: 'Essays' });
    house = await addRow(product.database, 'publisher', { name: 'House' });
    press = await addRow(product.database, 'publisher', { name: 'Press' });
  });

  const body = (more: object = {}) => ({
    isbn: freeIsbn(),
    title: 'Solaris',
    description: 'An ocean that thinks.',
    authors: [{ id: lem }],
    genres: [{ id: fiction }],
    publisher: { id: house },
    publicationDate: '1961-06-01',
    copiesAvailable: 3,
    ...more,
  });
  type Body = ReturnType<typeof body> & Record<string, unknown>;
  /** As the form of the specification sends it, where some of the authors were taken away again. */
  const asForm = (of: object): FormData => {
    const { authors, genres, publisher, ...plain } = of as Body;
    const form = new FormData();
    for (const [name, value] of Object.entries(plain)) form.set(name, String(value));
    form.set('publisher.id', String(publisher.id));
    authors.forEach(({ id }, at) => form.set(`authors[${at * 3}].id`, String(id)));
    genres.forEach(({ id }, at) => form.set(`genres[${at}].id`, String(id)));
    return form;
  };
  const add = async (more: object = {}) => (await admin.post('Book', body(more))).body.id as number;
  const get = async (id: number) => (await reader.get(`Book/${id}`)).body;
  const rentOne = async (id: number) => {
    const { body: rent } = await reader.post('Borrow/rent-books', { bookIds: [id] });
    return rent.borrowId as string;
  };
  const giveBack = async (borrowId: string, id: number) => {
    const desk = `borrowId=${borrowId}&userId=${reader.id}`;
    await admin.post(`Borrow/issue-books?${desk}`, { bookIds: [id] });
    expect((await admin.post(`Borrow/return-books?${desk}`, { bookIds: [id] })).status).toBe(200);
  };
  const inOrder = async () => expect(await product.differences()).toEqual([]);
  atEnd(inOrder);
  const found = async (term: string) =>
    (await reader.get(`Book?SearchTerm=${encodeURIComponent(term)}`)).body.items.map(
      (book: { title: string }) => book.title,
    ) as string[];

  describe('saving', () => {
    it.each<[what: string, given: object, kept: object, refused: [object, object][], gone: object]>([
      [
        'a series and its volume',
        { series: ' Harry Potter ', volume: '1' },
        { series: 'Harry Potter', volume: '1' },
        [
          [{ volume: '2', series: '' }, { volume: ['Enter the series this volume belongs to.'] }],
          [{ series: 'a\nb' }, { series: [expect.any(String)] }],
        ],
        { series: null, volume: null },
      ],
      [
        'a language by its shortest code',
        { language: 'pol' },
        { language: 'pl' },
        [[{ language: 'Polish' }, { language: ['A language is an ISO 639 code, such as en or pol.'] }]],
        { language: null },
      ],
      [
        'a price',
        { price: '39,9' },
        { price: 39.9 },
        [[{ price: '39.905' }, { price: ['A price is an amount in PLN, such as 39.90.'] }]],
        { price: null },
      ],
    ])('keeps %s, and leaves it alone where a form has none', async (_what, given, kept, refused, gone) => {
      const id = await add(given);
      const put = (more: object) => admin.put(`Book/${id}`, body(more));
      expect(await get(id)).toMatchObject(kept);
      for (const [more, errors] of refused) expect((await put(more)).body.errors).toEqual(errors);
      await put({});
      expect(await get(id)).toMatchObject(kept);
      await put(Object.fromEntries(Object.keys(given).map((field) => [field, ''])));
      expect(await get(id)).toMatchObject(gone);
    });

    it('is loanable unless said otherwise, and for the reading room only from then on, but for what was rented', async () => {
      const id = await add();
      expect(await get(id)).toMatchObject({ kind: 'loanable' });
      const onShelf = body({ title: 'Atlas', copiesAvailable: 2 });
      const put = (more: object) => admin.put(`Book/${id}`, { ...onShelf, ...more });
      expect((await put({ kind: 'odd' })).body.errors).toEqual({
        kind: ['A book is one of these: loanable, short-loan, reading-room.'],
      });
      const borrowId = await rentOne(id);
      expect(
        (await admin.send('PUT', `Book/${id}`, asForm({ ...onShelf, kind: 'reading-room' }))).status,
      ).toBe(200);
      await put({});
      expect(await get(id)).toMatchObject({ kind: 'reading-room' });
      const { body: listed } = await reader.get('Book?SearchTerm=Atlas');
      expect(listed.items).toMatchObject([{ id, kind: 'reading-room' }]);

      const other = await product.account();
      const words = expect.stringContaining('“Atlas” is for the reading room only');
      const refused = refusal(409, 'ReadingRoomOnly', words);
      expect(await other.post('Borrow/rent-books', { bookIds: [id, await add()] })).toMatchObject(refused);
      expect(await other.post('Hold', { bookId: id })).toMatchObject(refused);
      expect(await admin.post(`Borrow/lend?userId=${other.id}`, { bookIds: [id] })).toMatchObject(refused);
      expect((await admin.post('Desk/scan', { scan: (await get(id)).isbn })).body.book).toMatchObject({
        kind: 'reading-room',
      });
      await waitFor(async () => (await get(id)).copiesAvailable === 2);
      await giveBack(borrowId, id);
    });

    it('adds copies, and withdraws those on the shelf with the last numbers, never one that is out', async () => {
      const id = await add({ copiesAvailable: 3 });
      const put = (copiesAvailable: number) => admin.put(`Book/${id}`, { ...body(), copiesAvailable });
      const states = async () =>
        ((await admin.get(`Book/${id}/copies`)).body.items as { state: string }[]).map(({ state }) => state);
      expect((await put(5)).status).toBe(200);
      expect(await states()).toEqual(Array.from({ length: 5 }, () => 'on-shelf'));
      const borrowId = await rentOne(id);
      expect((await put(2)).status).toBe(200);
      expect(await states()).toEqual(['rented', 'on-shelf', 'on-shelf', 'withdrawn', 'withdrawn']);
      expect(await get(id)).toMatchObject({ copiesTotal: 3, copiesAvailable: 2 });
      const refused = await admin.put(`Book/${id}`, { ...body(), copiesAvailable: 0, copiesBefore: 3 });
      expect(refused.status).toBe(400);
      await giveBack(borrowId, id);
      expect(await states()).toEqual(['on-shelf', 'on-shelf', 'on-shelf', 'withdrawn', 'withdrawn']);
      await put(4);
      expect(await states()).toEqual([
        ...['on-shelf', 'on-shelf', 'on-shelf', 'withdrawn', 'withdrawn', 'on-shelf'],
      ]);
    });

    // spec 1.4, 7.8, 7.11
    it('adds and changes a book by the multipart form', async () => {
      const given = body({
        ...{ title: 'Głos Pana', description: 'An ocean\nthat thinks.' },
        authors: [{ id: dick }, { id: lem }],
      });
      const added = await admin.send('POST', 'Book', asForm(given));
      expect(added).toEqual({ status: 201, body: { id: expect.any(Number), version: 1 } });
      const { id } = added.body;
      expect(await get(id)).toMatchObject({ ...given, copiesTotal: 3, photo: null, version: 1 });
      expect(await found('Głos Pana')).toEqual(['Głos Pana']);

      const change = {
        ...{ title: 'His Master’s Voice', authors: [{ id: lem }], publisher: { id: press } },
        genres: [{ id: essays }, { id: fiction }],
      };
      expect(await admin.send('PUT', `Book/${id}`, asForm({ ...given, ...change, version: 1 }))).toEqual({
        status: 200,
        body: { id, version: 2 },
      });
      expect(await get(id)).toMatchObject({ ...change, version: 2 });
      expect(await found('Głos Pana')).toEqual([]);
      expect(await found("his master's voice essays press")).toEqual(['His Master’s Voice']);
    });

    it('takes the same as JSON, and an author given twice once', async () => {
      const id = await add({ title: 'As JSON', authors: [{ id: lem }, { id: dick }, { id: lem }] });
      expect((await get(id)).authors.map((author: { id: number }) => author.id)).toEqual([lem, dick]);
    });

    // spec 5.14
    it('names the fields that do not hold, and nothing is half done', async () => {
      const before = (await reader.get('Book')).body.totalCount;
      for (const [more, ...fields] of [
        [{ title: ' ' }, 'title'],
        [{ isbn: '123', description: '' }, 'isbn', 'description'],
        [{ isbn: '97883x0000000' }, 'isbn'],
        [{ isbn: '<script>12' }, 'isbn'],
        [{ authors: [] }, 'authors'],
        [{ authors: [{ id: lem }, { id: 999_999 }] }, 'authors'],
        [{ genres: [{ id: 999_999 }], publisher: { id: 999_999 } }, 'genres', 'publisher'],
        [{ copiesAvailable: 0 }, 'copiesAvailable'],
        [{ copiesAvailable: 0, copiesBefore: 0 }, 'copiesAvailable'],
        [{ copiesAvailable: 1.5 }, 'copiesAvailable'],
        [{ publicationDate: '0999-12-31' }, 'publicationDate'],
        [{ publicationDate: '2999-01-01' }, 'publicationDate'],
        [{ publicationDate: '2023-02-30' }, 'publicationDate'],
        [{ title: 'a\u0000b' }, 'title'],
      ] as const) {
        const { status, body: problem } = await admin.send('POST', 'Book', asForm(body(more)));
        expect([more, status, Object.keys(problem.errors as object)]).toEqual([more, 400, fields]);
      }
      expect((await reader.get('Book')).body.totalCount).toBe(before);
    });

    it('refuses what is neither a form nor JSON, and forms that are broken', async () => {
      const send = async (type: string, text: string) => {
        const response = await fetch(`${product.url}/api/Book`, {
          method: 'POST',
          headers: { authorization: `Bearer ${admin.token}`, 'content-type': type },
          body: text,
        });
        return { status: response.status, errors: ((await response.json()) as { errors?: object }).errors };
      };
      const unread = { status: 400, errors: { request: [expect.any(String)] } };
      expect(await send('text/plain', 'title=Solaris')).toEqual(unread);
      expect(await send('application/x-www-form-urlencoded', 'title=Solaris')).toEqual(unread);
      expect(await send('multipart/form-data', 'no boundary')).toEqual(unread);
      expect(await send('multipart/form-data; boundary=b', '--b\r\nContent-Disp')).toEqual(unread);
      const many = new FormData();
      for (let at = 0; at < 300; at += 1) many.append(`authors[${at}].id`, '1');
      expect(await admin.send('POST', 'Book', many)).toMatchObject({
        status: 400,
        body: { errors: { request: ['The form could not be read: Too many fields.'] } },
      });
      const long = asForm(body({ description: 'x'.repeat(200_000) }));
      expect((await admin.send('POST', 'Book', long)).body.errors).toEqual({
        description: ['This text is too long.'],
      });
    });

    // spec 7.8
    it('answers for a book that is not there', async () => {
      for (const id of [999_999, 99_999_999_999]) {
        for (const answer of [await admin.put(`Book/${id}`, body()), await admin.delete(`Book/${id}`)])
          expect(answer).toMatchObject(refusal(404, 'BookNotFound'));
      }
    });
  });

  describe('the ISBN', () => {
    it('is one number in both of its forms, with and without hyphens', async () => {
      const id = await add({ isbn: '0-306-40615-2', title: 'Ten' });
      expect((await get(id)).isbn).toBe(isbn13Of('0306406152'));
      for (const isbn of ['978-0-306-40615-7', '0306406152', '9780306406157']) {
        expect(await admin.post('Book', body({ isbn }))).toMatchObject(
          refusal(
            409,
            'IsbnTaken',
            'The ISBN 9780306406157 is in the catalogue already. It belongs to “Ten”.',
          ),
        );
      }
      const other = await add();
      expect((await admin.put(`Book/${other}`, body({ isbn: '0306406152' }))).body.code).toBe('IsbnTaken');
      expect((await admin.put(`Book/${id}`, body({ isbn: '0306406152' }))).status).toBe(200);
    });

    it('is given to one of many books that are saved with it at once', async () => {
      const isbn = freeIsbn();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => admin.send('POST', 'Book', asForm(body({ isbn })))),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 201);
      expect(others.map(({ body: problem }) => problem.code)).toEqual(Array(7).fill('IsbnTaken'));
    });

    it('with a wrong check digit has to be confirmed, once', async () => {
      for (const isbn of ['9780306406158', '0306406153', '12345678901', '9990306406157']) {
        const doubtful = await admin.post('Book', body({ isbn }));
        expect(doubtful).toMatchObject(refusal(409, 'IsbnDoubtful'));
        expect(doubtful.body.detail).toContain(isbn);
        const confirmed = await admin.send('POST', 'Book', asForm(body({ isbn, isbnConfirmed: 'true' })));
        expect(confirmed.status).toBe(201);
        const { id } = confirmed.body;
        expect((await get(id)).isbn).toBe(isbn);
        expect((await admin.put(`Book/${id}`, body({ isbn, title: 'Still so' }))).status).toBe(200);
      }
    });

    it('may be a number of our own', async () => {
      const isbn = ean13('290000000777');
      expect((await get(await add({ isbn }))).isbn).toBe(isbn);
    });

    it('and the day of an imported book stay as they are', async () => {
      const id = await add();
      await product.rows(`update book set published = '180' where id = $1`, id);
      const { isbn, publicationDate } = await get(id);
      const change = body({ isbn, publicationDate, title: 'Gilgamesh' });
      expect((await admin.put(`Book/${id}`, change)).status).toBe(200);
      // Its first day, as the answer says it, makes it known no more exactly.
      expect(await get(id)).toMatchObject({ published: '180', publicationDate: '0180-01-01' });
      expect((await admin.put(`Book/${id}`, { ...change, publicationDate: '181' })).status).toBe(400);
      for (const [published, day] of [
        ['-1750', null],
        ['1872', '1872-01-01'],
        ['1872-12', '1872-12-01'],
        ['1872-12-03', '1872-12-03'],
      ]) {
        expect((await admin.put(`Book/${id}`, { ...change, publicationDate: published })).status).toBe(200);
        expect(await get(id)).toMatchObject({ published, publicationDate: day });
      }
    });

    it('that lacks what a new one has to have can be changed, and what it has cannot be emptied', async () => {
      const lacking = { description: '', genres: [], publisher: null, publicationDate: '' };
      const fields = Object.keys(lacking);
      const refused = async (id: number, more: object) => {
        const { isbn } = await get(id);
        const answer = await admin.put(`Book/${id}`, { ...body({ isbn }), ...more });
        return [answer.status, Object.keys(answer.body.errors ?? {}).sort()];
      };
      const whole = await add();
      expect(await refused(whole, lacking)).toEqual([400, [...fields].sort()]);
      for (const [field, value] of Object.entries(lacking))
        expect(await refused(whole, { [field]: value })).toEqual([400, [field]]);
      expect((await admin.post('Book', { ...body({}), ...lacking })).status).toBe(400);

      const imported = await add();
      await product.rows(
        `update book set description = '', publisher_id = null, published = null where id = $1`,
        imported,
      );
      await product.rows('delete from book_genre where book_id = $1', imported);
      expect(await refused(imported, { ...lacking, price: '12.50' })).toEqual([200, []]);
      expect(await get(imported)).toMatchObject({
        price: 12.5,
        description: '',
        genres: [],
        publisher: null,
      });
      // Fields of the form that are not sent are lacking as well.
      expect(await refused(imported, { genres: undefined, publisher: undefined, description: '' })).toEqual([
        200,
        [],
      ]);
      expect(await refused(imported, { ...lacking, title: ' ' })).toEqual([400, ['title']]);
      expect(await refused(imported, {})).toEqual([200, []]);
      expect(await refused(imported, { description: '' })).toEqual([400, ['description']]);
    });
  });

  describe('copies', () => {
    const copiesOf = async (id: number) => {
      const { copiesAvailable, copiesTotal } = await get(id);
      return [copiesAvailable, copiesTotal];
    };

    it('lent while the form was open stay lent', async () => {
      const id = await add({ copiesAvailable: 2 });
      const { isbn, version } = await get(id);
      const borrow = await rentOne(id);
      expect((await get(id)).version).toBe(version);
      const save = (more: object) => admin.put(`Book/${id}`, body({ isbn, ...more }));
      expect((await save({ copiesAvailable: 2, copiesBefore: 2, version })).status).toBe(200);
      expect(await copiesOf(id)).toEqual([1, 2]);
      expect((await save({ copiesAvailable: 5, copiesBefore: 2 })).status).toBe(200);
      expect(await copiesOf(id)).toEqual([4, 5]);
      // Without what it was: as many as this on the shelf.
      expect((await save({ copiesAvailable: 1 })).status).toBe(200);
      expect(await copiesOf(id)).toEqual([1, 2]);
      await giveBack(borrow, id);
      expect(await copiesOf(id)).toEqual([2, 2]);
    });

    it('can be edited where all are lent, and no more can be taken away than are there', async () => {
      const id = await add({ copiesAvailable: 1 });
      const { isbn } = await get(id);
      const borrow = await rentOne(id);
      const save = (more: object) => admin.send('PUT', `Book/${id}`, asForm(body({ isbn, ...more })));
      expect((await save({ copiesAvailable: 0, copiesBefore: 0, title: 'All out' })).status).toBe(200);
      expect(await get(id)).toMatchObject({ title: 'All out', copiesAvailable: 0, copiesTotal: 1 });
      const refused = await save({ copiesAvailable: 1, copiesBefore: 3, title: 'Not saved' });
      expect(refused).toMatchObject({
        status: 400,
        body: {
          errors: {
            copiesAvailable: [
              '2 copies cannot be taken away: only 0 of 1 on the shelf, the others are lent or held.',
            ],
          },
        },
      });
      expect(await get(id)).toMatchObject({ title: 'All out', copiesAvailable: 0, copiesTotal: 1 });
      await giveBack(borrow, id);
    });

    it('add up when books are saved and rented at once', async () => {
      const id = await add({ copiesAvailable: 20 });
      const { isbn } = await get(id);
      const readers = await Promise.all(Array.from({ length: 15 }, () => product.account()));
      const answers = await Promise.all([
        // Who is told to come again, on a busy machine, does.
        ...readers.map((one) =>
          waitFor(async () => {
            const key = { 'idempotency-key': `rent-${one.id}` };
            const answer = await one.post('Borrow/rent-books', { bookIds: [id] }, key);
            return answer.status !== 503 && answer;
          }),
        ),
        ...Array.from({ length: 10 }, (_, n) =>
          admin.put(`Book/${id}`, body({ isbn, title: `Edit ${n}`, copiesAvailable: 21, copiesBefore: 20 })),
        ),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(200));
      expect(await copiesOf(id)).toEqual([15, 30]);
    });
  });

  it('takes of many edits of one version the first, and the others change nothing', async () => {
    const id = await add();
    const { isbn } = await get(id);
    const answers = await Promise.all(
      ['One', 'Two', 'Three', 'Four'].map((title) =>
        admin.put(`Book/${id}`, body({ isbn, title, copiesAvailable: 9, copiesBefore: 3, version: 1 })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('EditedMeanwhile');
    expect(await get(id)).toMatchObject({ copiesAvailable: 9, copiesTotal: 9, version: 2 });
  });

  describe('deleting', () => {
    it('is refused while a copy is out, and possible when it is back; histories keep the title', async () => {
      const id = await add({ title: 'Wanted and read' });
      const borrow = await rentOne(id);
      const refused = refusal(
        409,
        'InUse',
        'Copies are lent or held for readers: “Wanted and read” (1 copy). Nothing was deleted. Try again when they are back.',
      );
      expect(await admin.delete(`Book/${id}`)).toMatchObject(refused);
      const desk = `borrowId=${borrow}&userId=${reader.id}`;
      await admin.post(`Borrow/issue-books?${desk}`, { bookIds: [id] });
      expect(await admin.delete(`Book/${id}`)).toMatchObject(refused);
      await admin.post(`Borrow/return-books?${desk}`, { bookIds: [id] });

      expect(await admin.delete(`Book/${id}`)).toEqual({ status: 200, body: { deleted: 1 } });
      expect((await reader.get(`Book/${id}`)).body.code).toBe('BookNotFound');
      expect(await found('Wanted and read')).toEqual([]);
      const history = (await reader.get('Borrow/history')).body as { id: string; borrowedBooks: object[] }[];
      expect(history.find((row) => row.id === borrow)?.borrowedBooks).toEqual([
        { bookId: id, title: 'Wanted and read' },
      ]);
      await inOrder();
      await product.rebuild();
      await inOrder();
      const after = (await reader.get('Borrow/history')).body as { id: string; borrowedBooks: object[] }[];
      expect(after.find((row) => row.id === borrow)).toEqual(history.find((row) => row.id === borrow));
      expect((await reader.post('Borrow/rent-books', { bookIds: [id] })).body.code).toBe('BookNotFound');
    });

    it('leaves the answer of a repeated rent as it was', async () => {
      const id = await add();
      const key = { 'idempotency-key': `rent-once-${id}` };
      const rent = await reader.post('Borrow/rent-books', { bookIds: [id] }, key);
      await giveBack(rent.body.borrowId as string, id);
      expect((await admin.delete(`Book/${id}`)).status).toBe(200);
      const again = await reader.post('Borrow/rent-books', { bookIds: [id] }, key);
      expect(again).toMatchObject({ status: 200, body: { borrowId: rent.body.borrowId } });
    });

    // spec 7.9
    it('of several is all or nothing', async () => {
      const out = await add({ title: 'Out' });
      const ids = [await add(), await add(), out];
      const borrow = await rentOne(out);
      const refused = await admin.delete('Book/delete-multiple', ids);
      expect(refused).toMatchObject(refusal(409, 'InUse'));
      expect(refused.body.detail).toContain('“Out”');
      for (const id of ids) expect((await reader.get(`Book/${id}`)).status).toBe(200);
      await giveBack(borrow, out);
      expect(await admin.delete('Book/delete-multiple', [...ids, 999_999])).toMatchObject(
        refusal(404, 'BookNotFound'),
      );
      expect(await admin.delete('Book/delete-multiple', [...ids, ...ids])).toEqual({
        status: 200,
        body: { deleted: 3 },
      });
      for (const id of ids) expect((await reader.get(`Book/${id}`)).status).toBe(404);
      expect((await admin.delete('Book/delete-multiple', [])).status).toBe(400);
      expect((await admin.delete('Book/delete-multiple', { ids: [1] })).status).toBe(400);
    });

    it('and renting at once: one of them wins, never both', async () => {
      for (let round = 0; round < 3; round += 1) {
        const id = await add();
        const one = await product.account();
        const [rent, deletion] = await Promise.all([
          one.post('Borrow/rent-books', { bookIds: [id] }),
          admin.delete(`Book/${id}`),
        ]);
        const statuses = [rent.status, deletion.status].join(' ');
        expect(['200 409', '404 200']).toContain(statuses);
      }
    });

    it('is refused by the database itself while a copy is out, whoever asks', async () => {
      const id = await add();
      await rentOne(id);
      await expect(product.database.query('delete from book where id = $1', [id])).rejects.toMatchObject({
        code: 'LB004',
      });
    });

    it('and renaming an author at once leave neither broken', async () => {
      const author = await addRow(product.database, 'author', { firstname: 'Crossed', lastname: 'Out' });
      const ids = await Promise.all(Array.from({ length: 8 }, () => add({ authors: [{ id: author }] })));
      const entry = { firstname: 'Crossed', nationality: 'Polish', biography: 'Renamed all the while.' };
      const answers = await Promise.all([
        ...ids.map((id) => admin.delete(`Book/${id}`)),
        ...Array.from({ length: 6 }, (_, n) =>
          admin.put(`Author/${author}`, { ...entry, lastname: `Name ${n}` }),
        ),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(Array(14).fill(200));
    });
  });
});
