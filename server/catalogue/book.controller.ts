import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  facetsQuerySchema,
  facetsSchema,
  type Facets,
  type FacetsQuery,
} from '#contracts/catalogue/book-facets.js';
import {
  bookListQuerySchema,
  bookPageSchema,
  bookParamsSchema,
  bookSchema,
  coveredBooksSchema,
  coversQuerySchema,
  suggestionsSchema,
  suggestQuerySchema,
  seriesSchema,
  type Book,
  type BookListItem,
  type BookListQuery,
  type BookPage,
  type CoveredBooks,
  type Suggestions,
} from '#contracts/catalogue/book-views.js';
import {
  relatedBooksSchema,
  shelvesSchema,
  type RelatedBooks,
  type Shelves,
} from '#contracts/catalogue/shelves.js';
import { Allow } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { valid } from '../http/validation.js';
import { BookFacets } from './book-facets.queries.js';
import { BooksInPart } from './books-in-part.queries.js';
import { BooksOfSeries } from './series.queries.js';
import { RelatedTo } from './shelves/related-books.queries.js';
import { GetShelves } from './shelves/shelves.queries.js';
import { SuggestBooks } from './search/suggestions.queries.js';
import { CoversOf, GetBook, ListBooks } from './book.queries.js';

/** The public catalogue (specification, section 7, "Books"). */
@Controller('Book')
export class BookController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Allow('Everybody')
  @Answers(bookPageSchema)
  list(@Query(valid(bookListQuerySchema)) query: BookListQuery): Promise<BookPage> {
    const isPart = query.Added !== undefined || query.Kind !== undefined;
    return this.queries.execute(isPart ? new BooksInPart(query) : new ListBooks(query));
  }

  // Before the route of one book, which would take this path for an id.
  @Get('covers')
  @Allow('Everybody')
  @Answers(coveredBooksSchema)
  covers(@Query(valid(coversQuerySchema)) { ids }: { ids: number[] }): Promise<CoveredBooks> {
    return this.queries.execute(new CoversOf(ids));
  }

  @Get('facets')
  @Allow('Everybody')
  @Answers(facetsSchema)
  facets(@Query(valid(facetsQuerySchema)) query: FacetsQuery): Promise<Facets> {
    return this.queries.execute(new BookFacets(query));
  }

  @Get('suggest')
  @Allow('Everybody')
  @Answers(suggestionsSchema)
  suggest(@Query(valid(suggestQuerySchema)) { SearchTerm }: { SearchTerm: string }): Promise<Suggestions> {
    return this.queries.execute(new SuggestBooks(SearchTerm));
  }

  @Get('shelves')
  @Allow('Everybody')
  @Answers(shelvesSchema)
  shelves(): Promise<Shelves> {
    return this.queries.execute(new GetShelves());
  }

  @Get(':id')
  @Allow('Everybody')
  @Answers(bookSchema)
  get(@Param(valid(bookParamsSchema)) params: { id: number }): Promise<Book> {
    return this.queries.execute(new GetBook(params.id));
  }

  @Get(':id/series')
  @Allow('Everybody')
  @Answers(seriesSchema)
  series(@Param(valid(bookParamsSchema)) params: { id: number }): Promise<BookListItem[]> {
    return this.queries.execute(new BooksOfSeries(params.id));
  }

  @Get(':id/related')
  @Allow('Everybody')
  @Answers(relatedBooksSchema)
  related(@Param(valid(bookParamsSchema)) params: { id: number }): Promise<RelatedBooks> {
    return this.queries.execute(new RelatedTo(params.id));
  }
}
