import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { QueryConfig } from 'pg';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { CatalogueCache } from '../catalogue-cache.js';
import type { FoundPage, PageWindow, Sort } from './found-page.js';
import {
  allInOrder,
  countOf,
  fewMatches,
  inOrder,
  matchesInOrder,
  titlesBeginning,
} from './match-statements.js';
import { SearchIndex } from './search-index.js';
import type { SearchQuery } from './search-term.js';
import type { IndexMatches, WordIndex } from './word-index.js';

/** Up to this many matches are sorted at once; of more, only as many as the page needs. */
const FEW = 2000;
/** How far a long list is sorted: the first depth that reaches the end of the page. */
const DEPTHS = [60, 600, 6000, 60_000, 600_000, Number.MAX_SAFE_INTEGER];
/** Up to this many are sorted by the database; more are found quickly by walking along an order of all books. */
const SORTABLE = 10_000;
/** How many books of an order are searched first, before all of them are. */
const BEGINNING = 50_000;
/** Copies change with every rent, so a long list by copies is cached only briefly, in milliseconds. */
const COPIES_TTL = 5000;

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
    { index: WordIndex; version: number; matches: IndexMatches }
  >({ max: 16 });

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cache: CatalogueCache,
    private readonly index: SearchIndex,
  ) {}

  async page(query: SearchQuery, sort: Sort, { offset, limit }: PageWindow): Promise<FoundPage> {
    const few = await this.cached(`few|${sort}|${query.text}`, sort, () => this.few(query, sort));
    if (few) return { ids: [...few.subarray(offset, offset + limit)], total: few.length };

    const total = await this.cache.getOrLoad(`count|${query.text}`, () => this.count(query));
    const end = Math.min(offset + limit, total);
    if (offset >= end) return { ids: [], total };
    const depth = Math.min(DEPTHS.find((candidate) => candidate >= end) ?? total, total);
    const key = `first|${sort}|${depth}|${query.text}`;
    const ids = await this.cached(key, sort, () => this.first(query, sort, depth));
    return { ids: [...ids.subarray(offset, end)], total };
  }

  private cached<Ids extends Int32Array | undefined>(
    key: string,
    sort: Sort,
    load: () => Promise<Ids>,
  ): Promise<Ids> {
    const ttl = sort === 'Copies' ? COPIES_TTL : undefined;
    return this.cache.getOrLoad(key, load, (ids) => ids?.length ?? 0, ttl);
  }

  /** All matches in order if they are few, else undefined. */
  private async few(query: SearchQuery, sort: Sort): Promise<Int32Array | undefined> {
    const index = await this.indexFor(query);
    if (index) {
      const { total } = this.match(index, query);
      return total > FEW ? undefined : Int32Array.from(await this.firstInMemory(index, query, sort, total));
    }
    const row = await queryRow(this.database, idsRow, fewMatches(query, sort, FEW + 1));
    const ids = row?.ids ?? [];
    return ids.length > FEW ? undefined : Int32Array.from(ids);
  }

  private async count(query: SearchQuery): Promise<number> {
    const index = await this.indexFor(query);
    if (index) return this.match(index, query).total;
    const row = await queryRow(this.database, totalRow, countOf(query));
    return row?.total ?? 0;
  }

  private async first(query: SearchQuery, sort: Sort, depth: number): Promise<Int32Array> {
    const index = await this.indexFor(query);
    const ids = index
      ? await this.firstInMemory(index, query, sort, depth)
      : await this.firstInDatabase(query, sort, depth);
    return Int32Array.from(ids);
  }

  private async indexFor(query: SearchQuery): Promise<WordIndex | undefined> {
    return query.mayBeIsbn ? undefined : this.index.current();
  }

  /** A search needs the same matches several times: to count them, and to sort them. */
  private match(index: WordIndex, query: SearchQuery): IndexMatches {
    const known = this.lastMatches.get(query.text);
    if (known?.version === index.version && known.index === index) return known.matches;
    const matches = index.match(query.spellings);
    this.lastMatches.set(query.text, { index, version: index.version, matches });
    return matches;
  }

  private async firstInDatabase(query: SearchQuery, sort: Sort, depth: number): Promise<number[]> {
    const found: number[] = [];
    for (const statement of matchesInOrder(query, sort)) {
      found.push(...(await this.idsOf(statement(depth - found.length))));
      if (found.length >= depth) break;
    }
    return found;
  }

  private async firstInMemory(
    index: WordIndex,
    query: SearchQuery,
    sort: Sort,
    depth: number,
  ): Promise<number[]> {
    if (depth === 0) return [];
    if (sort === 'none') {
      const known = index.beginning(this.match(index, query), query.titleStart);
      const beginning = known ?? (await this.idsOf(titlesBeginning(query, depth)));
      const matches = this.match(index, query);
      const best = beginning.filter((id) => index.has(matches, id)).slice(0, depth);
      return best.length < depth ? best.concat(index.first(matches, best, depth - best.length)) : best;
    }
    const matches = this.match(index, query);
    if (matches.total <= SORTABLE) return this.idsOf(inOrder(index.idsOf(matches), sort, depth));
    const first = await this.inOrderOf(sort, BEGINNING, index, matches, depth);
    return first.length >= depth ? first : this.inOrderOf(sort, 'all', index, matches, depth);
  }

  /** Walks an order of all books and takes the matches, which is fast because they are many. */
  private async inOrderOf(
    sort: Exclude<Sort, 'none'>,
    length: number | 'all',
    index: WordIndex,
    matches: IndexMatches,
    depth: number,
  ): Promise<number[]> {
    const order = await this.cache.getOrLoad(
      `order|${sort}|${length}`,
      async () => {
        const row = await queryRow(this.database, joinedIdsRow, allInOrder(sort, length));
        return Int32Array.from(row?.ids.split(',') ?? [], Number);
      },
      (value) => value.length,
      sort === 'Copies' ? COPIES_TTL : undefined,
    );
    const found: number[] = [];
    for (let at = 0; at < order.length && found.length < depth; at += 1) {
      const id = order[at] as number;
      if (index.has(matches, id)) found.push(id);
    }
    return found;
  }

  private async idsOf(statement: QueryConfig): Promise<number[]> {
    const rows = await queryRows(this.database, idRow, statement);
    return rows.map(({ id }) => id);
  }
}
