import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { findExternalBook, type ExternalBook } from '#contracts/catalogue/book-save.js';
import { Serves, type Asked } from '../../http/serves.js';
import { FindExternalBook } from './external-book.queries.js';

@Controller()
export class ExternalBookController {
  constructor(private readonly queries: QueryBus) {}

  @Serves(findExternalBook)
  find({ query }: Asked<typeof findExternalBook>): Promise<ExternalBook> {
    return this.queries.execute(new FindExternalBook({ isbn: query.isbn }));
  }
}
