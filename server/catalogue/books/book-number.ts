import * as m from '#words/messages.js';
import { isInternalNumber } from '#contracts/catalogue/book-facts.js';
import { DomainError } from '#contracts/domain-error.js';
import { RequestInvalid } from '../../http/validation.js';
import { canonicalIsbn } from '../isbn.js';

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
    throw new DomainError('IsbnDoubtful', whatIsWrong(number));
  }
  return number;
}

/**
 * The normalized number, and whether it needs confirmation.
 * @throws RequestInvalid for characters that no ISBN has
 */
export function readNumber(typed: string): { number: string; isDoubtful: boolean } {
  if (!/^\d{10,13}$|^\d{9}[\dXx]$/.test(typed))
    throw new RequestInvalid({ isbn: [m.book_form_isbn_signs()] });
  const isbn = canonicalIsbn(typed);
  if (isbn !== undefined) return { number: isbn, isDoubtful: false };
  return { number: typed.toUpperCase(), isDoubtful: !isInternalNumber(typed) };
}

function whatIsWrong(number: string): string {
  if (number.length !== 10 && number.length !== 13)
    return m.book_form_isbn_wrong_length({ number, length: number.length });
  if (number.length === 13 && !/^97[89]/.test(number)) return m.book_form_isbn_wrong_start({ number });
  return m.book_form_isbn_wrong_digit({ number });
}
