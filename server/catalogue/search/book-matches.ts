import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { QueryConfig } from 'pg';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { CatalogueCache } from '../catalogue-cache.js';
import type { CatalogueIndex, IndexedOrder } from './in-memory/catalogue-index.js';
import type { FoundPage, PageWindow, Sort } from './found-page.js';
import {
  allInOrder,
  booksOfTitle,
  countOf,
  fewMatches,
  inOrder,
  matchesInOrder,
} from './match-statements.js';
import type { Narrowing } from './in-memory/places.js';
import { SearchIndex } from './in-memory/search-index.js';
import { coreOf, type SearchQuery } from './search-term.js';
import { narrowedTo, searchScopeOf, type SearchScope } from './search-scope.js';
import type { IndexMatches, WantedWords, WordIndex } from './in-memory/word-index.js';

/** Up to this many matches are sorted at once; of more, only as many as the page needs. */
const FEW = 2000;
/** How far a long list is sorted: the first depth that reaches the end of the page. */
const DEPTHS = [60, 600, 6000, 60_000, 600_000, Number.MAX_SAFE_INTEGER];
/** Up to this many are sorted; more are found faster by walking along an order of all books. */
const SORTABLE = 10_000;
/** Copies change with every rent, so a long list by copies is cached only briefly, in milliseconds. */
const COPIES_TTL = 5000;
/** How much more of the order by copies is read than a page should need: words are not spread evenly. */
const MARGIN = 2;
const MIN_READ = 5000;

const idRow = z.object({ id: z.number() });
const totalRow = z.object({ total: z.int() });
const joinedIdsRow = z.object({ ids: z.string() });
/** `array_agg` of no rows is null. */
const idsRow = z.object({ ids: z.array(z.number()).nullable() });

/**
 * The books that are wanted, in an order. Memory and the database give the same books in the same
 * order; memory is faster when many are found.
 */
@Injectable()
export class BookMatches {
  private readonly lastMatches = new LRUCache<
    string,
    { words: WordIndex; version: number; shelf: number; matches: IndexMatches }
  >({ max: 24 });

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cache: CatalogueCache,
    private readonly index: SearchIndex,
  ) {}

  /**
   * The index that answers what is wanted, as of now; undefined where the database has to.
   * @param loadingWait how long to wait for an index that is being loaded, in milliseconds
   */
  async indexFor({ query, filter }: SearchScope, loadingWait?: number): Promise<CatalogueIndex | undefined> {
    const index = query?.mayBeIsbn ? undefined : await this.index.current(loadingWait);
    if (filter?.available !== undefined) await index?.shelf.catchUp(this.database);
    return index;
  }

  isIndexLoading(): boolean {
    return this.index.isLoading();
  }

  async page(wanted: SearchScope, sort: Sort, window: PageWindow): Promise<FoundPage> {
    const index = await this.indexFor(wanted);
    if (index && sort !== 'Copies') return this.pageInMemory(index, wanted, sort, window);
    return this.pageOf(wanted, sort, window, index);
  }

  /** How many books a query finds, or how many there are: nothing is put in an order for that. */
  async total(query: SearchQuery | undefined): Promise<number> {
    const wanted = searchScopeOf(query, undefined);
    const index = await this.indexFor(wanted);
    // One statement gives both, and the page that follows has it then.
    if (!index) return (await this.pageOf(wanted, 'none', { offset: 0, limit: 1 }, undefined)).total;
    const key = `none|${wanted.key}`;
    const known = index.remembered.get(key, finderOf(index, wanted));
    if (known) return known.total;
    const asOf = index.remembered.now();
    const { total } = this.match(index, wanted);
    index.remembered.set(key, { ids: new Int32Array(), total }, asOf);
    return total;
  }

  /** Whether one of some books has just one of these as its title. */
  async haveTitle(ids: readonly number[], titles: readonly string[]): Promise<boolean> {
    const index = await this.index.current();
    if (index) return index.words.haveTitle(ids, titles);
    return (await queryRows(this.database, idRow, booksOfTitle(ids, titles))).length > 0;
  }

  private pageInMemory(
    index: CatalogueIndex,
    wanted: SearchScope,
    sort: IndexedOrder,
    { offset, limit }: PageWindow,
  ): FoundPage {
    const end = offset + limit;
    // What is on the shelf changes with every rent, and a few books by name are found at once.
    if (wanted.filter?.available !== undefined || wanted.ids) {
      const { ids, total } = this.firstOf(index, wanted, sort, end);
      return { ids: ids.slice(offset, end), total };
    }
    const key = `${sort}|${wanted.key}`;
    let known = index.remembered.get(key, finderOf(index, wanted));
    if (!known || known.ids.length < Math.min(end, known.total)) {
      const asOf = index.remembered.now();
      const { ids, total } = this.firstOf(index, wanted, sort, end);
      known = { ids: Int32Array.from(ids), total };
      index.remembered.set(key, known, asOf);
    }
    return { ids: [...known.ids.subarray(offset, end)], total: known.total };
  }

  /** At least the books to the end of a page; all where they are few. */
  private firstOf(
    index: CatalogueIndex,
    wanted: SearchScope,
    sort: IndexedOrder,
    end: number,
  ): { ids: number[]; total: number } {
    const { total } = this.match(index, wanted);
    const depth = total <= FEW ? total : depthOf(Math.min(end, total), total);
    return { ids: depth === 0 ? [] : this.firstInMemory(index, wanted, sort, depth), total };
  }

  /** With an index for the order by copies, which the database keeps; without one all by itself. */
  private async pageOf(
    wanted: SearchScope,
    sort: Sort,
    { offset, limit }: PageWindow,
    index: CatalogueIndex | undefined,
  ): Promise<FoundPage> {
    const few = await this.cached(`few|${sort}|${wanted.key}`, wanted, sort, () =>
      this.few(wanted, sort, index),
    );
    if (few) return { ids: [...few.subarray(offset, offset + limit)], total: few.length };

    const total = index ? this.match(index, wanted).total : await this.count(wanted);
    const end = Math.min(offset + limit, total);
    if (offset >= end) return { ids: [], total };
    const depth = depthOf(end, total);
    const key = `first|${sort}|${depth}|${wanted.key}`;
    const ids = await this.cached(key, wanted, sort, async () =>
      Int32Array.from(
        await (index
          ? this.firstByCopies(index, wanted, depth)
          : this.idsOf(matchesInOrder(wanted, sort, depth))),
      ),
    );
    return { ids: [...ids.subarray(offset, end)], total };
  }

  private cached<Ids extends Int32Array | undefined>(
    key: string,
    { filter }: SearchScope,
    sort: Sort,
    load: () => Promise<Ids>,
  ): Promise<Ids> {
    if (filter?.available !== undefined) return load();
    const ttl = sort === 'Copies' ? COPIES_TTL : undefined;
    return this.cache.getOrLoad('books', key, load, (ids) => ids?.length ?? 0, ttl);
  }

  /** All matches in order if they are few, else undefined. */
  private async few(
    wanted: SearchScope,
    sort: Sort,
    index: CatalogueIndex | undefined,
  ): Promise<Int32Array | undefined> {
    if (index) {
      const { total } = this.match(index, wanted);
      return total > FEW ? undefined : Int32Array.from(await this.firstByCopies(index, wanted, total));
    }
    const row = await queryRow(this.database, idsRow, fewMatches(wanted, sort, FEW + 1));
    const ids = row?.ids ?? [];
    return ids.length > FEW ? undefined : Int32Array.from(ids);
  }

  private async count(wanted: SearchScope): Promise<number> {
    const count = async () => (await queryRow(this.database, totalRow, countOf(wanted)))?.total ?? 0;
    if (wanted.filter?.available !== undefined) return count();
    return this.cache.getOrLoad('books', `count|${wanted.key}`, count);
  }

  /**
   * The books that are wanted, as the index is now. A page needs them several times: to count them, and to sort them; and the
   * counts of the facets need them again.
   */
  match(index: CatalogueIndex, { query, ids, filter, key }: SearchScope): IndexMatches {
    const { words } = index;
    const shelf = filter?.available === undefined ? 0 : index.shelf.version;
    const known = this.lastMatches.get(key);
    if (known?.version === words.version && known.words === words && known.shelf === shelf) {
      return known.matches;
    }
    const matches = filter
      ? narrowed(
          this.match(index, narrowedTo({ query, ids, filter, key }, undefined)),
          index.facets.narrowing(filter, words.room),
        )
      : ids
        ? words.these(ids)
        : query
          ? words.match(wantedOf(query))
          : words.everything();
    this.lastMatches.set(key, { words, version: words.version, shelf, matches });
    return matches;
  }

  private firstInMemory(
    index: CatalogueIndex,
    wanted: SearchScope,
    sort: IndexedOrder,
    depth: number,
  ): number[] {
    const { words, orders } = index;
    const matches = this.match(index, wanted);
    if (sort === 'none' && wanted.ids) return wanted.ids.filter((id) => words.has(matches, id));
    if (sort === 'none' && wanted.query) return words.first(matches, wanted.query.titles, depth);
    return matches.total <= SORTABLE
      ? orders[sort].sort(words.idsOf(matches), depth)
      : orders[sort].firstOf((id) => words.has(matches, id), depth);
  }

  /** Of many, walks the order of all books and takes the matches, which is fast because they are many. */
  private async firstByCopies(index: CatalogueIndex, wanted: SearchScope, depth: number): Promise<number[]> {
    const { total } = this.match(index, wanted);
    const { words } = index;
    if (depth === 0) return [];
    if (total <= SORTABLE) {
      return this.idsOf(inOrder(words.idsOf(this.match(index, wanted)), 'Copies', depth));
    }
    const expected = Math.max(MIN_READ, (depth / total) * words.size * MARGIN);
    for (const length of [2 ** Math.ceil(Math.log2(expected)), 'all' as const]) {
      const order = await this.orderByCopies(length);
      const matches = this.match(index, wanted);
      const found: number[] = [];
      for (let at = 0; at < order.length && found.length < depth; at += 1) {
        const id = order[at] as number;
        if (words.has(matches, id)) found.push(id);
      }
      if (found.length >= depth || length === 'all') return found;
    }
    return [];
  }

  private orderByCopies(length: number | 'all'): Promise<Int32Array> {
    return this.cache.getOrLoad(
      'books',
      `order|${length}`,
      async () => {
        const row = await queryRow(this.database, joinedIdsRow, allInOrder('Copies', length));
        return Int32Array.from(row?.ids.split(',') ?? [], Number);
      },
      (value) => value.length,
      COPIES_TTL,
    );
  }

  private async idsOf(statement: QueryConfig): Promise<number[]> {
    const rows = await queryRows(this.database, idRow, statement);
    return rows.map(({ id }) => id);
  }
}

/** Says whether the book of a place, dead or alive, is wanted. */
function finderOf(
  { words, facets }: CatalogueIndex,
  { query, filter }: SearchScope,
): (place: number) => boolean {
  let narrowing: Narrowing | undefined;
  let terms: readonly WantedWords[] | undefined;
  return (place) => {
    if (query && !words.matchesAt(place, (terms ??= wantedOf(query)))) return false;
    return !filter || (narrowing ??= facets.narrowing(filter, words.room)).has(place);
  };
}

/** What only narrows may be anywhere in a book. */
function wantedOf({ terms }: SearchQuery): readonly WantedWords[] {
  const core = coreOf(terms);
  return terms.map((term) => ({ forms: term.forms, isSoft: !core.includes(term) }));
}

function narrowed({ main, all }: IndexMatches, by: Narrowing): IndexMatches {
  const left = all.narrowed(by);
  return { total: left.size, main: main === all ? left : main.narrowed(by), all: left };
}

function depthOf(end: number, total: number): number {
  return Math.min(DEPTHS.find((candidate) => candidate >= end) ?? total, total);
}
