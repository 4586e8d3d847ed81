import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { SeededRandom } from '../embedded/generate/random.js';

/** Makes the paths of one kind of request; each call may give another. */
export interface RequestKind {
  name: string;
  /** Its share of all requests, against the others. */
  weight: number;
  path: () => string;
}

const sample = z.object({
  title: z.string(),
  lastname: z.string(),
  firstname: z.string(),
  isbn: z.string(),
});
const wordRow = z.object({ word: z.string() });

const PAGE_SIZE = 12;
const COMMON_SHARE = 0.01;

/** What readers ask a catalogue for, with terms taken from the catalogue itself. */
export async function catalogueRequests(database: Database, seed: number): Promise<RequestKind[]> {
  const random = new SeededRandom(seed);
  const books = await queryRows(
    database,
    sample,
    `select b.title, a.lastname, a.firstname, b.isbn from book b
     join book_author ba on ba.book_id = b.id and ba.place = 0 join author a on a.id = ba.author_id
     where b.id = any($1::integer[])`,
    [await randomIds(database, random, 5000)],
  );
  const words = await queryRows(
    database,
    wordRow,
    'select word from search_word where char_length(word) > 3 order by md5(word) limit 5000',
  );
  const common = await commonWords(database);
  const genres = await commonGenres(database);
  const total = await count(database);

  const list = (query: Record<string, string | number>) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    return `/api/Book?${parameters.toString()}`;
  };
  const search = (SearchTerm: string, more: Record<string, string | number> = {}) =>
    list({ SearchTerm, pageNumber: 1, pageSize: PAGE_SIZE, ...more });
  const book = () => random.pick(books);
  const titleWord = () =>
    random.pick(
      book()
        .title.split(' ')
        .filter((word) => word.length > 3),
    ) ?? 'book';
  const few = () => 1 + random.below(20);
  const facets = (query: Record<string, string | number>) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    return `/api/Book/facets?${parameters.toString()}`;
  };
  const genre = () => random.pick(genres).id;
  const decade = () => `${190 + random.below(13)}0s`;
  const beginning = (word: string) => word.slice(0, 3 + random.below(3));

  return [
    { name: 'first page', weight: 10, path: () => list({ pageNumber: 1, pageSize: PAGE_SIZE }) },
    { name: 'page 2 to 20', weight: 5, path: () => list({ pageNumber: few(), pageSize: PAGE_SIZE }) },
    ...['Title', 'ISBN', 'Copies'].map((SortBy) => ({
      name: `by ${SortBy}`,
      weight: 5,
      path: () => list({ SortBy, pageNumber: few(), pageSize: PAGE_SIZE }),
    })),
    ...['none', 'Title', 'Copies'].map((SortBy) => ({
      name: `any page by ${SortBy}`,
      weight: 1,
      path: () =>
        list({ SortBy, pageNumber: 1 + random.below(Math.floor(total / PAGE_SIZE)), pageSize: PAGE_SIZE }),
    })),
    { name: 'rare word', weight: 8, path: () => search(random.pick(words).word) },
    { name: 'title word', weight: 8, path: () => search(titleWord()) },
    { name: 'common word', weight: 8, path: () => search(random.pick(common)) },
    { name: 'common word by Title', weight: 3, path: () => search(random.pick(common), { SortBy: 'Title' }) },
    {
      name: 'common word by Copies',
      weight: 2,
      path: () => search(random.pick(common), { SortBy: 'Copies' }),
    },
    {
      name: 'common word, page 2 to 20',
      weight: 2,
      path: () => search(random.pick(common), { pageNumber: few() }),
    },
    {
      name: 'two words',
      weight: 8,
      path: () => {
        const { title, lastname } = book();
        return search(`${title.split(' ').at(-1)} ${lastname}`);
      },
    },
    {
      name: 'two common words',
      weight: 5,
      path: () => search(`${random.pick(common)} ${random.pick(common)}`),
    },
    {
      name: 'author',
      weight: 5,
      path: () => {
        const { firstname, lastname } = book();
        return search(`${firstname} ${lastname}`);
      },
    },
    { name: 'whole title', weight: 5, path: () => search(book().title) },
    { name: 'prefix of a title word', weight: 8, path: () => search(beginning(titleWord())) },
    {
      name: 'word and prefix',
      weight: 5,
      path: () => search(`${titleWord()} ${beginning(book().lastname)}`),
    },
    { name: 'typing error', weight: 4, path: () => search(misspelt(random, random.pick(words).word)) },
    {
      name: 'typing error, two words',
      weight: 2,
      path: () => {
        const { title, lastname } = book();
        return search(`${misspelt(random, lastname)} ${title.split(' ').at(-1)}`);
      },
    },
    { name: 'genre', weight: 2, path: () => list({ genre: genre(), pageSize: PAGE_SIZE }) },
    {
      name: 'genre, decade, available, by Title',
      weight: 2,
      path: () =>
        list({ genre: genre(), year: decade(), available: 1, SortBy: 'Title', pageSize: PAGE_SIZE }),
    },
    {
      name: 'common word and genre',
      weight: 2,
      path: () => search(random.pick(common), { genre: genre() }),
    },
    { name: 'counts of all books', weight: 3, path: () => facets({}) },
    { name: 'counts of a title word', weight: 3, path: () => facets({ SearchTerm: titleWord() }) },
    { name: 'counts of a common word', weight: 2, path: () => facets({ SearchTerm: random.pick(common) }) },
    {
      name: 'counts of a genre and a decade',
      weight: 2,
      path: () => facets({ genre: genre(), year: decade() }),
    },
    { name: 'ISBN', weight: 3, path: () => search(book().isbn) },
  ];
}

/** Picks a kind by its weight. */
export function pickKind(kinds: readonly RequestKind[], random: SeededRandom): RequestKind {
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  let rest = random.next() * total;
  return kinds.find(({ weight }) => (rest -= weight) < 0) ?? (kinds[0] as RequestKind);
}

/** One letter wrong, missing, doubled or changed with its neighbour. */
function misspelt(random: SeededRandom, word: string): string {
  const letters = [...word];
  const at = 1 + random.below(Math.max(letters.length - 2, 1));
  const letter = letters[at] ?? 'e';
  return (
    [
      [...letters.slice(0, at), 'x', ...letters.slice(at + 1)],
      [...letters.slice(0, at), ...letters.slice(at + 1)],
      [...letters.slice(0, at), letter, ...letters.slice(at)],
      [...letters.slice(0, at), letters[at + 1] ?? 'e', letter, ...letters.slice(at + 2)],
    ][random.below(4)]?.join('') ?? word
  );
}

/** The genres that the most books have. */
async function commonGenres(database: Database): Promise<{ id: number }[]> {
  return queryRows(
    database,
    z.object({ id: z.int() }),
    'select genre_id as id from book_genre group by 1 order by count(*) desc limit 20',
  );
}

async function count(database: Database): Promise<number> {
  const row = await queryRow(database, z.object({ n: z.int() }), 'select count(*)::integer as n from book');
  return row?.n ?? 0;
}

async function randomIds(database: Database, random: SeededRandom, wanted: number): Promise<number[]> {
  const row = await queryRow(
    database,
    z.object({ least: z.int(), most: z.int() }),
    'select coalesce(min(id), 1) as least, coalesce(max(id), 1) as most from book',
  );
  const { least, most } = row ?? { least: 1, most: 1 };
  return Array.from({ length: wanted }, () => least + random.below(most - least + 1));
}

/** Words of at least one book in a hundred, genres and "the" among them. */
async function commonWords(database: Database): Promise<string[]> {
  const rows = await queryRows(
    database,
    wordRow,
    `select word from ts_stat('select words from book_search tablesample system (2) repeatable (1)')
     where char_length(word) > 1 and ndoc > $1 * (select reltuples from pg_class where relname = 'book_search') * 0.02
     order by ndoc desc limit 100`,
    [COMMON_SHARE],
  );
  return rows.map(({ word }) => word);
}
