import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BookAdminController } from './books/book-admin.controller.js';
import { DeleteBooksCommand } from './books/delete-books.command.js';
import { SaveBookCommands } from './books/save-book.commands.js';
import { CatalogueChanges } from './catalogue-changes.js';
import { CatalogueModule } from './catalogue.module.js';
import { CopiesController } from './copies/copies.controller.js';
import { CopyChanges } from './copies/copy-changes.js';
import { CopyOutbox } from './copies/copy-outbox.js';
import {
  AddCopyHandler,
  AppendCopyEventsHandler,
  ChangeCopyHandler,
  EditCopyHandler,
} from './copies/copy.commands.js';
import { CopyQueries } from './copies/copy.queries.js';
import { WhereaboutsQueries } from './copies/whereabouts.queries.js';
import { FindScannedBookHandler } from './copies/scanned-book.queries.js';
import { UploadedPictures } from '../http/uploaded-pictures.js';
import { GetCoverHandler } from './covers/cover.queries.js';
import { AUTHORITY_CONTROLLERS } from './authorities/authority.controllers.js';
import { AuthorityCommands } from './authorities/authority.commands.js';
import { AuthorityQueries } from './authorities/authority.queries.js';
import { DuplicateController } from './duplicates/duplicate.controller.js';
import { DuplicateQueries } from './duplicates/duplicate.queries.js';
import { ExternalBookController } from './external/external-book.controller.js';
import { FindExternalBookHandler } from './external/external-book.queries.js';
import { HarvestsModule } from './external/harvests.js';
import { ExportController } from './export/export.controller.js';
import { MarcImportCommands } from './marc-import/marc-import.commands.js';
import { MarcImportController } from './marc-import/marc-import.controller.js';
import { MarcImportJobsModule } from './marc-import/marc-import.jobs.js';
import { MergeCommands } from './merges/merge.commands.js';
import { MergeController } from './merges/merge.controller.js';
import { MergeQueries } from './merges/merge.queries.js';
import { BookRowsController } from './import/book-rows.controller.js';
import { LoanCountsModule } from './search/in-memory/loan-counts.js';
import { FillShelvesModule } from './shelves/fill-shelves.js';

/** Administration of the catalogue: books with their covers, authors, genres, publishers; details from other services. */
@Module({
  imports: [
    CqrsModule,
    CatalogueModule,
    LoanCountsModule,
    FillShelvesModule,
    MarcImportJobsModule,
    HarvestsModule,
  ],
  controllers: [
    // Before the book's own, whose paths begin as its do.
    CopiesController,
    BookRowsController,
    BookAdminController,
    ExternalBookController,
    ...AUTHORITY_CONTROLLERS,
    MergeController,
    DuplicateController,
    MarcImportController,
    ExportController,
  ],
  providers: [
    CatalogueChanges,
    UploadedPictures,
    CopyOutbox,
    CopyChanges,
    AddCopyHandler,
    AppendCopyEventsHandler,
    EditCopyHandler,
    ChangeCopyHandler,
    CopyQueries,
    WhereaboutsQueries,
    FindScannedBookHandler,
    SaveBookCommands,
    DeleteBooksCommand,
    GetCoverHandler,
    AuthorityCommands,
    AuthorityQueries,
    FindExternalBookHandler,
    MarcImportCommands,
    MergeCommands,
    MergeQueries,
    DuplicateQueries,
  ],
  exports: [AuthorityQueries],
})
export class CatalogueAdminModule {}
