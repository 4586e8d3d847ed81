import { isInternalNumber } from '#contracts/catalogue/book-facts.js';
import { DomainError } from '#contracts/domain-error.js';
import { RequestInvalid } from '../../http/validation.js';
import { canonicalIsbn } from '../isbn.js';

const SIGNS = 'An ISBN contains only digits; a ten-character one may end in X.';

/**
 * Normalizes a typed ISBN, so that the two forms of one ISBN are the same number.
 * @param typed without hyphens and blanks, 10 to 13 characters
 * @param confirmed whether a person has confirmed that the number is printed like this
 * @throws RequestInvalid for characters that no ISBN has
 * @throws DomainError IsbnDoubtful for a wrong check digit, or a number that is not a book's
 */
export function bookNumber(typed: string, confirmed: boolean): string {
  const { number, isDoubtful } = readNumber(typed);
  if (isDoubtful && !confirmed) {
    throw new DomainError(
      'IsbnDoubtful',
      `${number} is no valid ISBN: ${whatIsWrong(number)}. Compare it with the book; if it is printed there like this, confirm it.`,
    );
  }
  return number;
}

/**
 * The normalized number, and whether it needs confirmation.
 * @throws RequestInvalid for characters that no ISBN has
 */
export function readNumber(typed: string): { number: string; isDoubtful: boolean } {
  if (!/^\d{10,13}$|^\d{9}[\dXx]$/.test(typed)) throw new RequestInvalid({ isbn: [SIGNS] });
  const isbn = canonicalIsbn(typed);
  if (isbn !== undefined) return { number: isbn, isDoubtful: false };
  return { number: typed.toUpperCase(), isDoubtful: !isInternalNumber(typed) };
}

function whatIsWrong(number: string): string {
  if (number.length !== 10 && number.length !== 13)
    return `it has ${number.length} characters instead of 10 or 13`;
  if (number.length === 13 && !/^97[89]/.test(number)) return 'one of 13 digits begins with 978 or 979';
  return 'its last digit does not fit the others';
}
