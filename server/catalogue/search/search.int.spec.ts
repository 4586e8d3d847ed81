import { EventEmitter, once } from 'node:events';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import type { BookFilter } from '#contracts/catalogue/book-facets.js';
import { FACETS, type Facet } from '#contracts/catalogue/facet-names.js';
import { inTransaction } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { LOGGER } from '#platform/tokens.js';
import { createLogger } from '#platform/logging.js';
import { startCatalogueApp, type CatalogueApp } from '../../../test-support/catalogue-app.js';
import { Notifications } from '#platform/database/notifications.js';
import { catalogueStep, takeStep } from '../../../test-support/catalogue-steps.js';
import { TIMEOUT, waitFor } from '../../../test-support/wait-for.js';
import { shared } from '../../../test-support/shared.js';
import { forAllInTime } from '../../../test-support/for-all.js';
import { BookCards } from '../book-cards.js';
import { ListBooks, ListBooksHandler } from '../book.queries.js';
import { CatalogueCache } from '../catalogue-cache.js';
import { SystemClock } from '#platform/clock.js';
import { SearchesWithoutResult } from '../search-report/searches-without-result.js';
import { BookMatches } from './book-matches.js';
import { CountFacets } from './facet-counts.js';
import { BrowseOrder } from './in-memory/browse-order.js';
import { CatalogueSearch } from './catalogue-search.js';
import type { Sort } from './found-page.js';
import { QueryReader } from './query-reader.js';
import { SearchIndex } from './in-memory/search-index.js';
import { SearchAnswers } from './search-answers.js';
import { searchQuery, type SearchPart } from './search-term.js';
import { Spelling } from './in-memory/spelling.js';
import { searchScopeOf } from './search-scope.js';

const idRow = z.object({ id: z.int() });

const WORDS = [
  'solaris',
  'solo',
  'sol',
  'Łódź',
  'lodz',
  'Lem',
  'lemon',
  'the',
  'J.K.',
  'spider-man',
  '1984',
  '2001',
];
const SORTS: Sort[] = ['none', 'Title', 'ISBN', 'Copies'];

const some = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
const text = some.map((words) => words.join(' '));
const books = fc.array(
  fc.record({
    title: text,
    lastname: text,
    genre: text,
    publisher: text,
    copies: fc.integer({ min: 1, max: 3 }),
    loans: fc.constantFrom(0, 0, 0, 1, 3, 40),
  }),
  { minLength: 1, maxLength: 40 },
);

interface MadeBook {
  title: string;
  lastname: string;
  genre: string;
  publisher: string;
  copies: number;
  loans: number;
}

/** The words that a text is found by, said again in another way. */
function wordsOf(written: string): string[] {
  const plain = written.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l');
  return plain.split(/\s+/).flatMap((token) => {
    const parts = token.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
    return parts.length > 1 ? [...parts, parts.join('')] : parts;
  });
}

/** Whether a book has one of the forms of a term, by a look at its words. */
function hasTerm({ title, lastname, genre, publisher }: MadeBook, { forms }: SearchPart): boolean {
  const own = [...wordsOf(['N.', title, lastname, genre, publisher].join(' ')), '@2001'];
  const hasWord = (word: string) =>
    own.some((has) => (word.endsWith('*') ? has.startsWith(word.slice(0, -1)) : has === word));
  return forms.some((words) => words.every(hasWord));
}

/** A book with what its facets say. */
const facetsRow = z.object({
  id: z.int(),
  genre: z.array(z.int()),
  author: z.array(z.int()),
  publisher: z.array(z.int()),
  year: z.array(z.int()),
  language: z.array(z.string()),
  free: z.boolean(),
  words: z.array(z.string()),
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

/** Facets by the places of their values among all. */
interface FacetChoice {
  genre: number[];
  author: number[];
  publisher: number[];
  year: string[];
  language: string[];
  available: boolean;
  word: string | null;
}

type AllIds = Record<'genre' | 'author' | 'publisher', number[]>;

function idsOf(rows: readonly FacetsRow[]): AllIds {
  const of = (facet: keyof AllIds) => [...new Set(rows.flatMap((row) => row[facet]))];
  return { genre: of('genre'), author: of('author'), publisher: of('publisher') };
}

/** Ids and counts, by a look at every book. */
function naiveFacets(rows: readonly FacetsRow[], filter: BookFilter) {
  const has = (row: FacetsRow, facet: Facet): boolean => {
    if (facet !== 'year') {
      const wanted: readonly (number | string)[] | undefined = filter[facet];
      return !wanted || row[facet].some((value) => wanted.includes(value));
    }
    return !filter.year || row.year.some((year) => filter.year?.some((text) => isIn(year, text)));
  };
  const passes = (row: FacetsRow, but?: Facet | 'available') =>
    FACETS.every((facet) => facet === but || has(row, facet)) &&
    (but === 'available' || filter.available === undefined || row.free);
  const countsOf = (facet: Facet) => {
    const left = rows.filter((row) => passes(row, facet));
    const counts = new Map<number | string, number>();
    const add = (value: number | string) => counts.set(value, (counts.get(value) ?? 0) + 1);
    for (const row of left) {
      for (const value of row[facet]) {
        if (facet !== 'year') add(value);
        else {
          add(`${Math.floor(Number(value) / 10)}0s`.replace(/^00s$/, '0s'));
          if (filter.year?.includes(String(value))) add(String(value));
        }
      }
    }
    return [...counts]
      .map(([value, books]) => ({ value, books }))
      .sort((one, other) => other.books - one.books || (one.value < other.value ? -1 : 1));
  };
  return {
    ids: rows.filter((row) => passes(row)).map(({ id }) => id),
    genre: countsOf('genre'),
    author: countsOf('author'),
    publisher: countsOf('publisher'),
    year: countsOf('year'),
    language: countsOf('language'),
    available: rows.filter((row) => passes(row, 'available') && row.free).length,
  };
}

function isIn(year: number, text: string): boolean {
  return text.endsWith('s')
    ? Math.floor(year / 10) === Math.floor(Number.parseInt(text, 10) / 10)
    : `${year}` === text;
}

/** What was committed before is told: notifications come in the order of the commits. */
async function allHeard({ app, database }: CatalogueApp): Promise<void> {
  const arrived = once(app.get(Notifications), 'outbox');
  await database.query("select pg_notify('lectern_outbox', '')");
  await arrived;
}

describe('a search', () => {
  const library = shared(() => startCatalogueApp());

  const fill = async (made: readonly MadeBook[]) => {
    await inTransaction(library.database, async (connection) => {
      for (const table of ['book', 'author', 'genre', 'publisher'])
        await connection.query(`delete from ${table}`);
    });
    await library.add(
      ...made.map(({ title, lastname, genre, publisher, copies }) => ({
        title,
        publisher,
        copies,
        authors: [{ firstname: 'N.', lastname }],
        genres: [genre],
      })),
    );
    await library.database.query(
      `insert into book_reading (book_id, loans)
       select id, ($1::integer[])[row_number() over (order by id)] from book`,
      [made.map(({ loans }) => loans)],
    );
  };

  // spec 7.7, 9.12
  it('finds, counts and pages what a look at every book finds, in memory and in the database alike', async () => {
    const cache = library.app.get(CatalogueCache);
    const matches = library.app.get(BookMatches);
    const index = library.app.get(SearchIndex);
    await forAllInTime(
      [books, some, fc.integer({ min: 1, max: 7 })],
      { numRuns: 25, quick: 6 },
      async (made, typed, limit) => {
        await fill(made);
        const query = searchQuery(typed.flatMap((word) => wordsOf(word).slice(0, word === 'J.K.' ? 2 : 1)));
        const expected = made.filter((book) => query.terms.every((term) => hasTerm(book, term))).length;
        for (const sort of SORTS) {
          const whole: number[][] = [];
          for (const inMemory of [true, false]) {
            cache.changed('everything');
            const spy = jest.spyOn(index, 'current');
            if (inMemory) await index.current();
            else spy.mockResolvedValue(undefined);
            const ids: number[] = [];
            for (let offset = 0; ; offset += limit) {
              const page = await matches.page(searchScopeOf(query, undefined), sort, { offset, limit });
              expect(page.total).toBe(expected);
              if (page.ids.length === 0) break;
              ids.push(...page.ids);
            }
            spy.mockRestore();
            expect(ids).toHaveLength(expected);
            expect(new Set(ids).size).toBe(expected);
            whole.push(ids);
          }
          expect(whole[0]).toEqual(whole[1]);
        }
      },
    );
  });

  it('lists first what has everything, then what has the most, told apart, of which paging and narrowing lose and double nothing', async () => {
    const { app, database } = library;
    const [cache, index, search, counts] = [
      app.get(CatalogueCache),
      app.get(SearchIndex),
      app.get(CatalogueSearch),
      app.get(CountFacets),
    ];
    await forAllInTime(
      [books, some, fc.integer({ min: 1, max: 7 }), fc.nat(9), fc.constantFrom(...SORTS)],
      { numRuns: 25, quick: 6 },
      async (made, typed, limit, genreAt, sort) => {
        await fill(made);
        const term = typed.join(' ');
        // A part that is missing is named as the catalogue reads it: in small letters, without accents.
        const asked = new Map(searchQuery(typed.flatMap(wordsOf)).terms.map((each) => [each.typed, each]));
        const rows = await queryRows(database, facetsRow, FACETS_OF_BOOKS);
        const bookOf = new Map(rows.map(({ id }, at) => [id, made[at] as MadeBook]));
        const genres = [...new Set(rows.flatMap(({ genre }) => genre))];
        const lists: unknown[] = [];
        for (const inMemory of [true, false]) {
          cache.changed('everything');
          const spy = jest.spyOn(index, 'current');
          if (inMemory) await index.current();
          else spy.mockResolvedValue(undefined);
          for (const filter of [undefined, { genre: [genres[genreAt % genres.length] ?? 0] }]) {
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
            const wanted = await search.wanted(term, filter ?? {});
            if (!wanted) throw new Error('nothing is wanted');
            const listed = rows.filter(({ id }) => paged.includes(id));
            // What is chosen of a facet does not count for it.
            if (!filter) {
              const { ids: _ids, ...expected } = naiveFacets(listed, {});
              expect(await counts.of(wanted)).toEqual(expected);
            }
            let at = whole.total - whole.partial.reduce((sum, part) => sum + part.books, 0);
            for (const { without, books: many } of whole.partial) {
              const part = paged.slice(at, (at += many));
              for (const id of part) {
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
          spy.mockRestore();
        }
        expect(lists.slice(2)).toEqual(lists.slice(0, 2));
      },
    );
  });

  it('has counts wait for the index while it is loaded, and everybody while it catches up', async () => {
    const { app, database } = library;
    const cache = app.get(CatalogueCache);
    const index = new SearchIndex(database, app.get(LOGGER), cache);
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
    const matches = {
      indexFor: () => Promise.resolve(undefined),
      isIndexLoading: () => true,
    } as unknown as BookMatches;
    const counts = new CountFacets(library.database, library.app.get(CatalogueCache), matches);
    await expect(counts.of(searchScopeOf(undefined, undefined))).rejects.toMatchObject({
      code: 'AnswerTookTooLong',
    });
  });

  it('narrows and counts as a look at every book does, in memory and in the database alike, whatever changed', async () => {
    const { app, database } = library;
    const [cache, matches, counts, index] = [
      app.get(CatalogueCache),
      app.get(BookMatches),
      app.get(CountFacets),
      app.get(SearchIndex),
    ];
    const rowsOf = () => queryRows(database, facetsRow, FACETS_OF_BOOKS);
    // Beyond what there is, too: nobody has such a number, year or language.
    const some = fc.array(fc.nat(9), { maxLength: 2 });
    const chosen: fc.Arbitrary<FacetChoice> = fc.record({
      genre: some,
      author: some,
      publisher: some,
      year: fc.array(fc.constantFrom('1990s', '1994', '2000s', '0s', '1'), { maxLength: 2 }),
      language: fc.array(fc.constantFrom('en', 'pl', 'haw', 'de'), { maxLength: 2 }),
      available: fc.boolean(),
      word: fc.option(fc.constantFrom('sol', 'lem', 'the', '2001')),
    });
    const filterOf = (choice: FacetChoice, ids: AllIds) => {
      const of = (which: readonly number[], among: readonly number[]) =>
        which.length === 0 ? undefined : [...new Set(which.map((at) => among[at] ?? 2_000_000_000))];
      const listed = <Value>(values: Value[]) => (values.length === 0 ? undefined : [...new Set(values)]);
      return {
        genre: of(choice.genre, ids.genre),
        author: of(choice.author, ids.author),
        publisher: of(choice.publisher, ids.publisher),
        year: listed(choice.year),
        language: listed(choice.language),
        available: choice.available ? ('1' as const) : undefined,
      };
    };
    const expectSame = async (choices: readonly FacetChoice[]) => {
      const rows = await rowsOf();
      const ids = idsOf(rows);
      for (const choice of choices) {
        const filter = filterOf(choice, ids);
        const wanted = searchScopeOf(choice.word === null ? undefined : searchQuery([choice.word]), filter);
        const found = rows.filter(({ words }) => words.some((word) => word.startsWith(choice.word ?? '')));
        const expected = naiveFacets(found, filter);
        for (const inMemory of [true, false]) {
          const spy = jest.spyOn(index, 'current');
          if (!inMemory) spy.mockResolvedValue(undefined);
          const orders = await Promise.all(
            SORTS.map(async (sort) => (await matches.page(wanted, sort, { offset: 0, limit: 50 })).ids),
          );
          const counted = await counts.of(wanted);
          spy.mockRestore();
          for (const order of orders) expect([...order].sort((a, b) => a - b)).toEqual(expected.ids);
          const { ids: _ids, ...expectedCounts } = expected;
          expect(counted).toEqual(expectedCounts);
        }
      }
    };
    const change = fc.record({
      which: fc.nat(40),
      sql: fc.constantFrom(
        'update book set copies_available = 0 where id = $1',
        'update book set copies_available = copies_total where id = $1',
        "update book set published = '1999-12-31' where id = $1",
        "update book set language = case when language = 'pl' then null else 'pl' end where id = $1",
        'update book set publisher_id = (select max(id) from publisher) where id = $1',
        'delete from book_genre where book_id = $1',
        'insert into book_genre (book_id, genre_id, place) select $1, min(id), 9 from genre on conflict do nothing',
        'insert into book_author (book_id, author_id, place) select $1, max(id), 9 from author on conflict do nothing',
        'delete from book where id = $1',
      ),
    });
    await forAllInTime(
      [
        books,
        fc.array(chosen, { minLength: 6, maxLength: 6 }),
        fc.array(change, { minLength: 1, maxLength: 6 }),
      ],
      { numRuns: 12, quick: 4 },
      async (made, choices, changes) => {
        await fill(made);
        await database.query(
          `update book set language = (array['en', 'pl', 'haw', null])[1 + id % 4],
               copies_available = case when id % 3 = 0 then 0 else copies_total end,
               published = (array[null, '1994-05-06', '1999-12', '2000', '-720'])[1 + id % 5]`,
        );
        await allHeard(library);
        cache.changed('everything');
        await waitFor(() => index.current());
        await expectSame(choices);
        for (const { which, sql } of changes) {
          const [book] = (await rowsOf()).slice(which % made.length);
          if (book) await database.query(sql, [book.id]);
        }
        await allHeard(library);
        await expectSame(choices);
      },
    );
  });

  // Each step is told by its writer in this process or, as from another one, by the database alone.
  it('answers from what it remembers as it would if it remembered nothing, whatever was saved, deleted, lent or imported', async () => {
    const { app, database } = library;
    await fill([]);
    await library.add(
      ...Array.from({ length: 2100 }, (_, at) => ({ title: `Sol ${at % 13}`, copies: 1 + (at % 3) })),
    );
    const [lists, cache, index] = [app.get(ListBooksHandler), app.get(CatalogueCache), app.get(SearchIndex)];
    const fresh = () => {
      const none = { current: () => Promise.resolve(undefined) } as SearchIndex;
      const nothing = new CatalogueCache(new EventEmitter() as Notifications);
      const reader = new QueryReader(database);
      const matches = new BookMatches(database, nothing, none);
      return new ListBooksHandler(
        new BookCards(database, nothing),
        new CatalogueSearch(
          reader,
          new BrowseOrder(database, createLogger('silent'), nothing, none),
          matches,
          new SearchAnswers(nothing, matches, new Spelling(database, nothing, none)),
        ),
        new SearchesWithoutResult(database, new SystemClock(), createLogger('silent')),
      );
    };
    const terms = [
      '',
      'sol',
      'solaris',
      'lem',
      'the lem',
      'lodz so',
      'solariz',
      'lem 1984 solo',
      'spiderman lodz 2001',
      'g',
    ];
    const asked = fc.record({
      SearchTerm: fc.constantFrom(...terms),
      SortBy: fc.constantFrom(...SORTS),
      pageNumber: fc.constantFrom(1, 1, 2, 7, 120),
      pageSize: fc.constantFrom(10, 17),
    });
    const history = fc.array(fc.tuple(catalogueStep(WORDS), fc.boolean()), { minLength: 1, maxLength: 8 });
    await forAllInTime(
      [history, fc.array(asked, { minLength: 8, maxLength: 8 })],
      { numRuns: 8, quick: 2 },
      async (steps, queries) => {
        for (const [step, isTold] of steps) {
          const change = await takeStep(database, step);
          if (isTold && change) cache.changed(change);
          else await allHeard(library);
          const anew = fresh();
          for (const query of queries) {
            // The order by copies may be a second old when one is lent, and its deep pages go by landmarks of before.
            const isDeep = query.pageNumber * query.pageSize > 1000;
            if (query.SortBy === 'Copies' && (step.kind === 'rent' || isDeep)) continue;
            const list = new ListBooks({ query });
            expect(await lists.execute(list)).toEqual(await anew.execute(list));
          }
          await waitFor(() => index.current());
        }
      },
    );
  });

  it('knows a change as soon as it is committed, whoever made it and however', async () => {
    await fill([]);
    // The notification comes over another connection.
    const found = (SearchTerm: string) =>
      waitFor(async () => {
        const { items } = await library.list({ SearchTerm });
        return items.length > 0 && items.map(({ title }) => title);
      });
    const gone = (SearchTerm: string) =>
      waitFor(async () => (await library.list({ SearchTerm })).totalCount === 0);
    const sql = (statement: string) => library.database.query(statement);
    await library.add({
      title: 'Zamek',
      authors: [{ firstname: 'Franz', lastname: 'Kafka' }],
      genres: ['Powieść'],
    });
    expect(await found('zamek kafka powiesc')).toEqual(['Zamek']);
    await sql("update book set title = 'Proces'");
    expect(await found('proces')).toEqual(['Proces']);
    expect(await gone('zamek')).toBe(true);
    await sql("update author set lastname = 'Kafkowski'");
    expect(await found('kafkowski')).toEqual(['Proces']);
    await sql("update genre set name = 'Groteska'");
    expect(await found('groteska')).toEqual(['Proces']);
    await sql("update publisher set name = 'Czytelnik'");
    expect(await found('czytelnik')).toEqual(['Proces']);
    await sql("update book set isbn = '83-08-04905-2'");
    expect(await found('9788308049051')).toEqual(['Proces']);
    await sql('delete from book_genre');
    expect(await gone('groteska')).toBe(true);
    await sql("insert into author (firstname, lastname) values ('Max', 'Brod')");
    await sql("insert into book_author select b.id, a.id, 1 from book b, author a where a.lastname = 'Brod'");
    expect(await found('brod proces')).toEqual(['Proces']);
    await sql('delete from book');
    expect(await gone('proces')).toBe(true);
  });

  it('forgets nothing of what it knows when copies are lent, and shows the copies that are left', async () => {
    await fill([]);
    await library.add({ title: 'Kopia', copies: 2 }, { title: 'Kopia druga', copies: 1 });
    await library.list({ SearchTerm: 'kopia' });
    await allHeard(library);
    const changed = jest.spyOn(library.app.get(CatalogueCache), 'changed');
    await library.database.query("update book set copies_available = 0 where title = 'Kopia'");
    await allHeard(library);
    expect(changed).not.toHaveBeenCalled();
    changed.mockRestore();
    const page = await library.list({ SearchTerm: 'kopia', SortBy: 'Title' });
    expect(page.items.map(({ copiesAvailable }) => copiesAvailable)).toEqual([0, 1]);
    const { rows } = await library.database.query('select copies from book_shelf order by copies');
    expect(rows).toEqual([{ copies: 0 }, { copies: 1 }]);
  });

  it.each(SORTS)(
    'pages the whole catalogue by %s without a gap or a repeat, deep pages too',
    async (SortBy) => {
      if ((await library.list({})).totalCount < 2500) {
        await library.add(
          ...Array.from({ length: 2600 }, (_, at) => ({ title: `T ${at % 7}`, copies: 1 + (at % 3) })),
        );
        library.app.get(CatalogueCache).changed('everything');
      }
      const { totalCount } = await library.list({ SortBy });
      const ids: number[] = [];
      for (let pageNumber = 1; (pageNumber - 1) * 100 < totalCount; pageNumber += 1) {
        const { items } = await library.list({ SortBy, pageNumber, pageSize: 100 });
        ids.push(...items.map(({ id }) => id));
      }
      expect(new Set(ids).size).toBe(totalCount);
      const order = {
        none: 'id desc',
        Title: 'title collate "pl-x-icu", id',
        ISBN: 'isbn',
        Copies: 'copies_available desc, id desc',
      }[SortBy];
      const rows = await queryRows(library.database, idRow, `select id from book order by ${order}`);
      expect(ids).toEqual(rows.map(({ id }) => id));
      // The same for more matches than are put in order at once.
      const found: number[] = [];
      for (let pageNumber = 1; pageNumber <= 30; pageNumber += 1) {
        const { items } = await library.list({ SearchTerm: 't', SortBy, pageNumber, pageSize: 100 });
        found.push(...items.map(({ id }) => id));
      }
      expect(new Set(found).size).toBe(found.length);
      expect(found).toHaveLength((await library.list({ SearchTerm: 't' })).totalCount);
    },
  );
});
