import { INTERNAL_PREFIX } from '#contracts/catalogue/book-facts.js';

/** The check digit of an ISBN-10: the sum of each digit times its place from the right is a multiple of 11. */
function checkDigit10(nine: string): string {
  let sum = 0;
  for (let at = 0; at < 9; at += 1) sum += Number(nine[at]) * (10 - at);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'X' : String(check);
}

/** The check digit of an EAN-13, and so of an ISBN-13: weights 1 and 3 in turn, a multiple of 10. */
function checkDigit13(twelve: string): string {
  let sum = 0;
  for (let at = 0; at < 12; at += 1) sum += Number(twelve[at]) * (at % 2 === 0 ? 1 : 3);
  return String((10 - (sum % 10)) % 10);
}

/** True for ten characters whose last is the right check digit. */
export function isIsbn10(text: string): boolean {
  return /^\d{9}[\dXx]$/.test(text) && checkDigit10(text.slice(0, 9)) === text[9]?.toUpperCase();
}

/** True for thirteen digits whose last is the right check digit; `978` and `979` are books. */
export function isIsbn13(text: string): boolean {
  return /^97[89]\d{10}$/.test(text) && checkDigit13(text.slice(0, 12)) === text[12];
}

/** The ISBN-13 of a valid ISBN-10. */
export function isbn13Of(isbn10: string): string {
  const twelve = `978${isbn10.slice(0, 9)}`;
  return twelve + checkDigit13(twelve);
}

/** The ISBN-10 of an ISBN-13, where it has one: those of 979 have none. */
export function isbn10Of(isbn13: string): string | undefined {
  if (!isIsbn13(isbn13) || !isbn13.startsWith('978')) return undefined;
  const nine = isbn13.slice(3, 12);
  return nine + checkDigit10(nine);
}

/**
 * Completes twelve digits to an EAN-13.
 * @param twelve exactly twelve digits
 */
export function ean13(twelve: string): string {
  return twelve + checkDigit13(twelve);
}

/**
 * An ISBN as the catalogue keeps it: thirteen digits without hyphens.
 * @param text an ISBN-10 or ISBN-13, with or without hyphens and blanks
 * @returns undefined where it is neither or its check digit is wrong
 */
export function canonicalIsbn(text: string): string | undefined {
  const plain = text.replace(/[\s\u00ad\u2010-\u2015-]/g, '');
  if (isIsbn13(plain)) return plain;
  if (isIsbn10(plain)) return isbn13Of(plain);
  return undefined;
}

const OF_A_RECORD = `${INTERNAL_PREFIX}0`;
const OF_A_DIGEST = `${INTERNAL_PREFIX}1`;

/**
 * The thirteen-digit number that a library gives a book without a valid ISBN. It can never be an ISBN, and the
 * same record always gets the same one.
 * @param record the number of the record in its source, up to nine digits
 */
export function internalNumber(record: number): string {
  return ean13(OF_A_RECORD + String(record).padStart(9, '0'));
}

/**
 * The same where the source has no record numbers.
 * @param digest of what makes the book this book
 */
export function internalNumberOfDigest(digest: bigint): string {
  return ean13(OF_A_DIGEST + String(digest % 1_000_000_000n).padStart(9, '0'));
}
