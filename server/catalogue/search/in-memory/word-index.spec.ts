import fc from 'fast-check';
import { WordIndex, type IndexedBook } from './word-index.js';
import { forAll } from '../../../../test-support/for-all.js';

const WORDS = ['a', 'ab', 'abc', 'b', 'ba', 'lem', 'lemon', 'the', 'ż'];
const words = fc.uniqueArray(fc.constantFrom(...WORDS), { maxLength: 4 });
const book = fc
  .record({
    id: fc.integer({ min: 1, max: 60 }),
    title: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')),
    level: fc.constantFrom(0, 0, 3, 16, 17, 127),
    main: words,
    rest: words,
  })
  .map((made): IndexedBook => {
    const main = [...new Set([...made.title.split(' '), ...made.main])];
    const rest = made.rest.filter((word) => !main.includes(word));
    return { ...made, titleLength: made.title.length, main, rest };
  });
const step = fc.oneof(
  { weight: 5, arbitrary: book.map((added) => ({ added })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }).map((removed) => ({ removed })) },
);
const query = fc.array(fc.uniqueArray(fc.constantFrom(...WORDS, 'le', 'x'), { minLength: 1, maxLength: 2 }), {
  minLength: 1,
  maxLength: 3,
});

/** The same without an index: looks at every book. */
function naive(books: Iterable<IndexedBook>, spellings: string[][], text: string, depth: number) {
  const has = (all: readonly string[]) =>
    spellings.every((of, at) =>
      of.some((word) =>
        all.some((own) => (at === spellings.length - 1 ? own.startsWith(word) : own === word)),
      ),
    );
  const found = [...books].filter(({ main, rest }) => has([...main, ...rest]));
  const titles = ['', 'the ', 'a ', 'an '].map((article) => article + text);
  const fit = ({ title, main, level }: IndexedBook) => {
    if (!has(main)) return level - 128;
    if (titles.includes(title)) return level + 128;
    return titles.some((beginning) => title.startsWith(beginning)) ? level + 16 : level;
  };
  const first = found
    .sort((a, b) => fit(b) - fit(a) || a.titleLength - b.titleLength || a.id - b.id)
    .slice(0, depth)
    .map(({ id }) => id);
  return { total: found.length, first, ids: found.map(({ id }) => id).sort((a, b) => a - b) };
}

describe('the words in memory', () => {
  it('find and order what a look at every book finds, after any additions, changes and removals', () => {
    forAll(
      [fc.array(step, { maxLength: 120 }), query, fc.integer({ min: 1, max: 70 })],
      { numRuns: 500 },
      (steps, spellings, depth) => {
        const index = new WordIndex();
        const books = new Map<number, IndexedBook>();
        for (const each of steps) {
          if ('added' in each) {
            index.add(each.added);
            books.set(each.added.id, each.added);
          } else {
            index.remove(each.removed);
            books.delete(each.removed);
          }
          if (books.size % 7 === 0) index.match([['a']]);
        }
        const text = spellings.map(([word]) => word).join(' ');
        const expected = naive(books.values(), spellings, text, depth);
        const matches = index.match(spellings);
        expect(index.size).toBe(books.size);
        expect(matches.total).toBe(expected.total);
        expect(index.idsOf(matches).sort((a, b) => a - b)).toEqual(expected.ids);
        expect(index.first(matches, text, depth)).toEqual(expected.first);
        for (const id of books.keys()) expect(index.has(matches, id)).toBe(expected.ids.includes(id));
      },
    );
  });
});
