import { Controller, Headers, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import { readFacets, type Facets } from '#contracts/catalogue/book-facets.js';
import * as calls from '#contracts/catalogue/book-views.js';
import type {
  Book,
  BookListItem,
  BookPage,
  CoveredBooks,
  Suggestions,
} from '#contracts/catalogue/book-views.js';
import { readRelated, readShelves, type RelatedBooks, type Shelves } from '#contracts/catalogue/shelves.js';
import { Serves, type Asked } from '../http/serves.js';
import { BookFacetsQueries } from './book-facets.queries.js';
import { BooksInPart } from './books-in-part.queries.js';
import { GetCover } from './covers/cover.queries.js';
import { RelatedBooksQueries } from './shelves/related-books.queries.js';
import { ShelvesQueries } from './shelves/shelves.queries.js';
import { SuggestBooks } from './search/suggestions.queries.js';
import { BookQueries, GetBook, ListBooks } from './book.queries.js';

/** The public catalogue (specification, section 7, "Books"). */
@Controller()
export class BookController {
  constructor(
    private readonly queries: QueryBus,
    private readonly bookQueries: BookQueries,
    private readonly bookFacetsQueries: BookFacetsQueries,
    private readonly shelvesQueries: ShelvesQueries,
    private readonly relatedBooksQueries: RelatedBooksQueries,
  ) {}

  @Serves(calls.listBooks)
  list({ query }: Asked<typeof calls.listBooks>): Promise<BookPage> {
    const isPart = query.Added !== undefined || query.Kind !== undefined;
    return this.queries.execute(isPart ? new BooksInPart({ query }) : new ListBooks({ query }));
  }

  // Before the route of one book, which would take this path for an id.
  @Serves(calls.readCovers)
  covers({ query }: Asked<typeof calls.readCovers>): Promise<CoveredBooks> {
    return this.bookQueries.coversOf(query.ids);
  }

  @Serves(readFacets)
  facets({ query }: Asked<typeof readFacets>): Promise<Facets> {
    return this.bookFacetsQueries.find(query);
  }

  @Serves(calls.suggestBooks)
  suggest({ query }: Asked<typeof calls.suggestBooks>): Promise<Suggestions> {
    return this.queries.execute(new SuggestBooks(query.SearchTerm));
  }

  @Serves(readShelves)
  shelves(): Promise<Shelves> {
    return this.shelvesQueries.find();
  }

  @Serves(calls.readBook)
  get({ params }: Asked<typeof calls.readBook>): Promise<Book> {
    return this.queries.execute(new GetBook({ id: params.id }));
  }

  @Serves(calls.readSeries)
  series({ params }: Asked<typeof calls.readSeries>): Promise<BookListItem[]> {
    return this.bookQueries.booksOfSeries(params.id);
  }

  @Serves(readRelated)
  related({ params }: Asked<typeof readRelated>): Promise<RelatedBooks> {
    return this.relatedBooksQueries.find(params.id);
  }

  /** A book's `photo.url` contains the picture's hash, so that browsers may cache it for ever. */
  @Serves(calls.fetchCover)
  async cover(
    { params }: Asked<typeof calls.fetchCover>,
    @Query('v') version: unknown,
    @Headers('if-none-match') known: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const had = [...(known ?? '').matchAll(/"([\da-f]{1,64})"/g)].map(([, hash]) => hash ?? '');
    const { hash, bytes } = await this.queries.execute(new GetCover({ bookId: params.id, had }));
    response.setHeader('etag', `"${hash}"`);
    response.setHeader(
      'cache-control',
      version === hash ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    );
    if (bytes === null) return void response.status(304).end();
    response.setHeader('content-type', 'image/webp');
    response.setHeader('x-content-type-options', 'nosniff');
    response.send(bytes);
  }
}
