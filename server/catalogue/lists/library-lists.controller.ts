import { randomUUID } from 'node:crypto';
import { Controller, Res } from '@nestjs/common';
import type { Response } from 'express';
import * as calls from '#contracts/lists/library-lists.js';
import type { HomeLists, LibraryList, LibraryListPage } from '#contracts/lists/library-lists.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import type { SignedIn } from '../../http/access.js';
import { sendFile } from '../../http/send-file.js';
import { Serves, type Asked } from '../../http/serves.js';
import { ownedListsController } from './owned-lists.controller.js';
import { OwnedLists, libraryBy } from './owned-lists.js';
import { LibraryLists } from './library-lists.js';
import { ListedBooks } from './listed-books.js';
import { ListsFile } from './lists-file.js';

/** The library's lists: librarians keep them, everybody reads them. */
@Controller()
export class LibraryListsController extends ownedListsController(
  calls.LIBRARY_LIST_BOOKS,
  calls.removeLibraryList,
) {
  readonly ownerOf = libraryBy;
  readonly allOf = () => this.lists.all();
  readonly oneOf = (_caller: SignedIn, id: string) => this.lists.get(id);

  constructor(
    kept: OwnedLists,
    books: ListedBooks,
    private readonly lists: LibraryLists,
    private readonly files: ListsFile,
  ) {
    super(kept, books);
  }

  @Serves(calls.listLibraryLists)
  all(): Promise<LibraryList[]> {
    return this.lists.all();
  }

  // Before the route of one list, which would take this path for an id.
  @Serves(calls.readListsOnHome)
  onHome(): Promise<HomeLists> {
    return this.lists.onHome();
  }

  @Serves(calls.readLibraryList)
  get({ params, query }: Asked<typeof calls.readLibraryList>): Promise<LibraryListPage> {
    return this.lists.page(params.id, query);
  }

  @Serves(calls.fetchLibraryList)
  async file({ params }: Asked<typeof calls.fetchLibraryList>, @Res() response: Response): Promise<void> {
    sendFile(response, await this.files.ofLibrary(params.id), 'reading-list.csv');
  }

  @Serves(calls.addLibraryList)
  add({ caller, body, key = randomUUID() }: Asked<typeof calls.addLibraryList>): Promise<LibraryList> {
    const { commandId } = commandIdentity(key, caller.pseudonym, 'AddLibraryList', body);
    return this.lists.add(commandId, body, caller);
  }

  @Serves(calls.changeLibraryList)
  change({ caller, params, body }: Asked<typeof calls.changeLibraryList>): Promise<LibraryList> {
    return this.lists.change(params.id, body, caller);
  }

  @Serves(calls.moveLibraryList)
  async move({ params, body }: Asked<typeof calls.moveLibraryList>): Promise<LibraryList[]> {
    await this.lists.move(params.id, body.place);
    return this.lists.all();
  }
}
