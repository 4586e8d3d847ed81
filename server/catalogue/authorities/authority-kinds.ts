import type { Author, AuthorBody, AuthorSort } from '#contracts/catalogue/author.js';
import type { Genre, GenreBody, GenreSort } from '#contracts/catalogue/genre.js';
import type { Publisher, PublisherBody, PublisherSort } from '#contracts/catalogue/publisher.js';

/** What authors, genres and publishers differ in. The texts of SQL are ours alone, never a caller's. */
export interface AuthorityKind<Authority, Body> {
  /** The table's name, and the word for one in a sentence. */
  table: 'author' | 'genre' | 'publisher';
  /** The columns that a person writes; each is named as in the body. */
  fields: readonly (keyof Body & string)[];
  /** What a row of `authority` is answered as. */
  view: string;
  nameOf(authority: Body | Authority): string;
  /** By the value of `SortBy`; the first one is the order of the whole list. */
  orders: Readonly<Record<string, string>>;
  /** Counts the books that have the authority `$1`. */
  countBooks: string;
}

const asText = (column: string) => `${column} collate "pl-x-icu"`;
/** Blank ones at the end: many imported authorities have nothing there. */
const blankLast = (column: string) => `(${column} = '')`;

const FIRSTNAME = asText('firstname');
const LASTNAME = asText('lastname');
const NAME = asText('name');

export const AUTHORS: AuthorityKind<Author, AuthorBody> = {
  table: 'author',
  fields: ['firstname', 'lastname', 'nationality', 'biography'],
  view: `id, firstname, lastname, nationality, biography, btrim(firstname || ' ' || lastname) as fullname, version`,
  nameOf: ({ firstname, lastname }) => `${firstname} ${lastname}`.trim(),
  orders: {
    Lastname: `${LASTNAME}, ${FIRSTNAME}, id`,
    Firstname: `${FIRSTNAME}, ${LASTNAME}, id`,
    Nationality: `${blankLast('nationality')}, ${asText('nationality')}, ${LASTNAME}, ${FIRSTNAME}, id`,
  } satisfies Record<AuthorSort, string>,
  countBooks: 'select count(*)::integer as books from book_author where author_id = $1',
};

export const GENRES: AuthorityKind<Genre, GenreBody> = {
  table: 'genre',
  fields: ['name', 'description'],
  view: 'id, name, description, version',
  nameOf: ({ name }) => name,
  orders: {
    'NameA-Z': `${NAME}, id`,
    'NameZ-A': `${NAME} desc, id`,
  } satisfies Record<GenreSort, string>,
  countBooks: 'select count(*)::integer as books from book_genre where genre_id = $1',
};

export const PUBLISHERS: AuthorityKind<Publisher, PublisherBody> = {
  table: 'publisher',
  fields: ['name', 'adress', 'phone', 'website'],
  view: 'id, name, adress, phone, website, version',
  nameOf: ({ name }) => name,
  orders: {
    'NameA-Z': `${NAME}, id`,
    'NameZ-A': `${NAME} desc, id`,
    'AddressA-Z': `${blankLast('adress')}, ${asText('adress')}, ${NAME}, id`,
    'AddressZ-A': `${blankLast('adress')}, ${asText('adress')} desc, ${NAME}, id`,
  } satisfies Record<PublisherSort, string>,
  countBooks: 'select count(*)::integer as books from book where publisher_id = $1',
};
