import { readFacets } from '#contracts/catalogue/book-facets.js';
import { listBooks, readBook, readSeries, suggestBooks } from '#contracts/catalogue/book-views.js';
import { problemSchema } from '#contracts/problem.js';
import { startCatalogueApp } from '../../test-support/catalogue-app.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';

describe('GET Book', () => {
  const library = shared(() => startCatalogueApp());
  beforeAll(async () => {
    const by = (firstname: string, lastname: string) => [{ firstname, lastname }];
    await library.add(
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
    );
  });

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
    const page = await library.list({ SearchTerm: term });
    expect(page.items.map(({ title }) => title)).toEqual(titles);
    expect(page.totalCount).toBe(titles.length);
  });

  it.each(['!', '&', '|', "'", ':*', '\\', '(((', '😀', 'a'.repeat(200), '\u0301', '[', '*', '<->'])(
    'takes %j without harm',
    async (term) => {
      const page = await library.list({ SearchTerm: term });
      expect(page.totalCount).toBe(page.items.length);
    },
  );

  it('puts the whole title first, then what is read more, where a title that begins with what was typed counts for more', async () => {
    await library.add(
      { title: 'Kruk', ratings: 2_000 },
      { title: 'Krukowisko', ratings: 500_000 },
      { title: 'The Kruk', ratings: 40_000 },
      { title: 'Biały kruk', ratings: 5_000_000 },
      { title: 'Kruk i lis', ratings: 200_000 },
      { title: 'O ptakach', genres: ['Kruk'], ratings: 50_000_000 },
    );
    const titles = async () => (await library.list({ SearchTerm: 'kruk' })).items.map(({ title }) => title);
    const found = ['The Kruk', 'Kruk', 'Biały kruk', 'Krukowisko', 'Kruk i lis', 'O ptakach'];
    expect(await titles()).toEqual(found);
    // What readers of this library borrow counts for far more than what others elsewhere say.
    await library.database.query(
      "update book_reading set loans = 2000 where book_id = (select id from book where title = 'Kruk i lis')",
    );
    const moved = ['The Kruk', 'Kruk', 'Kruk i lis', 'Biały kruk', 'Krukowisko', 'O ptakach'];
    expect(await waitFor(async () => (await titles())[2] === 'Kruk i lis' && titles())).toEqual(moved);
    await library.database.query("delete from book where title ~* 'kruk' or title = 'O ptakach'");
    await waitFor(async () => (await library.list({ SearchTerm: 'kruk' })).totalCount === 0);
  });

  it('lists what has a part of what was searched for where nothing has all, and says what it lacks', async () => {
    const found = async (term: string) => {
      const response = await fetch(`${library.url}/Book?SearchTerm=${encodeURIComponent(term)}`);
      const { items, totalCount, partial } = listBooks.answer.parse(await response.json());
      return { titles: items.map(({ title }) => title), totalCount, partial };
    };
    expect(await found('lem potter')).toEqual({
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
    expect(await found('books like solaris by stanislaw lem')).toEqual(await found('solaris stanislaw lem'));
    expect(await found('solaris lem 1887')).toMatchObject({ partial: [{ without: ['1887'] }] });
    expect(await found('solaris lem 1887')).toMatchObject({ titles: ['Solaris'] });
    expect(await found('qqqqqqq wwwwwww')).toEqual({ titles: [], totalCount: 0, partial: undefined });
  });

  it('says what the words were read as that no book has', async () => {
    const corrections = async (term: string) => {
      const response = await fetch(`${library.url}/Book?SearchTerm=${encodeURIComponent(term)}`);
      return listBooks.answer.parse(await response.json()).corrections;
    };
    expect(await corrections('hary poter')).toEqual([
      { typed: 'hary', read: ['harry'] },
      { typed: 'poter', read: ['potter'] },
    ]);
    expect(await corrections('cyberaid lem')).toEqual([{ typed: 'cyberaid', read: ['cyberiad'] }]);
    expect(await corrections('lem')).toBeUndefined();
    expect(await corrections('qqqqqqq')).toBeUndefined();
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
    const response = await fetch(`${library.url}/Book/suggest?SearchTerm=${encodeURIComponent(term)}`);
    const suggested = suggestBooks.answer.parse(await response.json());
    expect(suggested.books.map(({ title }) => title)).toEqual(titles);
    expect(suggested.authors.map(({ name }) => name)).toEqual(authors);
    expect(suggested.genres.map(({ name }) => name)).toEqual(genres);
  });

  // spec 7.7
  it('sorts by title as Polish does, by ISBN, and by copies with the most first', async () => {
    const titles = async (SortBy: string) => (await library.list({ SortBy, pageSize: 100 })).items;
    const byTitle = (await titles('Title')).map(({ title }) => title);
    expect(byTitle.slice(0, 3)).toEqual(['Cud', 'Ćma', 'Dom']);
    expect(byTitle).toEqual([...byTitle].sort(new Intl.Collator('pl').compare));
    const byIsbn = (await titles('ISBN')).map(({ isbn }) => isbn);
    expect(byIsbn).toEqual([...byIsbn].sort());
    const byCopies = await titles('Copies');
    expect(byCopies.slice(0, 2).map(({ title }) => title)).toEqual(['The Cyberiad', 'Łódź 1905']);
    expect(await titles('CopiesAvailable')).toEqual(byCopies);
    expect((await library.list({ SearchTerm: 'lem', SortBy: 'Copies' })).items[0]?.title).toBe(
      'The Cyberiad',
    );
    expect(
      (await library.list({ SearchTerm: 'lem', SortBy: 'Title' })).items.map(({ title }) => title),
    ).toEqual(['Lem. Życie nie z tej ziemi', 'Solaris', 'The Cyberiad']);
  });

  // spec 3.4
  it('answers by its contract, and a page beyond the end with no items', async () => {
    const response = await fetch(`${library.url}/Book?SortBy=&SearchTerm=&pageNumber=1&pageSize=5`);
    const page = listBooks.answer.parse(await response.json());
    expect(page.items).toHaveLength(5);
    expect(page.totalCount).toBe(11);
    expect(page.items[0]?.title).toBe('Dom');
    const book = readBook.answer.parse(
      await (await fetch(`${library.url}/Book/${page.items[0]?.id}`)).json(),
    );
    expect(book.authors[0]?.fullname).toBe('神尾 葉子');
    expect(book.publicationDate).toBe('2001-02-03');
    // What nobody knows is absent, and found by no word.
    for (const { genres, publisher } of [book, ...page.items.slice(0, 1)]) {
      expect([genres, publisher]).toEqual([[], null]);
    }
    expect((await library.list({ SearchTerm: 'null' })).totalCount).toBe(0);
    expect(await library.list({ pageNumber: 1_000_000, pageSize: 100 })).toEqual({
      items: [],
      totalCount: 11,
    });
  });

  it('finds the books of a series by it, and answers them by volume', async () => {
    const named = (title: string, volume: string | null, series = 'Rocznik') => ({ title, series, volume });
    await library.add(
      named('Rocznik drugi', '2'),
      named('Dziesiąty', '10'),
      named('Poza rokiem', null),
      named('Komplet', '1-3'),
      named('Pierwszy', '1', 'ROCZNIK'),
      named('Przed', '0.5'),
      named('Inny', '1', 'Rocznik inny'),
    );
    const { items } = await library.list({ SearchTerm: 'rocznik 2' });
    expect(items).toMatchObject([{ title: 'Rocznik drugi', series: 'Rocznik', volume: '2' }]);
    const series = readSeries.answer.parse(
      await (await fetch(`${library.url}/Book/${items[0]?.id}/series`)).json(),
    );
    expect(series.map(({ title }) => title)).toEqual([
      'Przed',
      'Pierwszy',
      'Rocznik drugi',
      'Dziesiąty',
      'Komplet',
      'Poza rokiem',
    ]);
    const alone = (await library.list({ SearchTerm: 'solaris lem' })).items[0]?.id;
    expect(await (await fetch(`${library.url}/Book/${alone}/series`)).json()).toEqual([]);
  });

  it('narrows a list, sorted and paged as ever, and counts what each value would leave', async () => {
    const by = (firstname: string, lastname: string) => [{ firstname, lastname }];
    await library.add(
      {
        title: 'Facetka 1',
        authors: by('Ewa', 'Fasetowa'),
        genres: ['Szlif'],
        published: '1994-01-02',
      },
      {
        title: 'Facetka 2',
        authors: by('Ewa', 'Fasetowa'),
        genres: ['Szlif', 'Optyka'],
        published: '1999-01-02',
      },
      {
        title: 'Facetka 3',
        authors: by('Jan', 'Kant'),
        genres: ['Optyka'],
        published: '2003-01-02',
        publisher: null,
      },
      {
        title: 'Facetka 4',
        authors: by('Jan', 'Kant'),
        genres: [],
        published: null,
        publisher: 'Kryształ',
      },
    );
    await library.database.query(
      `update book set language = case when title like '%3' then 'haw' else 'pl' end,
         copies_available = case when title like '%1' then 0 else 1 end where title like 'Facetka%'`,
    );
    const facets = async (query: string) =>
      readFacets.answer.parse(
        await (await fetch(`${library.url}/Book/facets?SearchTerm=facetka${query}`)).json(),
      );
    const titles = async (query: string) => {
      const page = await (await fetch(`${library.url}/Book?SearchTerm=facetka&SortBy=Title${query}`)).json();
      return listBooks.answer.parse(page).items.map(({ title }) => title.replace('Facetka ', ''));
    };
    await waitFor(async () => (await facets('')).available === 3);
    const all = await facets('');
    expect(all).toMatchObject({
      genre: [
        { name: 'Optyka', books: 2 },
        { name: 'Szlif', books: 2 },
      ],
      author: [
        { name: 'Ewa Fasetowa', books: 2 },
        { name: 'Jan Kant', books: 2 },
      ],
      publisher: [
        { name: 'House', books: 2 },
        { name: 'Kryształ', books: 1 },
      ],
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
    const [optyka, szlif] = all.genre.map(({ id }) => id);
    const [ewa, jan] = all.author.map(({ id }) => id);
    expect(await titles(`&genre=${szlif}`)).toEqual(['1', '2']);
    expect(await titles(`&genre=${szlif}&genre=${optyka}`)).toEqual(['1', '2', '3']);
    expect(await titles(`&genre=${szlif}&genre=${optyka}&author=${jan}`)).toEqual(['3']);
    expect(await titles(`&author=${ewa}&year=1994`)).toEqual(['1']);
    expect(await titles('&year=1990s&year=2003')).toEqual(['1', '2', '3']);
    expect(await titles('&year=1990s&available=1')).toEqual(['2']);
    expect(await titles('&language=pol&pageSize=2&pageNumber=2')).toEqual(['4']);
    expect(await titles('&genre=&language=&available=')).toEqual(['1', '2', '3', '4']);
    expect(
      (await library.list({ author: jan ?? 0, SortBy: 'none' })).items.map(({ title }) => title),
    ).toEqual(['Facetka 4', 'Facetka 3']);
    // A facet's own choice hides none of its other values; that of the others does.
    const narrowed = await facets(`&genre=${szlif}&year=1994`);
    expect(narrowed.genre).toMatchObject([{ name: 'Szlif', books: 1 }]);
    expect(narrowed.year).toEqual([
      { value: '1990s', books: 2 },
      { value: '1994', books: 1 },
    ]);
    expect(narrowed.author).toMatchObject([{ name: 'Ewa Fasetowa', books: 1 }]);
    expect(narrowed.available).toBe(0);
    // Corrected words are narrowed as if they had been typed so.
    expect((await library.list({ SearchTerm: 'facetak', genre: szlif ?? 0 })).totalCount).toBe(2);
    // What is gone finds nothing, and is told all the same.
    expect((await facets('&genre=2000000000&language=de&year=1810s')).genre).toEqual([
      { id: 2_000_000_000, name: null, books: 0 },
    ]);
    expect((await facets('&language=de')).language).toContainEqual({ value: 'de', books: 0 });
    expect(await titles('&genre=2000000000')).toEqual([]);
    await library.database.query("delete from book where title like 'Facetka%'");
    await waitFor(async () => (await library.list({ SearchTerm: 'facetka' })).totalCount === 0);
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
      const response = await fetch(`${library.url}/${path}?${field}=${value}`);
      expect(response.status).toBe(400);
      expect(Object.keys(problemSchema.parse(await response.json()).errors ?? {})).toEqual([field]);
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
    const response = await fetch(`${library.url}/${path}`);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, status });
  });
});
