import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { CatalogueMemory } from '../catalogue-memory.js';
import type { FoundPage, PageWindow, Sort } from './found-page.js';

/** An order of all books, walked along an index that holds nothing else. */
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

/** Books between two landmarks of an order: as many as a deep page passes over at most. */
const STRIDE = 1000;
/** Copies change with every rent; their landmarks need not. */
const COPIES_LANDMARKS_TTL = 10_000;

interface Landmarks {
  keys: (string | number)[];
  ids: number[];
}

/** Pages of the whole catalogue in each order. */
@Injectable()
export class BrowseOrder {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly memory: CatalogueMemory,
  ) {}

  async page(sort: Sort, page: PageWindow): Promise<FoundPage> {
    const total = await this.memory.remember('books', () => this.count());
    if (page.offset >= total) return { ids: [], total };
    const ids = page.offset < STRIDE ? await this.near(sort, page) : await this.deep(sort, page);
    return { ids, total };
  }

  private async count(): Promise<number> {
    const { rows } = await this.database.query<{ total: number }>(
      'select count(*)::integer as total from book',
    );
    return rows[0]?.total ?? 0;
  }

  private async near(sort: Sort, { offset, limit }: PageWindow): Promise<number[]> {
    const { table, id, orderBy } = ORDERS[sort];
    const { rows } = await this.database.query<{ id: number }>({
      name: `browse-${sort}`,
      text: `select ${id} as id from ${table} order by ${orderBy} limit $1 offset $2`,
      values: [limit, offset],
    });
    return rows.map((row) => row.id);
  }

  private async deep(sort: Sort, { offset, limit }: PageWindow): Promise<number[]> {
    const { table, id, orderBy, from } = ORDERS[sort];
    const landmarks = await this.memory.remember(
      `landmarks|${sort}`,
      () => this.landmarks(sort),
      (value) => value.ids.length * 20,
      sort === 'Copies' ? COPIES_LANDMARKS_TTL : undefined,
    );
    const at = Math.floor(offset / STRIDE);
    const [key, landmark] = [landmarks.keys[at], landmarks.ids[at]];
    if (key === undefined || landmark === undefined) return [];
    const { rows } = await this.database.query<{ id: number }>({
      name: `browse-deep-${sort}`,
      text: `select ${id} as id from ${table} where ${from} order by ${orderBy} limit $1 offset $2`,
      values: [limit, offset % STRIDE, key, landmark],
    });
    return rows.map((row) => row.id);
  }

  private async landmarks(sort: Sort): Promise<Landmarks> {
    const { table, id, key, orderBy } = ORDERS[sort];
    const { rows } = await this.database.query<{ key: string | number; id: number }>(
      `select key, id from (
         select ${key} as key, ${id} as id, row_number() over (order by ${orderBy}) as place from ${table}
       ) placed where place % ${STRIDE} = 1 order by place`,
    );
    return { keys: rows.map((row) => row.key), ids: rows.map((row) => row.id) };
  }
}
