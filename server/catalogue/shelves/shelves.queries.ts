import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { SHELF_SIZE, type Shelves } from '#contracts/catalogue/shelves.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { BookCards } from '../book-cards.js';
import { CatalogueCache } from '../catalogue-cache.js';

/** Milliseconds: the hourly job tells no process that it has filled the shelves. */
const MAX_AGE = 60_000;

const newestRow = z.object({ books: z.array(z.int()) });
const shelfRow = z.object({
  genreId: z.int().nullable(),
  name: z.string().nullable(),
  books: z.array(z.int()),
});

interface Standing {
  newest: number[];
  shelves: z.output<typeof shelfRow>[];
}

@Injectable()
export class ShelvesQueries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cards: BookCards,
    private readonly cache: CatalogueCache,
  ) {}

  /** `GET Book/shelves` */
  async find(): Promise<Shelves> {
    const { newest, shelves } = await this.cache.getOrLoad(
      'books',
      'shelves',
      () => this.standing(),
      (standing) => standing.shelves.reduce((sum, { books }) => sum + books.length, standing.newest.length),
      MAX_AGE,
    );
    const all = await this.cards.read([...new Set([...newest, ...shelves.flatMap(({ books }) => books)])]);
    const byId = new Map(all.map((book) => [book.id, book]));
    const there = (ids: readonly number[]): BookListItem[] => ids.flatMap((id) => byId.get(id) ?? []);
    return {
      newest: there(newest),
      muchRead: shelves.flatMap(({ genreId, books }) => (genreId === null ? there(books) : [])),
      genres: shelves.flatMap(({ genreId, name, books }) =>
        genreId === null || name === null ? [] : [{ id: genreId, name, books: there(books) }],
      ),
    };
  }

  private async standing(): Promise<Standing> {
    const newest = await queryRow(
      this.database,
      newestRow,
      `select array(select id from book order by id desc limit ${SHELF_SIZE}) as books`,
    );
    const shelves = await queryRows(
      this.database,
      shelfRow,
      `select s.genre_id as "genreId", g.name, s.books
        from home_shelf s left join genre g on g.id = s.genre_id order by s.place`,
    );
    return { newest: newest?.books ?? [], shelves };
  }
}
