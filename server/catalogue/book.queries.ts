import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import type { Book, BookListItem, BookListQuery } from '#contracts/catalogue/book-views.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { BookAuthorEntity, BookEntity, BookGenreEntity } from '#platform/database/entities/book.entity.js';
import { queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { fullname } from './authorities/authority-kinds.js';
import { BookCards } from './book-cards.js';
import { BookMatches } from './search/book-matches.js';
import { BrowseOrder } from './search/browse-order.js';
import type { FoundPage, PageWindow, Sort } from './search/found-page.js';
import { QueryReader } from './search/query-reader.js';
import { Spelling } from './search/spelling.js';

/** `GET Book` */
export class ListBooks extends Query<Paged<BookListItem>> {
  constructor(readonly query: BookListQuery) {
    super();
  }
}

@QueryHandler(ListBooks)
export class ListBooksHandler implements IQueryHandler<ListBooks> {
  constructor(
    private readonly cards: BookCards,
    private readonly reader: QueryReader,
    private readonly browse: BrowseOrder,
    private readonly matches: BookMatches,
    private readonly spelling: Spelling,
  ) {}

  async execute({ query }: ListBooks): Promise<Paged<BookListItem>> {
    const sort = query.SortBy === 'CopiesAvailable' ? 'Copies' : query.SortBy;
    const page = { offset: (query.pageNumber - 1) * query.pageSize, limit: query.pageSize };
    const { ids, total } = await this.find(query.SearchTerm, sort, page);
    return { items: await this.cards.read(ids), totalCount: total };
  }

  private async find(term: string, sort: Sort, page: PageWindow): Promise<FoundPage> {
    if (term.trim() === '') return this.browse.page(sort, page);
    const query = await this.reader.read(term);
    if (!query) return { ids: [], total: 0 };
    const found = await this.matches.page(query, sort, page);
    if (found.total > 0) return found;
    for (const corrected of await this.spelling.corrections(query)) {
      const forgiven = await this.matches.page(corrected, sort, page);
      if (forgiven.total > 0) return forgiven;
    }
    return found;
  }
}

/** `GET Book/:id` */
export class GetBook extends Query<Book> {
  constructor(readonly id: number) {
    super();
  }
}

@QueryHandler(GetBook)
export class GetBookHandler implements IQueryHandler<GetBook> {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws DomainError BookNotFound */
  async execute({ id }: GetBook): Promise<Book> {
    const book = await this.dataSource
      .createQueryBuilder(BookEntity, 'book')
      .innerJoinAndSelect('book.publisher', 'publisher')
      .where('book.id = :id::bigint', { id })
      .getOne();
    if (!book?.publisher) throw new DomainError('BookNotFound', 'This book is not in the catalogue.');
    // After the book: of a change in between they are newer than its version, which an edit is then refused for.
    const [authors, genres] = await Promise.all([this.authorsOf(book), this.genresOf(book)]);
    const { isbn, title, description, publicationDate, copiesAvailable, copiesTotal, version } = book;
    const { publisher, photoUrl } = book;
    return {
      id,
      isbn,
      title,
      description,
      publicationDate,
      copiesAvailable,
      copiesTotal,
      version,
      photo: photoUrl === null ? null : { url: photoUrl },
      publisher: {
        id: publisher.id,
        name: publisher.name,
        adress: publisher.adress,
        phone: publisher.phone,
        website: publisher.website,
      },
      authors,
      genres,
    };
  }

  private async authorsOf({ id: bookId }: BookEntity): Promise<Book['authors']> {
    const places = await this.dataSource.getRepository(BookAuthorEntity).find({
      where: { bookId },
      relations: { author: true },
      order: { place: 'ASC', authorId: 'ASC' },
    });
    return places.flatMap(({ author }) => {
      if (!author) return [];
      const { id, firstname, lastname, nationality, biography } = author;
      return [{ id, firstname, lastname, fullname: fullname(author), nationality, biography }];
    });
  }

  private async genresOf({ id: bookId }: BookEntity): Promise<Book['genres']> {
    const places = await this.dataSource.getRepository(BookGenreEntity).find({
      where: { bookId },
      relations: { genre: true },
      order: { place: 'ASC', genreId: 'ASC' },
    });
    return places.flatMap(({ genre }) =>
      genre ? [{ id: genre.id, name: genre.name, description: genre.description }] : [],
    );
  }
}

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
