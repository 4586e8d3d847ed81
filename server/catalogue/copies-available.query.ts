import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';

const copiesOfBook = z.object({ bookId: z.int(), copiesAvailable: z.int() });
type CopiesOfBook = z.output<typeof copiesOfBook>;

/** How many copies of the books are on the shelf now. */
export class CopiesAvailable extends Query<CopiesOfBook[]> {
  constructor(readonly bookIds: number[]) {
    super();
  }
}

@QueryHandler(CopiesAvailable)
export class CopiesAvailableHandler implements IQueryHandler<CopiesAvailable> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  execute({ bookIds }: CopiesAvailable): Promise<CopiesOfBook[]> {
    return queryRows(this.database, copiesOfBook, {
      name: 'copies-available',
      text: 'select id as "bookId", copies_available as "copiesAvailable" from book where id = any($1::integer[])',
      values: [bookIds],
    });
  }
}
