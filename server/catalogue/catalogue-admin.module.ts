import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BookAdminController } from './books/book-admin.controller.js';
import { DeleteBooksHandler } from './books/delete-books.command.js';
import { AddBookHandler, ChangeBookHandler } from './books/save-book.commands.js';
import { CatalogueChanges } from './catalogue-changes.js';
import { CatalogueModule } from './catalogue.module.js';
import { CoverPictures } from './covers/cover-pictures.js';
import { CoverController } from './covers/cover.controller.js';
import { GetCoverHandler } from './covers/get-cover.query.js';
import { AuthorController } from './entries/author.controller.js';
import { AddEntryHandler, ChangeEntryHandler, RemoveEntryHandler } from './entries/entry.commands.js';
import { GetEntryHandler, ListEntriesHandler, PageEntriesHandler } from './entries/entry.queries.js';
import { GenreController } from './entries/genre.controller.js';
import { PublisherController } from './entries/publisher.controller.js';
import { ExternalBookController } from './external/external-book.controller.js';
import { FindExternalBookHandler } from './external/find-external-book.query.js';

/** Looking after the catalogue: books with their covers, authors, genres, publishers; details from outside. */
@Module({
  imports: [CqrsModule, CatalogueModule],
  controllers: [
    BookAdminController,
    CoverController,
    AuthorController,
    GenreController,
    PublisherController,
    ExternalBookController,
  ],
  providers: [
    CatalogueChanges,
    CoverPictures,
    AddBookHandler,
    ChangeBookHandler,
    DeleteBooksHandler,
    GetCoverHandler,
    AddEntryHandler,
    ChangeEntryHandler,
    RemoveEntryHandler,
    ListEntriesHandler,
    PageEntriesHandler,
    GetEntryHandler,
    FindExternalBookHandler,
  ],
})
export class CatalogueAdminModule {}
