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

  const thisYear = new Date().getUTCFullYear();
  const known = new Set([...authors.map(fullName), ...[...genres, ...publishers].map(({ name }) => name)]);
  const namesOf = (book: Book) => [...book.authors, ...book.genres, book.publisher];
  const biographies = authors.map(({ biography }) => biography);
  const about = genres.map(({ description }) => description);
  const isBetween = (number: number, least: number, most: number) => number >= least && number <= most;
  // The traces of UTF-8 read as Latin-1 or Windows-1252, the replacement character and control characters.
  const damaged = /[ÃÂ][\u0080-\u00bf]|â€|ï»¿|\ufffd|\p{Cc}| {2}/u;
  const markup = /[<>*_`#[\]{}\\]|&\w+;|https?:/;

  it.each<[string, string[]]>([
    [
      'has ISBNs of thirteen digits with the right check digit',
      offenders(({ isbn }) => !/^97[89]\d{10}$/.test(isbn) || isbn.at(-1) !== checkDigit(isbn)),
    ],
    ['has no ISBN twice', repeated(books.map(({ isbn }) => isbn))],
    [
      'has every author, genre and publisher that a book names',
      offenders((book) => !namesOf(book).every((name) => known.has(name))),
    ],
    [
      'has none that no book names',
      [...known].filter((name) => !books.some((book) => namesOf(book).includes(name))),
    ],
    ['has no author twice', repeated(authors.map(fullName))],
    ['has no genre twice', repeated(genres.map(({ name }) => name))],
    ['has no publisher twice', repeated(publishers.map(({ name }) => name))],
    [
      'has an author or more and one to three genres of each book, none twice',
      offenders(
        (book) =>
          book.authors.length < 1 ||
          !isBetween(book.genres.length, 1, 3) ||
          repeated([...book.authors, ...book.genres]).length > 0,
      ),
    ],
    [
      'has three books of one author at most',
      authors.map(fullName).filter((name) => books.filter((book) => book.authors.includes(name)).length > 3),
    ],
    [
      'has one to nine copies of each book',
      offenders(({ copiesAvailable: n }) => !Number.isInteger(n) || !isBetween(n, 1, 9)),
    ],
    [
      'has the year of the first publication',
      offenders(
        ({ published }) => !/^\d{4}$/.test(published) || !isBetween(Number(published), 1400, thisYear),
      ),
    ],
    [
      'describes each book in 100 to 600 characters',
      offenders(({ description }) => !isBetween(description.length, 100, 600)),
    ],
    ['describes each by itself', repeated(books.map(({ description }) => description))],
    ['introduces every author briefly', biographies.filter(({ length }) => !isBetween(length, 60, 350))],
    ['introduces each by themselves', repeated(biographies)],
    ['introduces every genre briefly', about.filter(({ length }) => !isBetween(length, 10, 500))],
    ['leaves nothing blank', strings(catalogue).filter((value) => value === '' || value !== value.trim())],
    [
      'has no markup',
      [...about, ...biographies, ...books.flatMap(({ title, description }) => [title, description])].filter(
        (value) => markup.test(value),
      ),
    ],
    ['is clean Unicode', strings(catalogue).filter((value) => damaged.test(value))],
    ['has titles without their series', offenders(({ title }) => /#\d|\(.*\)/.test(title))],
  ])('%s', (_what, wrong) => expect(wrong).toEqual([]));

  it('has fifteen genres, twenty nationalities and some titles in a single copy, in composed Unicode', () => {
    expect(genres.length).toBeGreaterThanOrEqual(15);
    expect(new Set(authors.map(({ nationality }) => nationality)).size).toBeGreaterThanOrEqual(20);
    expect(isBetween(books.filter(({ copiesAvailable }) => copiesAvailable === 1).length, 15, 30)).toBe(true);
    expect(text).toBe(text.normalize('NFC'));
  });

  it('gives publishers an address, and a phone and website in international form', () => {
    for (const { adress, phone, website } of publishers) {
      expect(adress).toMatch(/,/);
      if (phone !== undefined) expect(phone).toMatch(/^\+\d{1,3}(?: \d+)+$/);
      if (website !== undefined) expect(website).toMatch(/^https:\/\/[\w.-]+(?:\/[\w-]+)*$/);
    }
  });
});
