import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BookFacetsQueries } from './book-facets.queries.js';
import { BooksInPartHandler } from './books-in-part.queries.js';
import { BookCards } from './book-cards.js';
import { BookController } from './book.controller.js';
import { BookQueries, CopiesAvailableHandler, GetBookHandler, ListBooksHandler } from './book.queries.js';
import { CatalogueCache } from './catalogue-cache.js';
import { BookMatches } from './search/book-matches.js';
import { CountFacets } from './search/facet-counts.js';
import { SearchReportController } from './search-report/search-report.controller.js';
import { SearchesWithoutResult } from './search-report/searches-without-result.js';
import { CatalogueSearch } from './search/catalogue-search.js';
import { SearchAnswers } from './search/search-answers.js';
import { SuggestBooksHandler } from './search/suggestions.queries.js';
import { BrowseOrder } from './search/in-memory/browse-order.js';
import { QueryReader } from './search/query-reader.js';
import { RelatedBooksQueries } from './shelves/related-books.queries.js';
import { ShelvesQueries } from './shelves/shelves.queries.js';
import { SearchIndex } from './search/in-memory/search-index.js';
import { Spelling } from './search/in-memory/spelling.js';

/** The catalogue: searching, sorting, reading. Needs DATABASE, LOGGER and Notifications from a global module. */
@Module({
  imports: [CqrsModule],
  controllers: [BookController, SearchReportController],
  providers: [
    CatalogueCache,
    BookCards,
    QueryReader,
    BrowseOrder,
    BookMatches,
    SearchIndex,
    Spelling,
    CatalogueSearch,
    SearchAnswers,
    CountFacets,
    BookFacetsQueries,
    SearchesWithoutResult,
    SuggestBooksHandler,
    ListBooksHandler,
    BookQueries,
    BooksInPartHandler,
    GetBookHandler,
    ShelvesQueries,
    RelatedBooksQueries,
    CopiesAvailableHandler,
  ],
  exports: [CatalogueCache, BookCards, CatalogueSearch, ShelvesQueries],
})
export class CatalogueModule {}
