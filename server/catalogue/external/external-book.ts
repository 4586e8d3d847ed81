import type { ExternalBook } from '#contracts/catalogue/book-sources.js';
import { canonicalLanguage } from '#contracts/catalogue/language.js';
import { withoutInvalidCharacters } from '#contracts/plain-text.js';
import { MAX_GENRES } from '#contracts/catalogue/book-views.js';
import type { Queryable } from '#platform/database/database.js';
import { NO_FIRSTNAME, splitAuthorName } from '../import/author-name.js';
import type { FoundBook } from './book-service.js';
import { knownAuthorities } from './known-authorities.js';
import { dayOfPrinted } from './printed-date.js';

const LONGEST = { title: 500, description: 20_000, name: 50, publisher: 100 };
const MAX_AUTHORS = 20;
/** Services list whatever a book touches; these are enough to choose from. */
const MAX_UNKNOWN_GENRES = 5;

/** Makes what the form is filled with of what a service has found, with the catalogue's ids where it has them. */
export async function externalBook(
  database: Queryable,
  isbn: string,
  found: FoundBook,
  now: Date,
): Promise<Omit<ExternalBook, 'asked'>> {
  const [authors, genres, publisher] = await Promise.all([
    withIds(database, found.authors),
    genresWithIds(database, found.genres),
    publisherWithId(database, line(found.publisher, LONGEST.publisher)),
  ]);
  return {
    exists: false,
    id: null,
    isbn,
    title: line(found.title, LONGEST.title),
    description: cut(withoutMarkup(found.description), LONGEST.description),
    authors,
    genres,
    publisher,
    published: dayOfPrinted(found.published, now) ?? null,
    language: canonicalLanguage(found.language) ?? null,
  };
}

async function withIds(database: Queryable, printed: readonly string[]): Promise<ExternalBook['authors']> {
  const names = distinct(printed.map((name) => line(name, 2 * LONGEST.name)))
    .slice(0, MAX_AUTHORS)
    .map(splitAuthorName);
  const known = await knownAuthorities(
    database,
    'author',
    names.map(({ firstname, lastname }) => `${firstname} ${lastname}`),
  );
  return eachOnce(
    names.map(({ firstname, lastname }, at) => {
      // Who is not in the catalogue is added from the form, where a person puts in the first name that is missing.
      return known[at] ?? { id: null, firstname: firstname === NO_FIRSTNAME ? '' : firstname, lastname };
    }),
  );
}

async function genresWithIds(
  database: Queryable,
  subjects: readonly string[],
): Promise<ExternalBook['genres']> {
  // "nyt:trade-fiction=2011-10-01", "series:…" are notes for machines.
  const names = distinct(
    subjects
      .map((name) => line(name, 200))
      .filter((name) => name.length <= LONGEST.name && !/[:=]/.test(name)),
  );
  const known = await knownAuthorities(database, 'genre', names);
  const genres = eachOnce(names.map((name, at) => known[at] ?? { id: null, name }));
  return [
    ...genres.filter(({ id }) => id !== null),
    ...genres.filter(({ id }) => id === null).slice(0, MAX_UNKNOWN_GENRES),
  ].slice(0, MAX_GENRES);
}

async function publisherWithId(database: Queryable, name: string): Promise<ExternalBook['publisher']> {
  if (name === '') return null;
  const [known] = await knownAuthorities(database, 'publisher', [name]);
  return known ?? { id: null, name };
}

/** Two spellings may have come to one authority. */
function eachOnce<Item extends { id: number | null }>(items: readonly Item[]): Item[] {
  return items.filter(({ id }, at) => id === null || items.findIndex((item) => item.id === id) === at);
}

function line(text: string, longest: number): string {
  return cut(withoutInvalidCharacters(text).replace(/\s+/gu, ' ').trim(), longest);
}

/** Never through the middle of a character. */
function cut(text: string, longest: number): string {
  return text
    .slice(0, longest)
    .replace(/\p{Cs}$/u, '')
    .trim();
}

/** Each once, however it is written; blank ones not at all. */
function distinct(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (/[\p{L}\p{N}]/u.test(name) && !byKey.has(key)) byKey.set(key, name);
  }
  return [...byKey.values()];
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
  nbsp: ' ',
};

/** Descriptions come with some HTML in them. It is never shown as such, so this is for the reader's eye alone. */
function withoutMarkup(text: string): string {
  return withoutInvalidCharacters(text.replace(/\r\n?/g, '\n'))
    .replace(/<(?:br|\/p)\s*\/?>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(#?\w{2,6});/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
