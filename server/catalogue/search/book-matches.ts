import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { QueryConfig } from 'pg';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { CatalogueCache } from '../catalogue-cache.js';
import type { CatalogueIndex, KeptOrder } from './catalogue-index.js';
import type { FoundPage, PageWindow, Sort } from './found-page.js';
import { allInOrder, countOf, fewMatches, inOrder, matchesInOrder } from './match-statements.js';
import { SearchIndex } from './search-index.js';
import type { SearchQuery } from './search-term.js';
import type { IndexMatches, WordIndex } from './word-index.js';

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
const LEAST_READ = 5000;

const idRow = z.object({ id: z.number() });
const totalRow = z.object({ total: z.int() });
const joinedIdsRow = z.object({ ids: z.string() });
/** `array_agg` of no rows is null. */
const idsRow = z.object({ ids: z.array(z.number()).nullable() });

/**
 * The books that a query finds, in an order. Memory and the database give the same books in the same
 * order; memory is faster when many are found.
 */
@Injectable()
export class BookMatches {
  private readonly lastMatches = new LRUCache<
    string,
    { words: WordIndex; version: number; matches: IndexMatches }
  >({ max: 16 });

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cache: CatalogueCache,
    private readonly index: SearchIndex,
  ) {}

  async page(query: SearchQuery, sort: Sort, window: PageWindow): Promise<FoundPage> {
    const index = query.mayBeIsbn ? undefined : await this.index.current();
    if (index && sort !== 'Copies') return this.pageInMemory(index, query, sort, window);
    return this.pageOf(query, sort, window, index);
  }

  private pageInMemory(
    index: CatalogueIndex,
    query: SearchQuery,
    sort: KeptOrder,
    { offset, limit }: PageWindow,
  ): FoundPage {
    const key = `${sort}|${query.text}`;
    let known = index.remembered.get(key, query);
    if (!known || known.ids.length < Math.min(offset + limit, known.total)) {
      const asOf = index.remembered.now();
      const { total } = this.match(index, query);
      const depth = total <= FEW ? total : depthOf(Math.min(offset + limit, total), total);
      const ids = depth === 0 ? [] : this.firstInMemory(index, query, sort, depth);
      known = { ids: Int32Array.from(ids), total };
      index.remembered.set(key, known, asOf);
    }
    return { ids: [...known.ids.subarray(offset, offset + limit)], total: known.total };
  }

  /** With an index for the order by copies, which the database keeps; without one all by itself. */
  private async pageOf(
    query: SearchQuery,
    sort: Sort,
    { offset, limit }: PageWindow,
    index: CatalogueIndex | undefined,
  ): Promise<FoundPage> {
    const few = await this.cached(`few|${sort}|${query.text}`, sort, () => this.few(query, sort, index));
    if (few) return { ids: [...few.subarray(offset, offset + limit)], total: few.length };

    const total = index
      ? this.match(index, query).total
      : await this.cache.getOrLoad('books', `count|${query.text}`, () => this.count(query));
    const end = Math.min(offset + limit, total);
    if (offset >= end) return { ids: [], total };
    const depth = depthOf(end, total);
    const key = `first|${sort}|${depth}|${query.text}`;
    const ids = await this.cached(key, sort, async () =>
      Int32Array.from(
        await (index
          ? this.firstByCopies(index, query, depth)
          : this.idsOf(matchesInOrder(query, sort, depth))),
      ),
    );
    return { ids: [...ids.subarray(offset, end)], total };
  }

  private cached<Ids extends Int32Array | undefined>(
    key: string,
    sort: Sort,
    load: () => Promise<Ids>,
  ): Promise<Ids> {
    const ttl = sort === 'Copies' ? COPIES_TTL : undefined;
    return this.cache.getOrLoad('books', key, load, (ids) => ids?.length ?? 0, ttl);
  }

  /** All matches in order if they are few, else undefined. */
  private async few(
    query: SearchQuery,
    sort: Sort,
    index: CatalogueIndex | undefined,
  ): Promise<Int32Array | undefined> {
    if (index) {
      const { total } = this.match(index, query);
      return total > FEW ? undefined : Int32Array.from(await this.firstByCopies(index, query, total));
    }
    const row = await queryRow(this.database, idsRow, fewMatches(query, sort, FEW + 1));
    const ids = row?.ids ?? [];
    return ids.length > FEW ? undefined : Int32Array.from(ids);
  }

  private async count(query: SearchQuery): Promise<number> {
    const row = await queryRow(this.database, totalRow, countOf(query));
    return row?.total ?? 0;
  }

  /** A search needs the same matches several times: to count them, and to sort them. */
  private match({ words }: CatalogueIndex, query: SearchQuery): IndexMatches {
    const known = this.lastMatches.get(query.text);
    if (known?.version === words.version && known.words === words) return known.matches;
    const matches = words.match(query.spellings);
    this.lastMatches.set(query.text, { words, version: words.version, matches });
    return matches;
  }

  private firstInMemory(index: CatalogueIndex, query: SearchQuery, sort: KeptOrder, depth: number): number[] {
    const { words, orders } = index;
    const matches = this.match(index, query);
    if (sort === 'none') return words.first(matches, query.titleStart, depth);
    return matches.total <= SORTABLE
      ? orders[sort].sort(words.idsOf(matches), depth)
      : orders[sort].firstOf((id) => words.has(matches, id), depth);
  }

  /** Of many, walks the order of all books and takes the matches, which is fast because they are many. */
  private async firstByCopies(index: CatalogueIndex, query: SearchQuery, depth: number): Promise<number[]> {
    const { total } = this.match(index, query);
    const { words } = index;
    if (depth === 0) return [];
    if (total <= SORTABLE) {
      return this.idsOf(inOrder(words.idsOf(this.match(index, query)), 'Copies', depth));
    }
    const expected = Math.max(LEAST_READ, (depth / total) * words.size * MARGIN);
    for (const length of [2 ** Math.ceil(Math.log2(expected)), 'all' as const]) {
      const order = await this.orderByCopies(length);
      const matches = this.match(index, query);
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

function depthOf(end: number, total: number): number {
  return Math.min(DEPTHS.find((candidate) => candidate >= end) ?? total, total);
}
