import { isInternalNumber } from '#contracts/catalogue/book-facts.js';
import fc from 'fast-check';
import {
  canonicalIsbn,
  ean13,
  internalNumber,
  internalNumberOfDigest,
  isIsbn10,
  isIsbn13,
  isbn10Of,
  isbn13Of,
} from './isbn.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

describe('ISBNs', () => {
  it.each([
    ['0306406152', '9780306406157'],
    ['080442957X', '9780804429573'],
    ['080442957x', '9780804429573'],
    ['0-8044-2957-X', '9780804429573'],
    ['978-0-306-40615-7', '9780306406157'],
    ['978 83 08 04905 1', '9788308049051'],
    ['9791090636071', '9791090636071'],
    ['0306406153', undefined],
    ['9780306406158', undefined],
    ['306406152', undefined],
    ['2900000001060', undefined],
    ['', undefined],
    ['ISBN', undefined],
  ])('takes %j as %j', (text, isbn) => expect(canonicalIsbn(text)).toBe(isbn));

  it('goes from an ISBN-10 to its ISBN-13 and back, and 979 has no ISBN-10', () => {
    forAll([digits(9)], {}, (nine) => {
      const isbn10 = isbn10Of(ean13(`978${nine}`)) ?? '';
      expect(isIsbn10(isbn10)).toBe(true);
      expect(isbn13Of(isbn10)).toBe(ean13(`978${nine}`));
      expect(isbn10Of(ean13(`979${nine}`))).toBeUndefined();
    });
    expect(isbn10Of('9780306406158')).toBeUndefined();
  });

  it('finds every single wrong digit, and every two neighbours changed about in an ISBN-10', () => {
    forAll([digits(9), fc.nat(9), fc.integer({ min: 1, max: 9 })], {}, (nine, at, by) => {
      const isbn = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'X']
        .map((check) => nine + check)
        .find(isIsbn10) as string;
      expect(isIsbn13(isbn13Of(isbn))).toBe(true);
      const digit = isbn[at] === 'X' ? 10 : Number(isbn[at]);
      const wrong = isbn.slice(0, at) + String((digit + by) % 10) + isbn.slice(at + 1);
      if (wrong !== isbn) expect(isIsbn10(wrong)).toBe(false);
      const turned = isbn.slice(0, 3) + isbn[4] + isbn[3] + isbn.slice(5);
      if (turned !== isbn) expect(isIsbn10(turned)).toBe(false);
    });
  });

  it('gives a book without one a number that is an EAN, no ISBN, and always the same', () => {
    forAll([fc.nat(999_999_999), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })], {}, (record, digest) => {
      for (const number of [internalNumber(record), internalNumberOfDigest(digest)]) {
        expect(number).toHaveLength(13);
        expect(ean13(number.slice(0, 12))).toBe(number);
        expect(isIsbn13(number)).toBe(false);
        expect(isInternalNumber(number)).toBe(true);
      }
      expect(internalNumber(record)).not.toBe(internalNumberOfDigest(digest));
    });
    expect(internalNumber(106)).toBe('2900000001060');
  });
});
