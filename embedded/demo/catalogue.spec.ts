import { readFileSync } from 'node:fs';
import type { DemoCatalogue } from '../../server/catalogue/demo-catalogue.js';

type Author = DemoCatalogue['authors'][number];
type Book = DemoCatalogue['books'][number];

const text = readFileSync(new URL('./catalogue.json', import.meta.url), 'utf8');
const catalogue = JSON.parse(text) as DemoCatalogue;
const { genres, publishers, authors, books } = catalogue;

const fullName = (author: Author) => `${author.firstname} ${author.lastname}`;

const checkDigit = (isbn: string) => {
  const sum = [...isbn.slice(0, 12)].reduce(
    (total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1),
    0,
  );
  return String((10 - (sum % 10)) % 10);
};

const repeated = (values: string[]) => values.filter((value, at) => values.indexOf(value) !== at);

/** Titles of the books that break a rule, so that a failure names them. */
const offenders = (breaks: (book: Book) => boolean) => books.filter(breaks).map((book) => book.title);

const strings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  if (value !== null && typeof value === 'object') return Object.values(value).flatMap(strings);
  return [];
};

describe('the demo catalogue', () => {
  it('offers at least 200 books', () => {
    expect(books.length).toBeGreaterThanOrEqual(200);
  });

  it('is written in one canonical form', () => {
    expect(text).toBe(`${JSON.stringify(catalogue, null, 2)}\n`);
    expect(Object.keys(catalogue)).toEqual(['genres', 'publishers', 'authors', 'books']);
    const keys = [
      ...['isbn', 'title', 'authors', 'genres', 'publisher', 'published'],
      ...['language', 'copiesAvailable', 'description'],
    ];
    const ofSeries = keys.toSpliced(2, 0, 'series', 'volume');
    const forms = [keys.join(), ofSeries.join()];
    const required = (book: object) => Object.keys(book).filter((key) => key !== 'otherTitles');
    expect(offenders((book) => !forms.includes(required(book).join()))).toEqual([]);
    for (const author of authors) {
      expect(Object.keys(author)).toEqual(['firstname', 'lastname', 'nationality', 'biography']);
    }
    for (const genre of genres) {
      expect(Object.keys(genre)).toEqual(['name', 'description']);
    }
    for (const publisher of publishers) {
      const order = ['name', 'adress', 'phone', 'website'].filter((key) => key in publisher);
      expect(Object.keys(publisher)).toEqual(order);
    }
  });

  describe('ISBNs', () => {
    it('are thirteen digits with the right check digit', () => {
      expect(
        offenders(({ isbn }) => !/^97[89]\d{10}$/.test(isbn) || isbn.at(-1) !== checkDigit(isbn)),
      ).toEqual([]);
    });

    it('are unique', () => {
      expect(repeated(books.map((book) => book.isbn))).toEqual([]);
    });
  });

  describe('references', () => {
    it('resolve to an author, a genre and a publisher of the catalogue', () => {
      const known = {
        authors: new Set(authors.map(fullName)),
        genres: new Set(genres.map((genre) => genre.name)),
        publishers: new Set(publishers.map((publisher) => publisher.name)),
      };
      expect(
        offenders(
          (book) =>
            !book.authors.every((name) => known.authors.has(name)) ||
            !book.genres.every((name) => known.genres.has(name)) ||
            !known.publishers.has(book.publisher),
        ),
      ).toEqual([]);
    });

    it('leave no author, genre or publisher unused', () => {
      const used = new Set(books.flatMap((book) => [...book.authors, ...book.genres, book.publisher]));
      const names = [...authors.map(fullName), ...[...genres, ...publishers].map((entry) => entry.name)];
      expect(names.filter((name) => !used.has(name))).toEqual([]);
    });

    it('point to exactly one entry each', () => {
      expect(repeated(authors.map(fullName))).toEqual([]);
      expect(repeated(genres.map((genre) => genre.name))).toEqual([]);
      expect(repeated(publishers.map((publisher) => publisher.name))).toEqual([]);
    });

    it('name one author or more and one to three genres without repetition', () => {
      expect(
        offenders(
          (book) =>
            book.authors.length < 1 ||
            book.genres.length < 1 ||
            book.genres.length > 3 ||
            repeated([...book.authors, ...book.genres]).length > 0,
        ),
      ).toEqual([]);
    });
  });

  describe('variety', () => {
    it('stops at three books of one author', () => {
      const tooMany = authors
        .map(fullName)
        .filter((name) => books.filter((book) => book.authors.includes(name)).length > 3);
      expect(tooMany).toEqual([]);
    });

    it('covers at least fifteen genres and twenty nationalities', () => {
      expect(genres.length).toBeGreaterThanOrEqual(15);
      expect(new Set(authors.map((author) => author.nationality)).size).toBeGreaterThanOrEqual(20);
    });

    it('stocks between one and nine copies, with some titles in a single copy', () => {
      expect(offenders(({ copiesAvailable: n }) => !Number.isInteger(n) || n < 1 || n > 9)).toEqual([]);
      const single = books.filter((book) => book.copiesAvailable === 1).length;
      expect(single).toBeGreaterThanOrEqual(15);
      expect(single).toBeLessThanOrEqual(30);
    });
  });

  it('dates every book with the year of its first publication', () => {
    const thisYear = new Date().getUTCFullYear();
    expect(
      offenders(({ published }) => {
        return !/^\d{4}$/.test(published) || Number(published) < 1400 || Number(published) > thisYear;
      }),
    ).toEqual([]);
  });

  describe('texts', () => {
    it('describe each book in 100 to 600 characters of its own', () => {
      expect(offenders(({ description }) => description.length < 100 || description.length > 600)).toEqual(
        [],
      );
      expect(repeated(books.map((book) => book.description))).toEqual([]);
    });

    it('introduce every author and genre briefly', () => {
      const biographies = authors.map((author) => author.biography);
      expect(biographies.filter(({ length }) => length < 60 || length > 350)).toEqual([]);
      expect(repeated(biographies)).toEqual([]);
      const about = genres.map((genre) => genre.description);
      expect(about.filter(({ length }) => length < 10 || length > 500)).toEqual([]);
    });

    it('leave nothing blank', () => {
      expect(strings(catalogue).filter((value) => value === '' || value !== value.trim())).toEqual([]);
    });

    it('carry no markup', () => {
      const prose = [...genres, ...books].map((entry) => entry.description);
      prose.push(...books.map((book) => book.title), ...authors.map((author) => author.biography));
      expect(prose.filter((value) => /[<>*_`#[\]{}\\]|&\w+;|https?:/.test(value))).toEqual([]);
    });

    it('are clean, composed Unicode', () => {
      // The traces of UTF-8 read as Latin-1 or Windows-1252, the replacement character and control characters.
      const damaged = /[ÃÂ][\u0080-\u00bf]|â€|ï»¿|\ufffd|\p{Cc}| {2}/u;
      expect(strings(catalogue).filter((value) => damaged.test(value))).toEqual([]);
      expect(text).toBe(text.normalize('NFC'));
    });

    it('keep titles free of series suffixes', () => {
      expect(offenders((book) => /#\d|\(.*\)/.test(book.title))).toEqual([]);
    });
  });

  it('gives publishers an address, and a phone and website in international form', () => {
    for (const { adress, phone, website } of publishers) {
      expect(adress).toMatch(/,/);
      if (phone !== undefined) expect(phone).toMatch(/^\+\d{1,3}(?: \d+)+$/);
      if (website !== undefined) expect(website).toMatch(/^https:\/\/[\w.-]+(?:\/[\w-]+)*$/);
    }
  });
});
