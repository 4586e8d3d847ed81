import * as m from '#words/messages.js';
import { Inject } from '@nestjs/common';
import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { SOURCE_OUTCOMES, type AskedSources, type ExternalBook } from '#contracts/catalogue/book-sources.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { BookEntity } from '#platform/database/entities/catalogue.entity.js';
import { DATABASE } from '#platform/tokens.js';
import { QueryWith } from '../../messages.js';
import { readNumber } from '../books/book-number.js';
import { GetBook } from '../book.queries.js';
import { survivingByIsbn } from '../merged-books.js';
import { SourceList } from './book-sources.js';
import { externalBook } from './external-book.js';

/** What is known of an ISBN, here or outside. */
export class FindExternalBook extends QueryWith<ExternalBook, { isbn: string }> {}

@QueryHandler(FindExternalBook)
export class FindExternalBookHandler implements IQueryHandler<FindExternalBook> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly dataSource: DataSource,
    private readonly sources: SourceList,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws RequestInvalid for characters that no ISBN has
   * @throws DomainError ExternalBookNotFound, ExternalServiceUnavailable
   */
  async execute({ isbn: typed }: FindExternalBook): Promise<ExternalBook> {
    const { number: isbn } = readNumber(typed);
    const present = await this.inCatalogue(isbn);
    if (present) return present;
    const { found, asked } = await this.sources.find(isbn);
    if (!found) throw notFound(asked);
    return { ...(await externalBook(this.database, isbn, found, this.clock.now())), asked };
  }

  private async inCatalogue(isbn: string): Promise<ExternalBook | undefined> {
    const present = await this.dataSource.getRepository(BookEntity).findOneBy({ isbn });
    const id = present?.id ?? (await survivingByIsbn(this.database, [isbn])).get(isbn);
    if (id === undefined) return undefined;
    const book = await this.queries.execute(new GetBook({ id }));
    return {
      exists: true,
      id: book.id,
      isbn: book.isbn,
      title: book.title,
      description: book.description,
      authors: book.authors.map(({ id, firstname, lastname }) => ({ id, firstname, lastname })),
      genres: book.genres.map(({ id, name }) => ({ id, name })),
      publisher: book.publisher && { id: book.publisher.id, name: book.publisher.name },
      published: book.published,
      language: book.language,
      asked: [],
    };
  }
}

/** Says of every source what came of asking it. */
function notFound(asked: AskedSources): DomainError {
  if (asked.length === 0) return new DomainError('ExternalBookNotFound', m.source_none());
  const code = asked.some(({ outcome }) => outcome === 'unknown')
    ? 'ExternalBookNotFound'
    : 'ExternalServiceUnavailable';
  const isOffline = asked.every(({ outcome }) => outcome === 'unreachable');
  const sentences = asked.map(({ name, outcome }) => SOURCE_OUTCOMES[outcome]({ name }));
  return new DomainError(
    code,
    [...(isOffline ? [m.source_offline()] : sentences), m.source_by_hand()].join(' '),
  );
}
