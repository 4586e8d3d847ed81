import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { CatalogueCache } from '../catalogue-cache.js';
import type { FoundPage, PageWindow, Sort } from './found-page.js';
import { SearchIndex } from './search-index.js';

/** An order of all books, read from an index of its own. */
interface Order {
  table: string;
  id: string;
  key: string;
  orderBy: string;
  /** The books from the landmark ($3 its key, $4 its id) on. */
  from: string;
}

const ORDERS: Record<Sort, Order> = {
  none: {
    table: 'book',
    id: 'id',
    key: 'id',
    orderBy: 'id desc',
    from: 'id <= $3::integer and id <= $4::integer',
  },
  Title: {
    table: 'book',
    id: 'id',
    key: 'title',
    orderBy: 'title collate "pl-x-icu", id',
    from: '(title collate "pl-x-icu", id) >= ($3, $4)',
  },
  ISBN: {
    table: 'book',
    id: 'id',
    key: 'isbn',
    orderBy: 'isbn',
    from: 'isbn >= $3 and $4::integer is not null',
  },
  Copies: {
    table: 'book_shelf',
    id: 'book_id',
    key: 'copies',
    orderBy: 'copies desc, book_id desc',
    from: '(copies, book_id) <= ($3, $4)',
  },
};

/** Books between two landmarks of an order, and so the most that a deep page skips. */
const STRIDE = 1000;
/**
 * How long landmarks are used although the catalogue has changed, in milliseconds: a deep page is then shifted by as
 * many books as were added or removed before it. Finding them takes half a second at a million books.
 */
const LANDMARKS_TTL = 30_000;

/** Copies change with every rent: their order is at most so many milliseconds old. */
const COPIES_TTL = 1000;

const idRow = z.object({ id: z.int() });
const totalRow = z.object({ total: z.int() });
const landmarkRow = z.object({ key: z.union([z.string(), z.int()]), id: z.int() });

interface Landmarks {
  keys: (string | number)[];
  ids: number[];
}

/** Pages of the whole catalogue in each order, from memory where it is there. */
@Injectable()
export class BrowseOrder {
  private readonly known = new Map<Sort, { landmarks: Promise<Landmarks>; until: number; total: number }>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cache: CatalogueCache,
    private readonly index: SearchIndex,
  ) {}

  async page(sort: Sort, page: PageWindow): Promise<FoundPage> {
    const index = await this.index.current();
    if (index && sort !== 'Copies') {
      const order = index.orders[sort];
      return { ids: order.page(page.offset, page.limit), total: order.length };
    }
    const total = index ? index.words.size : await this.cache.getOrLoad('books', 'total', () => this.count());
    if (page.offset >= total) return { ids: [], total };
    const ids = await this.cache.getOrLoad(
      'books',
      `page|${sort}|${page.offset}|${page.limit}`,
      () => (page.offset < STRIDE ? this.near(sort, page) : this.deep(sort, page, total)),
      (value) => value.length,
      sort === 'Copies' ? COPIES_TTL : undefined,
    );
    return { ids, total };
  }

  private async count(): Promise<number> {
    const row = await queryRow(this.database, totalRow, 'select count(*)::integer as total from book');
    return row?.total ?? 0;
  }

  private async near(sort: Sort, { offset, limit }: PageWindow): Promise<number[]> {
    const { table, id, orderBy } = ORDERS[sort];
    const rows = await queryRows(this.database, idRow, {
      name: `browse-${sort}`,
      text: `select ${id} as id from ${table} order by ${orderBy} limit $1 offset $2`,
      values: [limit, offset],
    });
    return rows.map((row) => row.id);
  }

  private async deep(sort: Sort, { offset, limit }: PageWindow, total: number): Promise<number[]> {
    const { table, id, orderBy, from } = ORDERS[sort];
    const landmarks = await this.landmarks(sort, total);
    const at = Math.floor(offset / STRIDE);
    const [key, landmark] = [landmarks.keys[at], landmarks.ids[at]];
    if (key === undefined || landmark === undefined) return [];
    const rows = await queryRows(this.database, idRow, {
      name: `browse-deep-${sort}`,
      text: `select ${id} as id from ${table} where ${from} order by ${orderBy} limit $1 offset $2`,
      values: [limit, offset % STRIDE, key, landmark],
    });
    return rows.map((row) => row.id);
  }

  private landmarks(sort: Sort, total: number): Promise<Landmarks> {
    const known = this.known.get(sort);
    // After many changes they would be far off.
    if (known && Date.now() < known.until && Math.abs(known.total - total) < STRIDE / 10)
      return known.landmarks;
    const landmarks = this.readLandmarks(sort);
    this.known.set(sort, { landmarks, until: Date.now() + LANDMARKS_TTL, total });
    landmarks.catch(() => this.known.delete(sort));
    return landmarks;
  }

  private async readLandmarks(sort: Sort): Promise<Landmarks> {
    const { table, id, key, orderBy } = ORDERS[sort];
    const rows = await queryRows(
      this.database,
      landmarkRow,
      `select key, id from (
         select ${key} as key, ${id} as id, row_number() over (order by ${orderBy}) as place from ${table}
       ) placed where place % ${STRIDE} = 1 order by place`,
    );
    return { keys: rows.map((row) => row.key), ids: rows.map((row) => row.id) };
  }
}
