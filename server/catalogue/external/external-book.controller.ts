import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import * as calls from '#contracts/catalogue/book-sources.js';
import type { BookSources, ExternalBook, TriedSource } from '#contracts/catalogue/book-sources.js';
import { Serves, type Asked } from '../../http/serves.js';
import { readNumber } from '../books/book-number.js';
import { SourceList } from './book-sources.js';
import { FindExternalBook } from './external-book.queries.js';
import { Harvests } from './harvests.js';

/** Books from outside, and the sources that are asked for them. */
@Controller()
export class ExternalBookController {
  constructor(
    private readonly queries: QueryBus,
    private readonly sources: SourceList,
    private readonly harvests: Harvests,
  ) {}

  @Serves(calls.findExternalBook)
  find({ query }: Asked<typeof calls.findExternalBook>): Promise<ExternalBook> {
    return this.queries.execute(new FindExternalBook({ isbn: query.isbn }));
  }

  @Serves(calls.readBookSources)
  read(): Promise<BookSources> {
    return this.sources.view();
  }

  @Serves(calls.changeBookSources)
  change({ caller, body }: Asked<typeof calls.changeBookSources>): Promise<BookSources> {
    return this.sources.change(body.sources, caller.accountId, body.version);
  }

  @Serves(calls.tryBookSources)
  try({ query }: Asked<typeof calls.tryBookSources>): Promise<TriedSource[]> {
    return this.sources.try(readNumber(query.isbn).number);
  }

  @Serves(calls.harvestSource)
  async harvest({ params: { id } }: Asked<typeof calls.harvestSource>): Promise<BookSources> {
    await this.harvests.ask(id);
    return this.sources.view();
  }
}
