import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import { MAX_BOOKS_PER_SERIES, type BookListItem } from '#contracts/catalogue/book-views.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { BookCards } from './book-cards.js';

/** `GET Book/:id/series` */
export class BooksOfSeries extends Query<BookListItem[]> {
  constructor(readonly id: number) {
    super();
  }
}

const bookRow = z.object({ id: z.int() });

@QueryHandler(BooksOfSeries)
export class BooksOfSeriesHandler implements IQueryHandler<BooksOfSeries> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cards: BookCards,
  ) {}

  /** The books of the series that a book is of, itself among them, by volume, those that are several volumes in one after the others; none where it is of no series. */
  async execute({ id }: BooksOfSeries): Promise<BookListItem[]> {
    const rows = await queryRows(this.database, bookRow, {
      name: 'books-of-series',
      text: `select b.id from book b
        where lower(b.series) = (select lower(series) from book where id = $1::bigint)
        order by b.volume is null, b.volume ~ '[0-9] ?[-–&+] ?[0-9]', volume_order(b.volume) nulls last, b.volume, b.publication_date, b.id limit ${MAX_BOOKS_PER_SERIES}`,
      values: [id],
    });
    return this.cards.read(rows.map((row) => row.id));
  }
}
