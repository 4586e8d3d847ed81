import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import {
  authorBodySchema,
  genreBodySchema,
  publisherBodySchema,
  type Author,
  type AuthorBody,
  type AuthorityName,
  type AuthorSort,
  type Genre,
  type GenreBody,
  type GenreSort,
  type Publisher,
  type PublisherBody,
  type PublisherSort,
} from '#contracts/catalogue/authorities.js';
import {
  AuthorEntity,
  BookAuthorEntity,
  BookEntity,
  BookGenreEntity,
  GenreEntity,
  PublisherEntity,
} from '#platform/database/entities/catalogue.entity.js';

/** Each kind of authority: how it is stored, returned and written. */
export interface Authorities {
  author: { entity: AuthorEntity; view: Author; body: AuthorBody };
  genre: { entity: GenreEntity; view: Genre; body: GenreBody };
  publisher: { entity: PublisherEntity; view: Publisher; body: PublisherBody };
}
type Entity<Name extends AuthorityName> = Authorities[Name]['entity'];
type Body<Name extends AuthorityName> = Authorities[Name]['body'];

/** What differs between authors, genres and publishers. */
export interface AuthorityKind<Name extends AuthorityName> {
  /** The table's name too. */
  name: Name;
  entity: new () => Entity<Name>;
  /** What is required of a new one. */
  required: z.ZodObject;
  /** The fields that a person fills in. */
  columnsOf(body: Body<Name>): QueryDeepPartialEntity<Entity<Name>>;
  viewOf(entity: Entity<Name>): Authorities[Name]['view'];
  nameOf(authority: Body<Name>): string;
  /** By the value of `SortBy`, of an alias `authority`; the first one is the order of the whole list. */
  orders: Readonly<Record<string, string>>;
  countBooks(manager: EntityManager, id: number): Promise<number>;
}

const asText = (column: string) => `authority.${column} collate "pl-x-icu"`;
/** Blank ones last: many imported authorities have nothing there. */
const blankLast = (column: string) => `(authority.${column} = '')`;

const FIRSTNAME = asText('firstname');
const LASTNAME = asText('lastname');
const NAME = asText('name');
const ID = 'authority.id';

export const AUTHORS: AuthorityKind<'author'> = {
  name: 'author',
  entity: AuthorEntity,
  required: authorBodySchema,
  columnsOf: ({ firstname, lastname, nationality, biography, otherNames }) => ({
    firstname,
    lastname,
    nationality,
    biography,
    ...(otherNames && { otherNames }),
  }),
  viewOf: ({ id, firstname, lastname, nationality, biography, otherNames, version }) => ({
    id,
    firstname,
    lastname,
    nationality,
    biography,
    otherNames,
    fullname: fullname({ firstname, lastname }),
    version,
  }),
  nameOf: fullname,
  orders: {
    Lastname: `${LASTNAME}, ${FIRSTNAME}, ${ID}`,
    Firstname: `${FIRSTNAME}, ${LASTNAME}, ${ID}`,
    Nationality: `${blankLast('nationality')}, ${asText('nationality')}, ${LASTNAME}, ${FIRSTNAME}, ${ID}`,
  } satisfies Record<AuthorSort, string>,
  countBooks: (manager, authorId) => manager.countBy(BookAuthorEntity, { authorId }),
};

export const GENRES: AuthorityKind<'genre'> = {
  name: 'genre',
  entity: GenreEntity,
  required: genreBodySchema,
  columnsOf: ({ name, description }) => ({ name, description }),
  viewOf: ({ id, name, description, version }) => ({ id, name, description, version }),
  nameOf: ({ name }) => name,
  orders: {
    'NameA-Z': `${NAME}, ${ID}`,
    'NameZ-A': `${NAME} desc, ${ID}`,
  } satisfies Record<GenreSort, string>,
  countBooks: (manager, genreId) => manager.countBy(BookGenreEntity, { genreId }),
};

export const PUBLISHERS: AuthorityKind<'publisher'> = {
  name: 'publisher',
  entity: PublisherEntity,
  required: publisherBodySchema,
  columnsOf: ({ name, adress, phone, website }) => ({ name, adress, phone, website }),
  viewOf: ({ id, name, adress, phone, website, version }) => ({ id, name, adress, phone, website, version }),
  nameOf: ({ name }) => name,
  orders: {
    'NameA-Z': `${NAME}, ${ID}`,
    'NameZ-A': `${NAME} desc, ${ID}`,
    'AddressA-Z': `${blankLast('adress')}, ${asText('adress')}, ${NAME}, ${ID}`,
    'AddressZ-A': `${blankLast('adress')}, ${asText('adress')} desc, ${NAME}, ${ID}`,
  } satisfies Record<PublisherSort, string>,
  countBooks: (manager, publisherId) => manager.countBy(BookEntity, { publisherId }),
};

/** An imported author with a single name has no first name. */
function fullname({ firstname, lastname }: { firstname: string; lastname: string }): string {
  return `${firstname} ${lastname}`.trim();
}
