import { canonicalIsbn } from '../isbn.js';

/** Thirteen or ten digits with hyphens or blanks between them, or the begun `978-83-…` of one. */
const LIKE_AN_ISBN =
  /(?<![\p{L}\p{N}])(?:97[89](?:[-\s]?\d){10}|\d(?:[-\s]?\d){8}[-\s]?[\dXx]|97[89](?:-\d+)+-?)(?![\p{L}\p{N}])/gu;

/**
 * Writes the ISBNs of what a person typed as the catalogue keeps them: without hyphens, an ISBN-10 as its ISBN-13.
 * @param typed anything
 */
export function withPlainIsbns(typed: string): string {
  return typed.replace(LIKE_AN_ISBN, (found) => {
    const isbn = canonicalIsbn(found);
    if (isbn !== undefined) return isbn;
    return /^97[89]-/.test(found) ? found.replaceAll('-', '') : found;
  });
}

/** One form for all spellings that cannot differ in what they find, so that they share one cache entry. */
export function normalizedTerm(typed: string): string {
  return typed.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** What is looked for: every word in any order, the last one as the beginning of a word. */
export interface SearchQuery {
  /** Folded words of letters and digits, in the order that they were typed in. */
  words: readonly string[];
  /** For each word what it may stand for; one spelling unless a typing error is forgiven. */
  spellings: readonly (readonly string[])[];
  /** The same for PostgreSQL, a `tsquery`. */
  text: string;
  /** What a title begins with that begins with what was typed. */
  titleStart: string;
  /** Whether a word may be an ISBN or the beginning of one. */
  mayBeIsbn: boolean;
}

/** Digits from which on a number is looked for among the ISBNs too: a year is none. */
const LIKE_AN_ISBN_WORD = /^\d{5,13}$|^\d{9}x$/;

/**
 * Makes the query of some words.
 * @param words of letters and digits only, at least one
 */
export function searchQuery(words: readonly string[]): SearchQuery {
  return searchQueryOfSpellings(words.map((word) => [word]));
}

/**
 * Makes the query in which each word may be any of its spellings.
 * @param spellings for each word at least one
 */
export function searchQueryOfSpellings(spellings: readonly (readonly string[])[]): SearchQuery {
  const last = spellings.length - 1;
  const terms = spellings.map((words, at) => {
    const forms = words.flatMap((word) => (LIKE_AN_ISBN_WORD.test(word) ? [word, `#${word}`] : [word]));
    const any = forms.map((word) => (at === last ? `'${word}':*` : `'${word}'`));
    return any.length === 1 ? any[0] : `(${any.join(' | ')})`;
  });
  const words = spellings.map((of) => of[0] ?? '');
  return {
    words,
    spellings,
    text: [...new Set(terms)].join(' & '),
    titleStart: words.join(' '),
    mayBeIsbn: words.some((word) => LIKE_AN_ISBN_WORD.test(word)),
  };
}
