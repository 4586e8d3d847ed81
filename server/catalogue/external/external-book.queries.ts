import * as m from '#words/messages.js';
import { Inject } from '@nestjs/common';
import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { ExternalBook } from '#contracts/catalogue/book-save.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { BookEntity } from '#platform/database/entities/catalogue.entity.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import { QueryWith } from '../../messages.js';
import { readNumber } from '../books/book-number.js';
import { GetBook } from '../book.queries.js';
import { survivingByIsbn } from '../merged-books.js';
import { ServiceFailed, type BookService, type FoundBook } from './book-service.js';
import { externalBook } from './external-book.js';
import { GoogleBooks } from './google-books.js';
import { OpenLibrary } from './open-library.js';

/** What is known of an ISBN, here or outside. */
export class FindExternalBook extends QueryWith<ExternalBook, { isbn: string }> {}

@QueryHandler(FindExternalBook)
export class FindExternalBookHandler implements IQueryHandler<FindExternalBook> {
  private readonly services: readonly BookService[];

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SETTINGS) settings: ResolvedSettings,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {
    this.services = [new OpenLibrary(settings.OPEN_LIBRARY_URL), new GoogleBooks(settings.GOOGLE_BOOKS_URL)];
  }

  /**
   * @throws RequestInvalid for characters that no ISBN has
   * @throws DomainError ExternalBookNotFound, ExternalServiceUnavailable
   */
  async execute({ isbn: typed }: FindExternalBook): Promise<ExternalBook> {
    const { number: isbn } = readNumber(typed);
    const present = await this.inCatalogue(isbn);
    if (present) return present;
    const found = await this.ask(isbn);
    return externalBook(this.database, isbn, found, this.clock.now());
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
    };
  }

  /** The services one after the other, until one knows the book. */
  private async ask(isbn: string): Promise<FoundBook> {
    const away: string[] = [];
    for (const service of this.services) {
      try {
        const found = await service.find(isbn);
        if (found) return found;
      } catch (error) {
        if (!(error instanceof ServiceFailed)) throw error;
        this.logger.warn({ error, service: service.name }, 'a book service gave no usable answer');
        away.push(service.name);
      }
    }
    const names = this.services.map(({ name }) => name);
    const [first = '', second = ''] = names;
    if (away.length === names.length) {
      throw new DomainError('ExternalServiceUnavailable', m.catalogue_services_away({ first, second }));
    }
    const asked = names.filter((name) => !away.includes(name));
    throw new DomainError(
      'ExternalBookNotFound',
      asked.length === names.length
        ? m.catalogue_services_know_nothing({ first, second, isbn })
        : m.catalogue_service_away({ asked: asked.join(), away: away.join(), isbn }),
    );
  }
}
