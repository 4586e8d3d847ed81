import fc from 'fast-check';
import { normalizedSearch } from './normalized-search.js';
import { forAll } from '../../../test-support/arbitraries/for-all.js';

describe('what the report of searches keeps', () => {
  it.each([
    ['Solaris', 'solaris'],
    ['  ŻÓŁĆ   w  Łodzi!! ', 'zolc w lodzi'],
    ['C++', 'c++'],
    ['1984', '1984'],
    ['978-83-08-04905-1', '9788308049051'],
    ['0-306-40615-2', '9780306406157'],
  ])('%j is %j', (term, text) => expect(normalizedSearch(term)).toBe(text));

  it.each([
    'anna.nowak@example.org',
    'see https://example.org/anna',
    'www.example.org',
    '+48 600 123 456',
    '85051512345',
    'order 4711-99-88',
    '9788308049052',
    '   ',
    '?!…',
  ])('%j is not kept', (term) => expect(normalizedSearch(term)).toBeUndefined());

  it('is of one line and short, and the same for what differs by capitals alone', () => {
    forAll([fc.string({ unit: 'grapheme', maxLength: 300 })], {}, (term) => {
      const text = normalizedSearch(term);
      if (text === undefined) return;
      expect(text.length).toBeLessThanOrEqual(100);
      expect(text).not.toMatch(/[\n\r\t@]/);
      expect(normalizedSearch(text)).toBe(text);
    });
  });
});
