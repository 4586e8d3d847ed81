import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { externalBookSchema, isbnQuerySchema, type ExternalBook } from '#contracts/catalogue/book-save.js';
import { Allow } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { valid } from '../../http/validation.js';
import { FindExternalBook } from './external-book.queries.js';

/** "Fetch Details" of the book form (specification, sections 2 and 7). */
@Controller('BookExternalFetch')
export class ExternalBookController {
  constructor(private readonly queries: QueryBus) {}

  @Get('fetch-from-external')
  @Allow('Admin')
  @Answers(externalBookSchema)
  find(@Query(valid(isbnQuerySchema)) { isbn }: { isbn: string }): Promise<ExternalBook> {
    return this.queries.execute(new FindExternalBook(isbn));
  }
}
