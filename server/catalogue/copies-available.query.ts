import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';

/** How many copies of the books are on the shelf now. */
export class CopiesAvailable extends Query<{ bookId: number; copiesAvailable: number }[]> {
  constructor(readonly bookIds: number[]) {
    super();
  }
}

@QueryHandler(CopiesAvailable)
export class CopiesAvailableHandler implements IQueryHandler<CopiesAvailable> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ bookIds }: CopiesAvailable): Promise<{ bookId: number; copiesAvailable: number }[]> {
    const { rows } = await this.database.query<{ bookId: number; copiesAvailable: number }>({
      name: 'copies-available',
      text: 'select id as "bookId", copies_available as "copiesAvailable" from book where id = any($1::integer[])',
      values: [bookIds],
    });
    return rows;
  }
}
