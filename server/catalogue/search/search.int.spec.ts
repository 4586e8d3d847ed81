import { EventEmitter, once } from 'node:events';
import fc from 'fast-check';
import { z } from 'zod';
import type { BookFilter } from '#contracts/catalogue/book-facets.js';
import { FACETS, type Facet } from '#contracts/catalogue/facet-names.js';
import { Notifications, type CatalogueChange } from '#platform/database/notifications.js';
import { queryRows } from '#platform/database/query-rows.js';
import { createLogger } from '#platform/logging.js';
import { forAllInTime } from '../../../test-support/arbitraries/for-all.js';
import { addNewBooks } from '../../../test-support/product/new-books.js';
import { openOwnDatabase } from '../../../test-support/database/own-database.js';
import { shared } from '../../../test-support/shared.js';
import { TIMEOUT, waitFor } from '../../../test-support/wait-for.js';
import { BookCards } from '../book-cards.js';
import { CatalogueCache } from '../catalogue-cache.js';
import { BookMatches } from './book-matches.js';
import { CatalogueSearch } from './catalogue-search.js';
import { CountFacets } from './facet-counts.js';
import type { Sort } from './found-page.js';
import { BrowseOrder } from './in-memory/browse-order.js';
import { SearchIndex } from './in-memory/search-index.js';
import { Spelling } from './in-memory/spelling.js';
import { QueryReader } from './query-reader.js';
import { SearchAnswers } from './search-answers.js';
import { searchScopeOf } from './search-scope.js';
import { searchQuery, type SearchPart } from './search-term.js';

const WORDS = [
  ...['solaris', 'solo', 'sol', 'Łódź', 'lodz', 'Lem', 'lemon', 'the', 'J.K.', 'spider-man', '1984', '2001'],
];
const SORTS: Sort[] = ['none', 'Title', 'ISBN', 'Copies'];

const some = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
const text = some.map((words) => words.join(' '));
const madeBook = fc.record({
  ...{ title: text, lastname: text, genre: text, publisher: text },
  otherTitles: fc.array(text, { maxLength: 2 }),
  copies: fc.integer({ min: 1, max: 3 }),
  loans: fc.constantFrom(0, 0, 0, 1, 3, 40),
});
type MadeBook = typeof madeBook extends fc.Arbitrary<infer Made> ? Made : never;
const books = fc.array(madeBook, { minLength: 1, maxLength: 40 });

/** What happens to a book, here by SQL as from another process, and what its writer would tell in this one. */
const CHANGES: [sql: string, told: 'book' | 'everything' | 'nothing'][] = [
  ['update book set title = $2 where id = $1', 'book'],
  ["update book set isbn = 'n-' || $2 where id = $1", 'book'],
  ['delete from book where id = $1', 'book'],
  ['update book set copies_available = 0 where id = $1', 'nothing'],
  ['update book set copies_available = copies_total where id = $1', 'nothing'],
  ['update book set copies_total = 5, copies_available = 5 where id = $1', 'book'],
  ["update book set published = '1999-12-31' where id = $1", 'book'],
  ["update book set language = case when language = 'pl' then null else 'pl' end where id = $1", 'book'],
  ['update book set publisher_id = (select max(id) from publisher) where id = $1', 'book'],
  ['delete from book_genre where book_id = $1', 'book'],
  [
    'insert into book_genre (book_id, genre_id, place) select $1, min(id), 9 from genre on conflict do nothing',
    'book',
  ],
  [
    'insert into book_author (book_id, author_id, place) select $1, max(id), 9 from author on conflict do nothing',
    'book',
  ],
  [
    `insert into book_reading (book_id, loans) values ($1, 7)
     on conflict (book_id) do update set loans = book_reading.loans + 7`,
    'book',
  ],
  [
    'update author set lastname = $2 where id = (select min(author_id) from book_author where book_id = $1)',
    'everything',
  ],
  [
    'update genre set name = $2 where id = (select min(genre_id) from book_genre where book_id = $1)',
    'everything',
  ],
  ['update publisher set name = $2 where id = (select publisher_id from book where id = $1)', 'everything'],
];
const change = fc.record({ which: fc.nat(1000), text, change: fc.constantFrom(...CHANGES) });
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** The words that a text is found by, said again in another way. */
function wordsOf(written: string): string[] {
  const plain = written.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l');
  return plain.split(/\s+/).flatMap((token) => {
    const parts = token.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
    return parts.length > 1 ? [...parts, parts.join('')] : parts;
  });
}

/** Whether a book has one of the forms of a term, by a look at its words. */
function hasTerm(
  { title, otherTitles, lastname, genre, publisher }: MadeBook,
  { forms }: SearchPart,
): boolean {
  const own = [...wordsOf(['N.', title, ...otherTitles, lastname, genre, publisher].join(' ')), '@2001'];
  const hasWord = (word: string) =>
    own.some((has) => (word.endsWith('*') ? has.startsWith(word.slice(0, -1)) : has === word));
  return forms.some((words) => words.every(hasWord));
}

/** A book with what its facets say. */
const facetsRow = z.object({
  ...{ id: z.int(), genre: z.array(z.int()), author: z.array(z.int()), publisher: z.array(z.int()) },
  ...{ year: z.array(z.int()), language: z.array(z.string()), free: z.boolean(), words: z.array(z.string()) },
});
type FacetsRow = z.output<typeof facetsRow>;

const FACETS_OF_BOOKS = `
  select b.id, array(select genre_id from book_genre where book_id = b.id) as genre,
    array(select author_id from book_author where book_id = b.id) as author,
    array_remove(array[b.publisher_id], null) as publisher,
    case when b.publication_date is null or b.publication_date < '0001-01-02' then '{}'
      else array[date_part('year', b.publication_date)::integer] end as year,
    array_remove(array[b.language], null) as language, b.copies_available > 0 as free,
    tsvector_to_array(s.words) as words
  from book b join book_search s on s.book_id = b.id order by b.id`;

/** Facets by the places of their values among all: beyond what there is, too. */
const somePlaces = fc.array(fc.nat(9), { maxLength: 2 });
const facetChoice = fc.record({
  ...{ genre: somePlaces, author: somePlaces, publisher: somePlaces },
  year: fc.array(fc.constantFrom('1990s', '1994', '2000s', '0s', '1'), { maxLength: 2 }),
  language: fc.array(fc.constantFrom('en', 'pl', 'haw', 'de'), { maxLength: 2 }),
  available: fc.boolean(),
  word: fc.option(fc.constantFrom('sol', 'lem', 'the', '2001')),
});
type FacetChoice = typeof facetChoice extends fc.Arbitrary<infer Choice> ? Choice : never;

function filterOf(choice: FacetChoice, rows: readonly FacetsRow[]): BookFilter {
  const listed = <Value>(values: Value[]) => (values.length === 0 ? undefined : [...new Set(values)]);
  const of = (facet: 'genre' | 'author' | 'publisher') => {
    const there = [...new Set(rows.flatMap((row) => row[facet]))];
    return listed(choice[facet].map((at) => there[at] ?? 2_000_000_000));
  };
  return {
    ...{ genre: of('genre'), author: of('author'), publisher: of('publisher') },
    ...{ year: listed(choice.year), language: listed(choice.language) },
    available: choice.available ? '1' : undefined,
  };
}

/** Ids and counts, by a look at every book. */
function naiveFacets(rows: readonly FacetsRow[], filter: BookFilter) {
  const has = (row: FacetsRow, facet: Facet): boolean => {
    if (facet !== 'year') {
      const wanted: readonly (number | string)[] | undefined = filter[facet];
      return !wanted || row[facet].some((value) => wanted.includes(value));
    }
    return !filter.year || row.year.some((year) => filter.year?.some((written) => isIn(year, written)));
  };
  const passes = (row: FacetsRow, but?: Facet | 'available') =>
    FACETS.every((facet) => facet === but || has(row, facet)) &&
    (but === 'available' || filter.available === undefined || row.free);
  const countsOf = (facet: Facet) => {
    const counts = new Map<number | string, number>();
    const add = (value: number | string) => counts.set(value, (counts.get(value) ?? 0) + 1);
    for (const row of rows.filter((each) => passes(each, facet))) {
      for (const value of row[facet]) {
        if (facet !== 'year') add(value);
        else {
          add(`${Math.floor(Number(value) / 10)}0s`.replace(/^00s$/, '0s'));
          if (filter.year?.includes(String(value))) add(String(value));
        }
      }
    }
    return [...counts]
      .map(([value, count]) => ({ value, books: count }))
      .sort((one, other) => other.books - one.books || (one.value < other.value ? -1 : 1));
  };
  return {
    ids: rows.filter((row) => passes(row)).map(({ id }) => id),
    counts: {
      ...Object.fromEntries(FACETS.map((facet) => [facet, countsOf(facet)])),
      available: rows.filter((row) => passes(row, 'available') && row.free).length,
    },
  };
}

function isIn(year: number, written: string): boolean {
  return written.endsWith('s')
    ? Math.floor(year / 10) === Math.floor(Number.parseInt(written, 10) / 10)
    : `${year}` === written;
}

describe('a search', () => {
  const logger = createLogger('silent');
  const database = shared(() => openOwnDatabase(8));
  const notifications = shared(async () => {
    const link = new Notifications(database.url, logger);
    await link.start();
    return link;
  });

  /** What answers searches: with an index in memory, or by the database alone. */
  const searching = (cache: CatalogueCache, index: SearchIndex) => {
    const matches = new BookMatches(database, cache, index);
    const search = new CatalogueSearch(
      new QueryReader(database),
      new BrowseOrder(database, logger, cache, index),
      matches,
      new SearchAnswers(cache, matches, new Spelling(database, cache, index)),
    );
    const counts = new CountFacets(database, cache, matches);
    return { cache, index, matches, search, counts, cards: new BookCards(database, cache) };
  };
  const withoutIndex = {
    current: () => Promise.resolve(undefined),
    isLoading: () => false,
  } as unknown as SearchIndex;
  const memory = shared(
    () => {
      const cache = new CatalogueCache(notifications);
      return searching(cache, new SearchIndex(database, logger, cache));
    },
    ({ index }) => index.onModuleDestroy(),
  );
  const byDatabase = shared(() => searching(new CatalogueCache(notifications), withoutIndex));
  const both = [memory, byDatabase];
  /** As after a change, of which all is known that can be. */
  const anew = async () => {
    for (const { cache } of both) cache.changed('everything');
    await waitFor(() => memory.index.current());
  };
  /** What was committed before is told: notifications come in the order of the commits. */
  const allTold = async () => {
    const told = once(notifications, 'outbox');
    await database.query("select pg_notify('lectern_outbox', '')");
    await told;
  };

  const fill = async (made: readonly MadeBook[]) => {
    await database.query('delete from book; delete from author; delete from genre; delete from publisher');
    await addNewBooks(
      database,
      made.map(({ title, otherTitles, lastname, genre, publisher, copies }) => ({
        ...{ title, otherTitles, publisher, copies, genres: [genre] },
        authors: [{ firstname: 'N.', lastname }],
      })),
    );
    await database.query(
      `insert into book_reading (book_id, loans)
       select id, ($1::integer[])[row_number() over (order by id)] from book`,
      [made.map(({ loans }) => loans)],
    );
    await anew();
  };
  const facetRows = () => queryRows(database, facetsRow, FACETS_OF_BOOKS);
  let changes = 0;
  /** @returns what its writer would tell */
  const make = async ({ which, text: words, change: [sql, told] }: Change) => {
    const { rows } = await database.query<{ id: number }>('select id from book order by id');
    const id = rows[which % rows.length]?.id;
    if (id === undefined) return undefined;
    changes += 1;
    await database.query(sql, sql.includes('$2') ? [id, `${words} ${changes}`] : [id]);
    return told === 'book' ? { books: [id] } : told === 'everything' ? told : undefined;
  };

  // spec 7.7, 9.12
  it('lists first what has everything, then what has the most, told apart, of which paging and narrowing lose and double nothing', async () => {
    await forAllInTime(
      [books, some, fc.integer({ min: 2, max: 9 }), fc.nat(9)],
      { numRuns: 25, quick: 4 },
      async (made, typed, limit, genreAt) => {
        await fill(made);
        const term = typed.join(' ');
        // A part that is missing is named as the catalogue reads it: in small letters, without accents.
        const { terms } = searchQuery(typed.flatMap(wordsOf));
        const asked = new Map(terms.map((each) => [each.typed, each]));
        const rows = await facetRows();
        const bookOf = new Map(rows.map(({ id }, at) => [id, made[at] as MadeBook]));
        const genres = [...new Set(rows.flatMap(({ genre }) => genre))];
        const filters = [undefined, { genre: [genres[genreAt % genres.length] ?? 0] }];
        const having = made.filter((book) => terms.every((each) => hasTerm(book, each))).length;
        for (const sort of SORTS) {
          const lists: unknown[] = [];
          for (const { search, counts } of both) {
            for (const filter of filters) {
              const whole = await search.find(term, sort, { offset: 0, limit: 1000 }, filter);
              const paged: number[] = [];
              for (let offset = 0; offset < whole.total; offset += limit) {
                const page = await search.find(term, sort, { offset, limit }, filter);
                expect([page.total, page.partial]).toEqual([whole.total, whole.partial]);
                paged.push(...page.ids);
              }
              expect(paged).toEqual(whole.ids);
              expect(new Set(paged).size).toBe(whole.total);
              lists.push(paged);
              let at = whole.total - whole.partial.reduce((sum, part) => sum + part.books, 0);
              // What is chosen of a facet does not count for it.
              if (!filter) {
                const listed = rows.filter(({ id }) => paged.includes(id));
                const wanted = await search.wanted(term, {});
                expect(wanted && (await counts.of(wanted))).toEqual(naiveFacets(listed, {}).counts);
                if (having > 0) expect(at).toBe(having);
              }
              for (const { without, books: many } of whole.partial) {
                for (const id of paged.slice(at, (at += many))) {
                  const lacks = whole.terms.length > 0 && bookOf.get(id);
                  // As they were looked for: only the last word of a search may be the beginning of one.
                  const missing = without.flatMap(
                    (word) => asked.get(word) ?? searchQuery(word.split(' ')).terms,
                  );
                  if (lacks && whole.corrections.length === 0)
                    expect(missing.some((each) => !hasTerm(lacks, each))).toBe(true);
                }
              }
              expect(at).toBe(whole.total);
            }
          }
          expect(lists.slice(2)).toEqual(lists.slice(0, 2));
        }
      },
    );
  });

  it('narrows and counts as a look at every book does, in memory and in the database alike, whatever changed', async () => {
    const expectSame = async (choices: readonly FacetChoice[]) => {
      const rows = await facetRows();
      for (const choice of choices) {
        const filter = filterOf(choice, rows);
        const wanted = searchScopeOf(choice.word === null ? undefined : searchQuery([choice.word]), filter);
        const found = rows.filter(({ words }) => words.some((word) => word.startsWith(choice.word ?? '')));
        const expected = naiveFacets(found, filter);
        const ordered = both.map(async ({ matches, counts }) => {
          const pages = SORTS.map(async (sort) => matches.page(wanted, sort, { offset: 0, limit: 50 }));
          expect(await counts.of(wanted)).toEqual(expected.counts);
          return (await Promise.all(pages)).map(({ ids }) => ids);
        });
        const [orders = [], alike] = await Promise.all(ordered);
        expect(orders).toEqual(alike);
        for (const order of orders) expect([...order].sort((a, b) => a - b)).toEqual(expected.ids);
      }
    };
    await forAllInTime(
      [
        books,
        fc.array(facetChoice, { minLength: 4, maxLength: 4 }),
        fc.array(change, { minLength: 1, maxLength: 6 }),
      ],
      { numRuns: 25, quick: 4 },
      async (made, choices, steps) => {
        await fill(made);
        await database.query(
          `update book set language = (array['en', 'pl', 'haw', null])[1 + id % 4],
             copies_available = case when id % 3 = 0 then 0 else copies_total end,
             published = (array[null, '1994-05-06', '1999-12', '2000', '-720'])[1 + id % 5]`,
        );
        await allTold();
        await anew();
        await expectSame(choices);
        for (const step of steps) await make(step);
        await allTold();
        await expectSame(choices);
      },
    );
  });

  it('answers from what it remembers as it would if it remembered nothing, whatever was saved, deleted, lent or imported', async () => {
    await fill([]);
    await addNewBooks(
      database,
      Array.from({ length: 2100 }, (_, at) => ({
        ...{ title: `Sol ${at % 13}`, copies: 1 + (at % 3), publisher: `House ${at % 99}` },
        ...{ authors: [{ firstname: 'Ada', lastname: `Writer ${at % 98}` }], genres: [`Kind ${at % 97}`] },
      })),
    );
    await allTold();
    const terms = [
      ...['', 'sol', 'solaris', 'lem', 'the lem', 'lodz so', 'solariz', 'lem 1984 solo'],
      ...['spiderman lodz 2001', 'g'],
    ];
    const asked = fc.record({
      term: fc.constantFrom(...terms),
      sort: fc.constantFrom(...SORTS),
      pageNumber: fc.constantFrom(1, 1, 2, 7, 120),
      limit: fc.constantFrom(10, 17),
    });
    const imported = fc.array(text, { minLength: 1, maxLength: 4 });
    const step = fc.oneof({ weight: 5, arbitrary: change }, { weight: 1, arbitrary: imported });
    await forAllInTime(
      [
        fc.array(fc.tuple(step, fc.boolean()), { minLength: 1, maxLength: 5 }),
        fc.array(asked, { minLength: 5, maxLength: 5 }),
      ],
      { numRuns: 12, quick: 3 },
      async (steps, queries) => {
        for (const [taken, isTold] of steps) {
          let told: CatalogueChange | undefined = 'everything';
          if (!Array.isArray(taken)) told = await make(taken);
          else
            await addNewBooks(
              database,
              taken.map((title) => ({ title, genres: [`G ${title}`] })),
            );
          // Told by its writer in this process or, as from another one, by the database alone.
          if (isTold && told) memory.cache.changed(told);
          else await allTold();
          const fresh = searching(new CatalogueCache(new EventEmitter() as Notifications), withoutIndex);
          for (const { term, sort, pageNumber, limit } of queries) {
            const offset = (pageNumber - 1) * limit;
            // The order by copies may be a second old when one is lent, and its deep pages go by landmarks of before.
            if (sort === 'Copies' && (told === undefined || offset + limit > 1000)) continue;
            const [remembered, read] = await Promise.all(
              [memory, fresh].map(async ({ search, cards }) => {
                const { terms: _terms, ids, ...page } = await search.find(term, sort, { offset, limit });
                return { ...page, books: await cards.read(ids) };
              }),
            );
            expect(remembered).toEqual(read);
          }
          await waitFor(() => memory.index.current());
        }
      },
    );
  });

  it('has counts wait for the index while it is loaded, and everybody while it catches up', async () => {
    const { cache } = memory;
    const index = new SearchIndex(database, logger, cache);
    index.onModuleInit();
    expect(await index.current()).toBeUndefined();
    expect(index.isLoading()).toBe(true);
    const loaded = await index.current(TIMEOUT);
    expect(loaded).toBeDefined();
    expect(index.isLoading()).toBe(false);
    cache.changed('everything');
    expect(await Promise.all([index.current(), index.current()])).toEqual([loaded, loaded]);
    await index.onModuleDestroy();
  });

  it('says that counts come later where the index is not there in time', async () => {
    const { counts } = searching(memory.cache, { ...withoutIndex, isLoading: () => true } as SearchIndex);
    await expect(counts.of(searchScopeOf(undefined, undefined))).rejects.toMatchObject({
      code: 'AnswerTookTooLong',
    });
  });

  it('is not told anew of the whole catalogue when copies are lent', async () => {
    await fill([]);
    await addNewBooks(database, [{ title: 'Kopia', copies: 2 }, { copies: 1 }]);
    await allTold();
    const told: CatalogueChange[] = [];
    notifications.on('catalogue', (each) => told.push(each));
    await database.query("update book set copies_available = 0 where title = 'Kopia'");
    await allTold();
    expect(told).toEqual([]);
    const { rows } = await database.query('select copies from book_shelf order by copies');
    expect(rows).toEqual([{ copies: 0 }, { copies: 1 }]);
  });
});
