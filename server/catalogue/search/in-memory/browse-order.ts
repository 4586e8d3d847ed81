import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { CatalogueCache } from '../../catalogue-cache.js';
import type { FoundPage, PageWindow, Sort } from '../found-page.js';
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
 * How long landmarks are used before they are read anew, in milliseconds: a deep page is then shifted by as many books as came
 * before it or left since. Reading them takes half a second at a million books, and longer than a page may take at six million:
 * meanwhile pages go by those that are there.
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
  /** When they were read, and how many books there were. */
  readAt: number;
  total: number;
}

/** Pages of the whole catalogue in each order, from memory where it is there. */
@Injectable()
export class BrowseOrder {
  private readonly known = new Map<Sort, Landmarks>();
  private readonly reading = new Map<Sort, Promise<Landmarks>>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
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
    const at = Math.floor(offset / STRIDE);
    const landmarks = await this.landmarks(sort, total, at);
    const [key, landmark] = [landmarks.keys[at], landmarks.ids[at]];
    if (key === undefined || landmark === undefined) return [];
    const rows = await queryRows(this.database, idRow, {
      name: `browse-deep-${sort}`,
      text: `select ${id} as id from ${table} where ${from} order by ${orderBy} limit $1 offset $2`,
      values: [limit, offset % STRIDE, key, landmark],
    });
    return rows.map((row) => row.id);
  }

  /** @param at of the one that is wanted */
  private async landmarks(sort: Sort, total: number, at: number): Promise<Landmarks> {
    const known = this.known.get(sort);
    // After many changes they would be far off.
    const isNear = known && at < known.keys.length && Math.abs(known.total - total) < STRIDE / 10;
    if (isNear && Date.now() - known.readAt < LANDMARKS_TTL) return known;
    const reading = this.reading.get(sort) ?? this.readAnew(sort, total);
    if (!isNear) return reading;
    reading.catch((error: unknown) => {
      this.logger.warn({ error, sort }, 'deep pages of the catalogue go by an order that is old');
    });
    return known;
  }

  private readAnew(sort: Sort, total: number): Promise<Landmarks> {
    const reading = this.readLandmarks(sort, total)
      .then((landmarks) => {
        this.known.set(sort, landmarks);
        return landmarks;
      })
      .finally(() => this.reading.delete(sort));
    this.reading.set(sort, reading);
    return reading;
  }

  private async readLandmarks(sort: Sort, total: number): Promise<Landmarks> {
    const { table, id, key, orderBy } = ORDERS[sort];
    const rows = await queryRows(
      this.database,
      landmarkRow,
      `select key, id from (
         select ${key} as key, ${id} as id, row_number() over (order by ${orderBy}) as place from ${table}
       ) placed where place % ${STRIDE} = 1 order by place`,
    );
    const [keys, ids] = [rows.map((row) => row.key), rows.map((row) => row.id)];
    return { keys, ids, readAt: Date.now(), total };
  }
}
