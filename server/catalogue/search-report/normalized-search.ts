import { foldText } from '#contracts/fold-text.js';
import { canonicalIsbn } from '../isbn.js';

/** Characters of a text that is kept. */
const LONGEST = 100;
/** So many digits may be somebody's number: of a telephone, a card, a person. */
const MAX_DIGITS = 5;

/**
 * A search as the report counts it: without capitals, accents and signs, so that one thing is counted once.
 * @returns undefined for what may be about a person and no book: an address of email or of a page, a long number that is no
 *   ISBN; and for what has no letter and no digit
 */
export function normalizedSearch(term: string): string | undefined {
  if (/@|:\/\/|\bwww\./iu.test(term)) return undefined;
  const isbn = canonicalIsbn(term);
  if (isbn !== undefined) return isbn;
  const digits = term.replace(/[^\p{Nd}]/gu, '').length;
  if (digits > MAX_DIGITS) return undefined;
  const text = foldText(term)
    .replace(/[^\p{L}\p{N}+#&'’.-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
    .trim();
  return /[\p{L}\p{N}]/u.test(text) ? text : undefined;
}
