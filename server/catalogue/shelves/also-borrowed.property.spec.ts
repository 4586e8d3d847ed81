import fc from 'fast-check';
import { alsoBorrowed } from './also-borrowed.js';
import { forAllInTime } from '../../../test-support/arbitraries/for-all.js';

const MOST = 4;
const readers = fc.array(fc.uniqueArray(fc.constantFrom(3, 4, 7, 11, 30, 1000), { maxLength: 6 }), {
  maxLength: 30,
});

/** Said again in another way: reader by reader, pair by pair. */
function byHand(borrowed: readonly number[][], book: number): number[] {
  const number = (of: (books: number[]) => boolean) => borrowed.filter(of).length;
  const all = [...new Set(borrowed.flat())].filter((other) => other !== book);
  const rated = all.map((other) => {
    const both = number((books) => books.includes(book) && books.includes(other));
    return { other, both, telling: both / Math.sqrt(number((books) => books.includes(other))) };
  });
  return rated
    .filter(({ both }) => both >= 5)
    .sort((a, b) => b.telling - a.telling || a.other - b.other)
    .slice(0, MOST)
    .map(({ other }) => other);
}

describe('what readers of a book also borrowed', () => {
  it('is what a count by hand finds', async () => {
    await forAllInTime([readers], { numRuns: 300 }, async (borrowed) => {
      const found = await alsoBorrowed(borrowed, MOST);
      const books = [...new Set(borrowed.flat())];
      const expected = books.flatMap((book) => {
        const others = byHand(borrowed, book);
        return others.length > 0 ? [[book, others] as const] : [];
      });
      expect(new Map([...found].sort(([a], [b]) => a - b))).toEqual(
        new Map(expected.sort(([a], [b]) => a - b)),
      );
    });
  });
});
