import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { LOCKS } from '#platform/database/locks.js';
import { queryRow } from '#platform/database/query-rows.js';
import { packageRoot } from '#platform/package-root.js';
import { writeBooks, type AuthorName } from './book-writer.js';
import { splitAuthorName } from './import/author-name.js';

/** `catalogue.json` */
export interface DemoCatalogue {
  genres: { name: string; description: string }[];
  publishers: { name: string; adress: string; phone?: string; website?: string }[];
  authors: { firstname: string; lastname: string; nationality: string; biography: string }[];
  books: {
    isbn: string;
    title: string;
    /** What it is called in Polish, where readers ask for it so. */
    otherTitles?: string[];
    series?: string;
    volume?: string;
    authors: string[];
    genres: string[];
    publisher: string;
    published: string;
    language: string;
    copiesAvailable: number;
    description: string;
  }[];
}

/** The compiler copies no JSON, so it is read from the sources. */
const CATALOGUE = join(packageRoot(), 'embedded/demo/catalogue.json');

/** Puts the demo's books in where the catalogue has none yet: all of them or none. */
export async function seedDemoCatalogue(database: Database): Promise<void> {
  await inTransaction(database, writeDemoCatalogue);
}

/** The same in a transaction. @returns whether it did */
export async function writeDemoCatalogue(connection: Connection): Promise<boolean> {
  await connection.query('select pg_advisory_xact_lock($1)', [LOCKS.demo]);
  const books = await queryRow(
    connection,
    z.object({ empty: z.boolean() }),
    'select not exists (select from book) as empty',
  );
  if (!books?.empty) return false;
  const catalogue = JSON.parse(await readFile(CATALOGUE, 'utf8')) as DemoCatalogue;
  await writeDetails(connection, catalogue);
  await writeBooks(connection, booksOf(catalogue));
  return true;
}

function booksOf(catalogue: DemoCatalogue) {
  const names = new Map<string, AuthorName>(
    catalogue.authors.map(({ firstname, lastname }) => [`${firstname} ${lastname}`, { firstname, lastname }]),
  );
  return catalogue.books.map(({ authors, copiesAvailable, ...book }) => ({
    ...book,
    authors: authors.map((name) => names.get(name) ?? splitAuthorName(name)),
    copies: copiesAvailable,
  }));
}

/** What the demo tells of genres, publishers and authors beside their names. */
async function writeDetails(connection: Connection, catalogue: DemoCatalogue): Promise<void> {
  const json = (value: unknown) => [JSON.stringify(value)];
  await connection.query(
    `insert into genre (name, description)
     select name, coalesce(description, '') from jsonb_to_recordset($1) as given (name text, description text)
     on conflict (name) do nothing`,
    json(catalogue.genres),
  );
  await connection.query(
    `insert into publisher (name, adress, phone, website)
     select name, coalesce(adress, ''), coalesce(phone, ''), coalesce(website, '')
     from jsonb_to_recordset($1) as given (name text, adress text, phone text, website text)
     on conflict (name) do nothing`,
    json(catalogue.publishers),
  );
  await connection.query(
    `insert into author (firstname, lastname, nationality, biography)
     select firstname, lastname, coalesce(nationality, ''), coalesce(biography, '')
     from jsonb_to_recordset($1) as given (firstname text, lastname text, nationality text, biography text)
     on conflict (firstname, lastname) do nothing`,
    json(catalogue.authors),
  );
}
