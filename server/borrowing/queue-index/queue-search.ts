import { z } from 'zod';
import { borrowStatusSchema } from '#contracts/borrowing/borrow-status.js';
import { isIdentifierTerm, queueSearch, type SearchedWord } from '#contracts/borrowing/queue-search.js';
import { startOfDay } from '#contracts/local-day.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';

/** A condition on rows of the table of borrows, its parameters numbered from 1. */
export interface Condition {
  text: string;
  values: unknown[];
}

/** Every index over a date has the status before it. */
const ANY_STATUS = `status = any('{${borrowStatusSchema.options.join(',')}}')`;

/**
 * What a search of the queue looks for.
 * @param timeZone by which a searched day begins
 * @returns nothing for a blank term: everything is found
 */
export async function queueCondition(
  database: Database,
  searchTerm: string,
  timeZone: string,
): Promise<Condition | undefined> {
  const search = queueSearch(searchTerm);
  if (search.kind === 'days') {
    // The specification's borrow date is the day of issue; who rented on that day is found too.
    return {
      text: `((${ANY_STATUS} and rented_at >= $1 and rented_at < $2)
        or (${ANY_STATUS} and issued_at >= $1 and issued_at < $2))`,
      values: [search.days.from, search.days.until].map((day) => new Date(startOfDay(day, timeZone))),
    };
  }
  if (search.kind === 'isbn') {
    const condition = new Conditions();
    return condition.all([condition.anyOf(await booksOfIsbn(database, search.isbn))]);
  }
  if (search.words.length === 0) return undefined;
  const condition = new Conditions();
  const parts: string[] = [];
  for (const word of search.words) {
    const books = word.copy ? await booksWithId(database, word.copy.bookId) : [];
    parts.push(
      condition.either(condition.word(word), condition.ids(word), condition.anyOf(books, word.copy?.copy)),
    );
  }
  return condition.all(parts);
}

/** The words of a search that can be answered without knowing what they name; none for a day, a number or a blank one. */
export function plainWords(searchTerm: string): string[] {
  return isIdentifierTerm(searchTerm) ? [] : searchedWords(searchTerm);
}

/** The words of a search; none for a day or a blank one. */
export function searchedWords(searchTerm: string): string[] {
  const search = queueSearch(searchTerm);
  return search.kind === 'words' ? search.words.map(({ text }) => text) : [];
}

const bookRow = z.object({ id: z.int() });
type BookRow = z.output<typeof bookRow>;

/** By an ISBN-10 or ISBN-13: the catalogue's own function knows each as the other. */
function booksOfIsbn(database: Database, isbn: string): Promise<BookRow[]> {
  const text =
    'select id from book where isbn = any(select substr(marked, 2) from unnest(search_isbn($1)) marked)';
  return queryRows(database, bookRow, { name: 'books-of-isbn', text, values: [isbn] });
}

function booksWithId(database: Database, id: number): Promise<BookRow[]> {
  return queryRows(database, bookRow, {
    name: 'book-searched',
    text: 'select id from book where id = $1::bigint',
    values: [id],
  });
}

/** Puts conditions together, and numbers their parameters. */
class Conditions {
  private readonly values: unknown[] = [];

  all(parts: string[]): Condition {
    return { text: parts.map((part) => `(${part})`).join(' and '), values: this.values };
  }

  either(...parts: (string | undefined)[]): string {
    return parts.filter((part) => part !== undefined).join(' or ');
  }

  /** In a title, or in the name, user name or email address of the reader. */
  word({ text, folded }: SearchedWord): string {
    const [title, reader] = [this.value(containing(folded)), this.value(containing(text))];
    return `titles like ${title} or reader_id = any(array(
      select pseudonym from account where search_text like search_folded(${reader})))`;
  }

  ids({ ids }: SearchedWord): string | undefined {
    return ids && `borrow_id between ${this.value(ids.from)}::uuid and ${this.value(ids.until)}::uuid`;
  }

  /**
   * Borrows with one of the books.
   * @param copy of which this copy was lent, or none that somebody scanned
   */
  anyOf(books: readonly BookRow[], copy?: number): string {
    if (books.length === 0) return 'false';
    // An index has them by what the row contains.
    const lent = books.map(({ id }) => `books @> ${this.value(JSON.stringify([{ bookId: id }]))}::jsonb`);
    if (copy === undefined) return `(${lent.join(' or ')})`;
    const [ids, scanned] = [this.value(books.map(({ id }) => id)), this.value(copy)];
    return `((${lent.join(' or ')}) and exists (select from jsonb_array_elements(books) b
      where (b ->> 'bookId')::integer = any(${ids}::integer[])
        and coalesce((b ->> 'copy')::integer, ${scanned}) = ${scanned}))`;
  }

  private value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** A pattern of `like`. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
