import { readCopyCode, type CopyOfBook } from '../catalogue/copy-code.js';
import { foldText } from '../fold-text.js';
import { searchedDays, type DaySpan } from './searched-days.js';

/** A word of a search: a borrow is found if it has every one of them, in whatever order. */
export interface SearchedWord {
  /** As typed. */
  text: string;
  /** As titles are compared with it. */
  folded: string;
  /** The copy whose label it is. */
  copy?: CopyOfBook;
  /** The ids of the borrows that begin with it, both inclusive. */
  ids?: { from: string; until: string };
}

/** What a search of the librarian's queue looks for; no words: for everything. */
export type QueueSearch =
  | { kind: 'days'; days: DaySpan }
  /** Ten or thirteen digits without hyphens, the last of ten may be an X. */
  | { kind: 'isbn'; isbn: string }
  | { kind: 'words'; words: SearchedWord[] };

/** Reads a search term of the queue. */
export function queueSearch(searchTerm: string): QueueSearch {
  const term = searchTerm.trim();
  const days = searchedDays(term);
  if (days) return { kind: 'days', days };
  const isbn = term.replace(/[\s\u00ad\u2010-\u2015-]/g, '').toUpperCase();
  if (/^(\d{9}[\dX]|\d{13})$/.test(isbn)) return { kind: 'isbn', isbn };
  // A label's code may be typed with blanks in it.
  const texts = readCopyCode(term) ? [term] : term.split(/\s+/).filter((text) => text !== '');
  return { kind: 'words', words: [...new Set(texts)].map(wordOf) };
}

/** Whether the term names a book, a copy or a borrow, by a number that is none of their words. */
export function isIdentifierTerm(searchTerm: string): boolean {
  const search = queueSearch(searchTerm);
  if (search.kind !== 'words') return search.kind === 'isbn';
  return search.words.some(({ copy, ids }) => copy !== undefined || ids !== undefined);
}

function wordOf(text: string): SearchedWord {
  const copy = readCopyCode(text);
  const ids = idsBeginning(text.toLowerCase());
  return { text, folded: foldText(text), ...(copy && { copy }), ...(ids && { ids }) };
}

const PATTERN = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
/** The digits of a borrow's id that it is called by on paper and in the drawer. */
const SHORT_ID = 8;

/** The number that people know a borrow by: the beginning of its id. */
export function borrowNumber(borrowId: string): string {
  return borrowId.slice(0, SHORT_ID);
}

/** The first and the last id that begin so; nothing for what begins no id, or too many. */
function idsBeginning(text: string): SearchedWord['ids'] {
  if (text.length < SHORT_ID || text.length > PATTERN.length) return undefined;
  const fits = [...text].every((letter, at) =>
    PATTERN[at] === '-' ? letter === '-' : /[\da-f]/.test(letter),
  );
  if (!fits) return undefined;
  const rest = PATTERN.slice(text.length);
  return { from: text + rest.replaceAll('x', '0'), until: text + rest.replaceAll('x', 'f') };
}
