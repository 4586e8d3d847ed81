import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CatalogueModule } from '../catalogue.module.js';
import { OwnedLists } from './owned-lists.js';
import { LibraryListsController } from './library-lists.controller.js';
import { LibraryLists } from './library-lists.js';
import { ListedBooks } from './listed-books.js';
import { ListsFile } from './lists-file.js';
import { OwnListsController } from './own-lists.controller.js';
import { OwnLists } from './own-lists.js';
import { SharedLists } from './shared-lists.js';

/** Lists of books: those that readers keep and share, and the library's own. */
@Module({
  imports: [CqrsModule, CatalogueModule],
  controllers: [OwnListsController, LibraryListsController],
  providers: [OwnedLists, ListedBooks, OwnLists, SharedLists, LibraryLists, ListsFile],
  exports: [LibraryLists],
})
export class ListsModule {}
