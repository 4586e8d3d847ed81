import fc from 'fast-check';
import { WordIndex, type IndexedBook, type WantedWords } from './word-index.js';
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
    otherTitles: fc.array(
      fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }).map((all) => all.join(' ')),
      { maxLength: 2 },
    ),
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
const wanted = fc.record({
  forms: fc.array(
    fc.array(fc.constantFrom(...WORDS, 'le', 'x', 'le*', 'a*', 'b*'), { minLength: 1, maxLength: 2 }),
    { minLength: 1, maxLength: 2 },
  ),
  isSoft: fc.boolean(),
});
const query = fc
  .array(wanted, { minLength: 1, maxLength: 3 })
  .map(([first, ...others]) => [{ ...(first as WantedWords), isSoft: false }, ...others]);
const titles = fc.array(
  fc.array(fc.constantFrom(...WORDS, 'le'), { minLength: 1, maxLength: 2 }).map((all) => all.join(' ')),
  { minLength: 1, maxLength: 2 },
);

/** The same without an index: looks at every book. */
function naive(
  books: Iterable<IndexedBook>,
  terms: readonly WantedWords[],
  texts: readonly string[],
  depth: number,
) {
  const hasWord = (all: readonly string[], word: string) =>
    all.some((own) => (word.endsWith('*') ? own.startsWith(word.slice(0, -1)) : own === word));
  const has = (all: readonly string[], { forms }: WantedWords) =>
    forms.some((of) => of.every((word) => hasWord(all, word)));
  const found = [...books].filter(({ main, rest }) => terms.every((term) => has([...main, ...rest], term)));
  const wholes = ['', 'the ', 'a ', 'an '].flatMap((article) => texts.map((text) => article + text));
  const fit = ({ title, otherTitles, main, level }: IndexedBook) => {
    if (!terms.every((term) => term.isSoft || has(main, term))) return level - 128;
    const called = [title, ...otherTitles];
    if (called.some((each) => wholes.includes(each))) return level + 128;
    return called.some((each) => wholes.some((beginning) => each.startsWith(beginning))) ? level + 16 : level;
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
      [fc.array(step, { maxLength: 120 }), query, titles, fc.integer({ min: 1, max: 70 })],
      { numRuns: 500 },
      (steps, terms, texts, depth) => {
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
          if (books.size % 7 === 0) index.match([{ forms: [['a']], isSoft: false }]);
        }
        const expected = naive(books.values(), terms, texts, depth);
        const matches = index.match(terms);
        expect(index.size).toBe(books.size);
        expect(matches.total).toBe(expected.total);
        expect(index.idsOf(matches).sort((a, b) => a - b)).toEqual(expected.ids);
        expect(index.first(matches, texts, depth)).toEqual(expected.first);
        for (const id of books.keys()) expect(index.has(matches, id)).toBe(expected.ids.includes(id));
      },
    );
  });
});
