import { isInternalNumber, yearText } from '#contracts/catalogue/book-facts.js';
import type { Book } from '#contracts/catalogue/book-views.js';

/** A name as citations sort it: without a given name it stands as it is. */
export interface CitedName {
  family: string;
  given: string;
  /** "Jr.", or nothing. */
  suffix: string;
}

/** What citations are made of. Null where nobody knows it. */
export interface CitedBook {
  authors: readonly CitedName[];
  title: string;
  year: string | null;
  publisher: string | null;
  isbn: string | null;
  series: string | null;
  volume: string | null;
}

/** How imports write that somebody has a single name. */
const NO_GIVEN_NAME = /^[—–-]?$/;
/** Belong to the family's name: "Antoine de Saint-Exupéry" is found under "de". */
const PARTICLES =
  /^(.*\S)\s+((?:(?:van|von|vom|zu|zum|zur|de|der|den|del|della|di|da|dos|du|des|la|le|ten|ter|af|av)\s*)+)$/u;
/** Follow the whole name. */
const SUFFIX = /^(.*\S),?\s+((?:Jr|Sr)\.?|II|III|IV)$/;

export function citedOf(book: Book): CitedBook {
  const { title, published, publisher, isbn, series, volume } = book;
  return {
    authors: book.authors.map(nameOf),
    title: title.trim(),
    year: yearText(published) || null,
    publisher: publisher?.name.trim() || null,
    isbn: isInternalNumber(isbn) ? null : isbn,
    series,
    volume,
  };
}

function nameOf({ firstname, lastname }: { firstname: string; lastname: string }): CitedName {
  const first = firstname.trim();
  const last = lastname.trim();
  if (last === '' || NO_GIVEN_NAME.test(first)) return { family: last || first, given: '', suffix: '' };
  const [, given = first, particles = ''] = PARTICLES.exec(first) ?? [];
  const [, family = last, suffix = ''] = SUFFIX.exec(last) ?? [];
  return { family: `${particles.trim()} ${family}`.trim(), given, suffix };
}
