import fc from 'fast-check';
import { WordIndex, type IndexedBook } from './word-index.js';

const WORDS = ['a', 'ab', 'abc', 'b', 'ba', 'lem', 'lemon', 'ż'];
const words = fc.uniqueArray(fc.constantFrom(...WORDS), { maxLength: 4 });
const book = fc
  .record({
    id: fc.integer({ min: 1, max: 60 }),
    title: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')),
    main: words,
    rest: words,
  })
  .map((made): IndexedBook => ({
    ...made,
    titleLength: made.title.length,
    rest: made.rest.filter((word) => !made.main.includes(word)),
  }));
const step = fc.oneof(
  { weight: 5, arbitrary: book.map((added) => ({ added })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }).map((removed) => ({ removed })) },
);
const query = fc.array(fc.uniqueArray(fc.constantFrom(...WORDS, 'le', 'x'), { minLength: 1, maxLength: 2 }), {
  minLength: 1,
  maxLength: 3,
});

/** The same without an index: looks at every book. */
function naive(books: Iterable<IndexedBook>, spellings: string[][], before: number[], depth: number) {
  const has = (all: readonly string[]) =>
    spellings.every((of, at) =>
      of.some((word) =>
        all.some((own) => (at === spellings.length - 1 ? own.startsWith(word) : own === word)),
      ),
    );
  const found = [...books].filter(({ main, rest }) => has([...main, ...rest]));
  const first = found
    .filter(({ id }) => !before.includes(id))
    .sort((a, b) => Number(has(b.main)) - Number(has(a.main)) || a.titleLength - b.titleLength || a.id - b.id)
    .slice(0, depth)
    .map(({ id }) => id);
  return { total: found.length, first, ids: found.map(({ id }) => id).sort((a, b) => a - b) };
}

describe('the words in memory', () => {
  it('find and order what a look at every book finds, after any additions, changes and removals', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 120 }),
        query,
        fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 70 }),
        (steps, spellings, before, depth) => {
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
          const expected = naive(books.values(), spellings, before, depth);
          const matches = index.match(spellings);
          expect(index.size).toBe(books.size);
          expect(matches.total).toBe(expected.total);
          expect(index.idsOf(matches).sort((a, b) => a - b)).toEqual(expected.ids);
          expect(index.first(matches, before, depth)).toEqual(expected.first);
          for (const text of ['', 'a', 'ab ', 'ż', 'lem b']) {
            const has = (all: readonly string[], word: string, at: number) =>
              all.some((own) => (at === spellings.length - 1 ? own.startsWith(word) : own === word));
            const beginning = [...books.values()]
              .filter(({ main }) => spellings.every((of, at) => of.some((word) => has(main, word, at))))
              .filter(({ title }) => title.startsWith(text))
              .sort((a, b) => Buffer.compare(Buffer.from(a.title), Buffer.from(b.title)) || a.id - b.id);
            expect(index.beginning(matches, text)).toEqual(beginning.map(({ id }) => id));
          }
          for (const id of books.keys()) expect(index.has(matches, id)).toBe(expected.ids.includes(id));
        },
      ),
      { numRuns: 500 },
    );
  });
});
