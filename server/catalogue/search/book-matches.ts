import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { CatalogueMemory } from '../catalogue-memory.js';
import type { FoundPage, PageWindow, Sort } from './found-page.js';
import { matchesOf, ordersOf } from './match-statements.js';
import type { SearchQuery } from './search-term.js';

/** So many matches are put in order at once; of more, only as many as were asked for. */
export const FEW = 2000;
/** How far a long list is put in order: the first that reaches the end of the page. */
const DEPTHS = [60, 600, 6000, 60_000, 600_000, Number.MAX_SAFE_INTEGER];

/** The books that a query finds, in an order. */
@Injectable()
export class BookMatches {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly memory: CatalogueMemory,
  ) {}

  async page(query: SearchQuery, sort: Sort, page: PageWindow): Promise<FoundPage> {
    const few = await this.few(query, sort === 'Copies' ? 'none' : sort);
    if (few) {
      const ids = sort === 'Copies' ? await this.byCopies(few, page) : part(few, page);
      return { ids, total: few.length };
    }
    const total = await this.memory.remember(`count|${query.text}`, () => this.count(query));
    if (page.offset >= total) return { ids: [], total };
    return { ids: await this.ofMany(query, sort, page, total), total };
  }

  /** All matches in order where they are few, else undefined. */
  private few(query: SearchQuery, sort: Exclude<Sort, 'Copies'>): Promise<Int32Array | undefined> {
    return this.memory.remember(
      `few|${sort}|${query.text}`,
      async () => {
        const { rows } = await this.database.query<{ ids: number[] | null }>(matchesOf(query, sort, FEW + 1));
        const ids = rows[0]?.ids ?? [];
        return ids.length > FEW ? undefined : Int32Array.from(ids);
      },
      (ids) => ids?.length ?? 0,
    );
  }

  private async count(query: SearchQuery): Promise<number> {
    const { rows } = await this.database.query<{ total: number }>(
      'select count(*)::integer as total from book_search where words @@ $1::tsquery',
      [query.text],
    );
    return rows[0]?.total ?? 0;
  }

  private async byCopies(ids: Int32Array, { offset, limit }: PageWindow): Promise<number[]> {
    const { rows } = await this.database.query<{ id: number }>(
      `select book_id as id from book_shelf where book_id = any($1::integer[])
       order by copies desc, book_id limit $2 offset $3`,
      [`{${ids.join(',')}}`, limit, offset],
    );
    return rows.map((row) => row.id);
  }

  private async ofMany(query: SearchQuery, sort: Sort, page: PageWindow, total: number): Promise<number[]> {
    const end = Math.min(page.offset + page.limit, total);
    const depth = DEPTHS.find((candidate) => candidate >= end) ?? total;
    const ids = await this.memory.remember(
      `many|${sort}|${depth}|${query.text}`,
      () => this.first(query, sort, Math.min(depth, total)),
      (value) => value.length,
      sort === 'Copies' ? COPIES_ORDER_TTL : undefined,
    );
    return part(ids, page);
  }

  private async first(query: SearchQuery, sort: Sort, depth: number): Promise<Int32Array> {
    const found: number[] = [];
    for (const statement of ordersOf(query, sort)) {
      const { rows } = await this.database.query<{ id: number }>(statement(depth - found.length));
      for (const { id } of rows) found.push(id);
      if (found.length >= depth) break;
    }
    return Int32Array.from(found);
  }
}

/** Copies change with every rent: a long list by copies is at most so many milliseconds old. */
const COPIES_ORDER_TTL = 5000;

function part(ids: Int32Array, { offset, limit }: PageWindow): number[] {
  return [...ids.subarray(offset, offset + limit)];
}
