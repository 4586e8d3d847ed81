import type { z } from 'zod';
import { readFacets } from '#contracts/catalogue/book-facets.js';
import { listBooks, readBook, readSeries, suggestBooks } from '#contracts/catalogue/book-views.js';
import { problemSchema } from '#contracts/problem.js';
import { caller } from '../../test-support/product/caller.js';
import { addNewBooks } from '../../test-support/product/new-books.js';
import { startProduct } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';
import type { NewBook } from './book-writer.js';

const by = (firstname: string, lastname: string) => [{ firstname, lastname }];
const titlesOf = (books: readonly { title: string }[]) => books.map(({ title }) => title);

describe('GET Book', () => {
  const product = shared(() => startProduct());
  const anyone = shared(() => caller(product.url, ''));

  const read = async <Schema extends z.ZodType>(answer: Schema, path: string): Promise<z.output<Schema>> =>
    answer.parse((await anyone.get(path)).body);
  const list = (query: Record<string, string | number> | string) => {
    const parameters = typeof query === 'string' ? { SearchTerm: query } : query;
    const written = Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return read(listBooks.answer, `Book?${new URLSearchParams(written).toString()}`);
  };
  const found = async (query: Parameters<typeof list>[0]) => titlesOf((await list(query)).items);
  /** The server is told of what is written here over another connection: waits until it lists that many books. */
  const listed = (query: Parameters<typeof list>[0], count: number) =>
    waitFor(async () => (await list(query)).totalCount === count);
  const add = async (...books: Partial<NewBook>[]) => {
    const { totalCount } = await list({});
    await addNewBooks(product.database, books);
    await listed({}, totalCount + books.length);
  };
  beforeAll(() =>
    add(
      { title: 'Łódź 1905', authors: by('Piotr', 'Żółkiewski'), publisher: 'Świat Książki', copies: 3 },
      {
        title: 'Solaris',
        authors: by('Stanisław', 'Lem'),
        genres: ['Science Fiction'],
        isbn: '9788308049051',
      },
      { title: 'Lem. Życie nie z tej ziemi', authors: by('Wojciech', 'Orliński'), genres: ['Biography'] },
      { title: 'The Cyberiad', authors: by('Stanisław', 'Lem'), genres: ['Science Fiction'], copies: 5 },
      { title: 'The Making of Solaris', authors: by('Jan', 'Kowalski'), genres: ['Film'] },
      { title: 'Space Odyssey', authors: by('Arthur', 'Clarke'), publisher: 'Solaris Books' },
      {
        title: 'The Amazing Spider-Man, Vol. 1',
        authors: by('J. Michael', 'Straczynski'),
        isbn: '9780785108061',
      },
      {
        title: 'Harry Potter and the Chamber of Secrets',
        authors: by('J.K.', 'Rowling'),
        isbn: '9780439064866',
      },
      { title: 'Ćma', authors: by('Flann', "O'Brien") },
      { title: 'Cud', authors: by('Émile', 'Zola') },
      { title: 'Dom', authors: by('神尾', '葉子'), genres: [], publisher: null },
    ),
  );

  it.each([
    ['lodz', ['Łódź 1905']],
    ['ŁÓDŹ', ['Łódź 1905']],
    ['Łódź', ['Łódź 1905']],
    ['zolkiewski', ['Łódź 1905']],
    ['swiat ksiazki', ['Łódź 1905']],
    ['1905 lodz', ['Łódź 1905']],
    ['190', ['Łódź 1905']],
    // Titles that begin with it, then titles and authors, then publishers and genres.
    ['solaris', ['Solaris', 'The Making of Solaris', 'Space Odyssey']],
    ['solaris lem', ['Solaris']],
    ['lem solaris', ['Solaris']],
    ['lem', ['Lem. Życie nie z tej ziemi', 'Solaris', 'The Cyberiad']],
    ['science lem cyb', ['The Cyberiad']],
    ['science fict', ['Solaris', 'The Cyberiad']],
    ['spiderman', ['The Amazing Spider-Man, Vol. 1']],
    ['spider-man', ['The Amazing Spider-Man, Vol. 1']],
    ['spider man', ['The Amazing Spider-Man, Vol. 1']],
    ['rowling jk', ['Harry Potter and the Chamber of Secrets']],
    ['J.K. Rowling', ['Harry Potter and the Chamber of Secrets']],
    ["o'brien", ['Ćma']],
    ['obrien', ['Ćma']],
    ['o’brien', ['Ćma']],
    ['emile zola', ['Cud']],
    ['葉子', ['Dom']],
    // ISBN in every spelling.
    ['9788308049051', ['Solaris']],
    ['978-83-08-04905-1', ['Solaris']],
    ['978 83 08 04905 1', ['Solaris']],
    ['83-08-04905-2', ['Solaris']],
    ['8308049052', ['Solaris']],
    ['978-83-08', ['Solaris']],
    ['97883080', ['Solaris']],
    ['0439064864', ['Harry Potter and the Chamber of Secrets']],
    ['rowling 0-439-06486-4', ['Harry Potter and the Chamber of Secrets']],
    // Small typing errors.
    ['solraris', ['Solaris', 'The Making of Solaris', 'Space Odyssey']],
    ['hary poter', ['Harry Potter and the Chamber of Secrets']],
    ['rowlnig', ['Harry Potter and the Chamber of Secrets']],
    ['kowalsky', ['The Making of Solaris']],
    ['straczinsky', ['The Amazing Spider-Man, Vol. 1']],
    ['cyberaid lem', ['The Cyberiad']],
    // Nothing.
    ['qqqqqqq', []],
    ['!!!', []],
    ["'; drop table book; --", []],
    ['%', []],
    ['_', []],
    ['\\', []],
  ])('finds by %j', async (term, titles) => {
    const page = await list(term);
    expect([titlesOf(page.items), page.totalCount]).toEqual([titles, titles.length]);
  });

  it('takes every sign without harm', async () => {
    for (const term of [
      '!',
      '&',
      '|',
      "'",
      ':*',
      '\\',
      '(((',
      '😀',
      'a'.repeat(200),
      '\u0301',
      '[',
      '*',
      '<->',
    ]) {
      const page = await list(term);
      expect([term, page.totalCount]).toEqual([term, page.items.length]);
    }
  });

  it('puts the whole title first, then what is read more, where a title that begins with what was typed counts for more', async () => {
    await add(
      { title: 'Kruk', ratings: 2_000 },
      { title: 'Krukowisko', ratings: 500_000 },
      { title: 'The Kruk', ratings: 40_000 },
      { title: 'Biały kruk', ratings: 5_000_000 },
      { title: 'Kruk i lis', ratings: 200_000 },
      { title: 'O ptakach', genres: ['Kruk'], ratings: 50_000_000 },
    );
    const ordered = ['The Kruk', 'Kruk', 'Biały kruk', 'Krukowisko', 'Kruk i lis', 'O ptakach'];
    expect(await found('kruk')).toEqual(ordered);
    // What readers of this library borrow counts for far more than what others elsewhere say.
    await product.rows(
      "update book_reading set loans = 2000 where book_id = (select id from book where title = 'Kruk i lis')",
    );
    const moved = ['The Kruk', 'Kruk', 'Kruk i lis', 'Biały kruk', 'Krukowisko', 'O ptakach'];
    expect(await waitFor(async () => (await found('kruk'))[2] === 'Kruk i lis' && found('kruk'))).toEqual(
      moved,
    );
    await product.rows("delete from book where title ~* 'kruk' or title = 'O ptakach'");
    await listed('kruk', 0);
  });

  it('lists what has a part of what was searched for where nothing has all, and says what it lacks', async () => {
    const partly = async (term: string) => {
      const { items, totalCount, partial } = await list(term);
      return { titles: titlesOf(items), totalCount, partial };
    };
    expect(await partly('lem potter')).toEqual({
      titles: [
        'Harry Potter and the Chamber of Secrets',
        'Lem. Życie nie z tej ziemi',
        'Solaris',
        'The Cyberiad',
      ],
      totalCount: 4,
      partial: [
        { without: ['lem'], books: 1 },
        { without: ['potter'], books: 3 },
      ],
    });
    expect(await partly('books like solaris by stanislaw lem')).toEqual(
      await partly('solaris stanislaw lem'),
    );
    expect(await partly('solaris lem 1887')).toMatchObject({
      titles: ['Solaris'],
      partial: [{ without: ['1887'] }],
    });
    expect(await partly('qqqqqqq wwwwwww')).toEqual({ titles: [], totalCount: 0, partial: undefined });
  });

  it.each([
    [
      'hary poter',
      [
        { typed: 'hary', read: ['harry'] },
        { typed: 'poter', read: ['potter'] },
      ],
    ],
    ['cyberaid lem', [{ typed: 'cyberaid', read: ['cyberiad'] }]],
    ['lem', undefined],
    ['qqqqqqq', undefined],
  ])('says what the words of %j were read as that no book has', async (term, corrections) => {
    expect((await list(term)).corrections).toEqual(corrections);
  });

  it.each([
    ['sol', ['Solaris', 'The Making of Solaris', 'Space Odyssey'], [], []],
    ['stanisław le', ['Solaris', 'The Cyberiad'], ['Stanisław Lem'], []],
    ['scien', ['Solaris', 'The Cyberiad'], [], ['Science Fiction']],
    ['fiction sci', ['Solaris', 'The Cyberiad'], [], ['Science Fiction']],
    ['rowlnig', ['Harry Potter and the Chamber of Secrets'], ['J.K. Rowling'], []],
    ['', [], [], []],
    ['%', [], [], []],
    ['qqqq', [], [], []],
  ])('suggests titles, authors and genres for %j', async (term, titles, authors, genres) => {
    const suggested = await read(suggestBooks.answer, `Book/suggest?SearchTerm=${encodeURIComponent(term)}`);
    expect(titlesOf(suggested.books)).toEqual(titles);
    expect(suggested.authors.map(({ name }) => name)).toEqual(authors);
    expect(suggested.genres.map(({ name }) => name)).toEqual(genres);
  });

  // spec 7.7
  it('sorts by title as Polish does, by ISBN, and by copies with the most first', async () => {
    const sorted = async (SortBy: string) => (await list({ SortBy, pageSize: 100 })).items;
    const byTitle = titlesOf(await sorted('Title'));
    expect(byTitle.slice(0, 3)).toEqual(['Cud', 'Ćma', 'Dom']);
    expect(byTitle).toEqual([...byTitle].sort(new Intl.Collator('pl').compare));
    const byIsbn = (await sorted('ISBN')).map(({ isbn }) => isbn);
    expect(byIsbn).toEqual([...byIsbn].sort());
    const byCopies = await sorted('Copies');
    expect(titlesOf(byCopies).slice(0, 2)).toEqual(['The Cyberiad', 'Łódź 1905']);
    expect(await sorted('CopiesAvailable')).toEqual(byCopies);
    expect((await found({ SearchTerm: 'lem', SortBy: 'Copies' }))[0]).toBe('The Cyberiad');
    expect(await found({ SearchTerm: 'lem', SortBy: 'Title' })).toEqual([
      ...['Lem. Życie nie z tej ziemi', 'Solaris', 'The Cyberiad'],
    ]);
  });

  // spec 3.4
  it('answers by its contract, and a page beyond the end with no items', async () => {
    const page = await list({ SortBy: '', SearchTerm: '', pageNumber: 1, pageSize: 5 });
    expect([page.items.length, page.totalCount, page.items[0]?.title]).toEqual([5, 11, 'Dom']);
    const book = await read(readBook.answer, `Book/${page.items[0]?.id}`);
    expect(book.authors[0]?.fullname).toBe('神尾 葉子');
    expect(book.publicationDate).toBe('2001-02-03');
    // What nobody knows is absent, and found by no word.
    for (const { genres, publisher } of [book, ...page.items.slice(0, 1)])
      expect([genres, publisher]).toEqual([[], null]);
    expect(await found('null')).toEqual([]);
    expect(await list({ pageNumber: 1_000_000, pageSize: 100 })).toEqual({ items: [], totalCount: 11 });
  });

  it('knows a change as soon as it is committed, whoever made it and however', async () => {
    // The notification comes over another connection.
    const becomes = (term: string, ...titles: string[]) =>
      waitFor(async () => (await found(term)).join() === titles.join());
    await add({
      title: 'Zamek',
      authors: by('Franz', 'Kafka'),
      genres: ['Powieść'],
      publisher: 'Kurt Wolff',
    });
    await becomes('zamek kafka powiesc', 'Zamek');
    for (const [statement, term] of [
      ["update book set title = 'Proces' where title = 'Zamek'", 'proces'],
      ["update author set lastname = 'Kafkowski' where lastname = 'Kafka'", 'kafkowski'],
      ["update genre set name = 'Groteska' where name = 'Powieść'", 'groteska'],
      ["update publisher set name = 'Czytelnik' where name = 'Kurt Wolff'", 'czytelnik'],
      ["update book set isbn = '83-08-04906-9' where title = 'Proces'", '9788308049068'],
    ] as const) {
      await product.rows(statement);
      await becomes(term, 'Proces');
    }
    await becomes('zamek');
    await product.rows("delete from book_genre where book_id = (select id from book where title = 'Proces')");
    await becomes('groteska');
    await product.rows("insert into author (firstname, lastname) values ('Max', 'Brod')");
    await product.rows(
      `insert into book_author
       select b.id, a.id, 1 from book b, author a where b.title = 'Proces' and a.lastname = 'Brod'`,
    );
    await becomes('brod proces', 'Proces');
    await product.rows("delete from book where title = 'Proces'");
    await becomes('proces');
  });

  it('finds the books of a series by it, and answers them by volume', async () => {
    const named = (title: string, volume: string | null, series = 'Rocznik') => ({ title, series, volume });
    await add(
      named('Rocznik drugi', '2'),
      named('Dziesiąty', '10'),
      named('Poza rokiem', null),
      named('Komplet', '1-3'),
      named('Pierwszy', '1', 'ROCZNIK'),
      named('Przed', '0.5'),
      named('Inny', '1', 'Rocznik inny'),
    );
    const { items } = await list('rocznik 2');
    expect(items).toMatchObject([{ title: 'Rocznik drugi', series: 'Rocznik', volume: '2' }]);
    expect(titlesOf(await read(readSeries.answer, `Book/${items[0]?.id}/series`))).toEqual([
      ...['Przed', 'Pierwszy', 'Rocznik drugi', 'Dziesiąty', 'Komplet', 'Poza rokiem'],
    ]);
    const alone = (await list('solaris lem')).items[0]?.id;
    expect((await anyone.get(`Book/${alone}/series`)).body).toEqual([]);
  });

  it('narrows a list, sorted and paged as ever, and counts what each value would leave', async () => {
    const [ewa, jan] = [by('Ewa', 'Fasetowa'), by('Jan', 'Kant')];
    await add(
      { title: 'Facetka 1', authors: ewa, genres: ['Szlif'], published: '1994-01-02' },
      { title: 'Facetka 2', authors: ewa, genres: ['Szlif', 'Optyka'], published: '1999-01-02' },
      { title: 'Facetka 3', authors: jan, genres: ['Optyka'], publisher: null, published: '2003-01-02' },
      { title: 'Facetka 4', authors: jan, genres: [], publisher: 'Kryształ', published: null },
    );
    await product.rows(
      `update book set language = case when title like '%3' then 'haw' else 'pl' end,
         copies_available = case when title like '%1' then 0 else 1 end where title like 'Facetka%'`,
    );
    const facets = (query: string) => read(readFacets.answer, `Book/facets?SearchTerm=facetka${query}`);
    const narrowed = async (query: string) => {
      const { items } = await read(listBooks.answer, `Book?SearchTerm=facetka&SortBy=Title${query}`);
      return items.map(({ title }) => title.replace('Facetka ', '')).join(' ');
    };
    await waitFor(async () => (await facets('')).available === 3);
    const all = await facets('');
    const few = (one: string, other: string, ofOther = 2) => [
      { name: one, books: 2 },
      { name: other, books: ofOther },
    ];
    expect(all).toMatchObject({
      genre: few('Optyka', 'Szlif'),
      author: few('Ewa Fasetowa', 'Jan Kant'),
      publisher: few('House', 'Kryształ', 1),
      year: [
        { value: '1990s', books: 2 },
        { value: '2000s', books: 1 },
      ],
      language: [
        { value: 'pl', books: 3 },
        { value: 'haw', books: 1 },
      ],
      available: 3,
    });
    const [optyka = 0, szlif = 0] = all.genre.map(({ id }) => id);
    const [idOfEwa, idOfJan = 0] = all.author.map(({ id }) => id);
    for (const [query, left] of [
      [`&genre=${szlif}`, '1 2'],
      [`&genre=${szlif}&genre=${optyka}`, '1 2 3'],
      [`&genre=${szlif}&genre=${optyka}&author=${idOfJan}`, '3'],
      [`&author=${idOfEwa}&year=1994`, '1'],
      ['&year=1990s&year=2003', '1 2 3'],
      ['&year=1990s&available=1', '2'],
      ['&language=pol&pageSize=2&pageNumber=2', '4'],
      ['&genre=&language=&available=', '1 2 3 4'],
      ['&genre=2000000000', ''],
    ])
      expect([query, await narrowed(query ?? '')]).toEqual([query, left]);
    expect(await found({ author: idOfJan, SortBy: 'none' })).toEqual(['Facetka 4', 'Facetka 3']);
    // A facet's own choice hides none of its other values; that of the others does.
    expect(await facets(`&genre=${szlif}&year=1994`)).toMatchObject({
      genre: [{ name: 'Szlif', books: 1 }],
      year: [
        { value: '1990s', books: 2 },
        { value: '1994', books: 1 },
      ],
      author: [{ name: 'Ewa Fasetowa', books: 1 }],
      available: 0,
    });
    // Corrected words are narrowed as if they had been typed so.
    expect((await list({ SearchTerm: 'facetak', genre: szlif })).totalCount).toBe(2);
    // What is gone finds nothing, and is told all the same.
    expect((await facets('&genre=2000000000&language=de&year=1810s')).genre).toEqual([
      { id: 2_000_000_000, name: null, books: 0 },
    ]);
    expect((await facets('&language=de')).language).toContainEqual({ value: 'de', books: 0 });
    await product.rows("delete from book where title like 'Facetka%'");
    await listed('facetka', 0);
  });

  it.each([
    ['genre', 'x'],
    ['genre', '0'],
    ['author', '1.5'],
    ['publisher', '2147483648'],
    ['year', '1990ies'],
    ['year', '1994s'],
    ['language', 'klingonish'],
    ['available', 'yes'],
  ])('refuses %s=%s by its name, in the list and in its counts', async (field, value) => {
    for (const path of ['Book', 'Book/facets']) {
      const { status, body } = await anyone.get(`${path}?${field}=${value}`);
      expect([status, Object.keys(problemSchema.parse(body).errors ?? {})]).toEqual([400, [field]]);
    }
  });

  it.each([
    ['Book/999999', 404, 'BookNotFound'],
    ['Book/2147483648', 404, 'BookNotFound'],
    ['Book/1e3', 404, 'BookNotFound'],
    ['Book/x', 400, 'ValidationFailed'],
    ['Book?pageNumber=0', 400, 'ValidationFailed'],
    ['Book?pageSize=101', 400, 'ValidationFailed'],
    ['Book?SortBy=Nonsense', 400, 'ValidationFailed'],
    ['Book?Added=LastMonth&genre=1', 400, 'ValidationFailed'],
    ['Book?SearchTerm=%00', 400, 'ValidationFailed'],
    [`Book?SearchTerm=${'x'.repeat(201)}`, 400, 'ValidationFailed'],
  ])('refuses %s with %i', async (path, status, code) => {
    expect(await anyone.get(path)).toMatchObject({ status, body: { code, status } });
  });

  describe('of a large catalogue', () => {
    beforeAll(() =>
      add(...Array.from({ length: 2600 }, (_, at) => ({ title: `T ${at % 7}`, copies: 1 + (at % 3) }))),
    );

    const paged = async (query: Record<string, string>) => {
      const { totalCount } = await list(query);
      const pages = Array.from({ length: Math.ceil(totalCount / 100) }, (_, at) =>
        list({ ...query, pageSize: 100, pageNumber: at + 1 }),
      );
      return (await Promise.all(pages)).flatMap(({ items }) => items.map(({ id }) => id));
    };

    it.each([
      ['none', 'id desc'],
      ['Title', 'title collate "pl-x-icu", id'],
      ['ISBN', 'isbn'],
      ['Copies', 'copies_available desc, id desc'],
    ])('pages by %s without a gap or a repeat, deep pages too', async (SortBy, order) => {
      const rows = await product.rows<{ id: number }>(`select id from book order by ${order}`);
      expect(await paged({ SortBy })).toEqual(rows.map(({ id }) => id));
    });

    it('pages through more matches than are put in order at once', async () => {
      const ids = await paged({ SearchTerm: 't' });
      expect(ids.length).toBeGreaterThan(2600);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('shows the copies that are left when one is lent', async () => {
      await add({ title: 'Kopia', copies: 2 }, { title: 'Kopia druga', copies: 1 });
      const copies = async () => {
        const { items } = await list({ SearchTerm: 'kopia', SortBy: 'Title' });
        return items.map(({ copiesAvailable }) => copiesAvailable);
      };
      expect(await copies()).toEqual([2, 1]);
      await product.rows("update book set copies_available = 0 where title = 'Kopia'");
      expect(await copies()).toEqual([0, 1]);
    });
  });
});
