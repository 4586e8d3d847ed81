import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  homeListsSchema,
  libraryListChangeSchema,
  libraryListPageSchema,
  libraryListPlaceSchema,
  libraryListSchema,
  libraryListsSchema,
  newLibraryListSchema,
  type HomeLists,
  type LibraryList,
  type LibraryListChange,
  type LibraryListPage,
  type NewLibraryList,
} from '#contracts/lists/library-lists.js';
import { listPageQuerySchema, type ListPageQuery } from '#contracts/lists/reading-lists.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { Answers, AnswersFile } from '../../http/answers.js';
import { IdempotencyKey } from '../../http/idempotency-key.js';
import { valid } from '../../http/validation.js';
import { ownedListsCalls, listParams, type ListParams } from './owned-lists.calls.js';
import { OwnedLists, libraryBy } from './owned-lists.js';
import { LibraryLists } from './library-lists.js';
import { ListedBooks } from './listed-books.js';
import { ListsFile } from './lists-file.js';
import { sendFile } from './send-file.js';

/** The library's lists: librarians keep them, everybody reads them. */
@Controller('ReadingList')
@Allow('Admin')
export class LibraryListsController extends ownedListsCalls(libraryListSchema, libraryListsSchema) {
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

  @Get()
  @Answers(libraryListsSchema)
  all(): Promise<LibraryList[]> {
    return this.lists.all();
  }

  // Before the route of one list, which would take this path for an id.
  @Get('home')
  @Allow('Everybody')
  @Answers(homeListsSchema)
  onHome(): Promise<HomeLists> {
    return this.lists.onHome();
  }

  @Get(':id')
  @Allow('Everybody')
  @Answers(libraryListPageSchema)
  get(
    @Param(listParams) { id }: ListParams,
    @Query(valid(listPageQuerySchema)) page: ListPageQuery,
  ): Promise<LibraryListPage> {
    return this.lists.page(id, page);
  }

  @Get(':id/file')
  @AnswersFile('text/csv')
  async file(@Param(listParams) { id }: ListParams, @Res() response: Response): Promise<void> {
    sendFile(response, await this.files.ofLibrary(id), 'reading-list.csv');
  }

  /** The same key is the same list. */
  @Post()
  @Answers(libraryListSchema)
  add(
    @Caller() caller: SignedIn,
    @Body(valid(newLibraryListSchema)) body: NewLibraryList,
    @IdempotencyKey() key: string = randomUUID(),
  ): Promise<LibraryList> {
    const { commandId } = commandIdentity(key, caller.pseudonym, 'AddLibraryList', body);
    return this.lists.add(commandId, body, caller);
  }

  @Put(':id')
  @Answers(libraryListSchema)
  change(
    @Caller() caller: SignedIn,
    @Param(listParams) { id }: ListParams,
    @Body(valid(libraryListChangeSchema)) body: LibraryListChange,
  ): Promise<LibraryList> {
    return this.lists.change(id, body, caller);
  }

  /** @returns all, in their new order */
  @Put(':id/place')
  @Answers(libraryListsSchema)
  async move(
    @Param(listParams) { id }: ListParams,
    @Body(valid(libraryListPlaceSchema)) { place }: { place: number },
  ): Promise<LibraryList[]> {
    await this.lists.move(id, place);
    return this.lists.all();
  }
}
