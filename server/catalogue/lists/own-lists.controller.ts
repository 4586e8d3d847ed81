import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, HttpCode, Ip, Param, Post, Put, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import {
  addedToListSchema,
  addToListSchema,
  listBodySchema,
  listedBookParamsSchema,
  listPageQuerySchema,
  listParamsSchema,
  listsFileQuerySchema,
  moveInListSchema,
  ownListPageSchema,
  ownListSchema,
  ownListsQuerySchema,
  ownListsSchema,
  removedFromListSchema,
  sharedLinkSchema,
  sharedListBodySchema,
  shownListSchema,
  type AddedToList,
  type AddToList,
  type ListBody,
  type ListPageQuery,
  type ListsFileQuery,
  type OwnList,
  type OwnListPage,
  type OwnListsQuery,
  type RemovedFromList,
  type SharedLink,
  type SharedListBody,
  type ShownList,
} from '#contracts/lists/reading-lists.js';
import { DomainError } from '#contracts/domain-error.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { CountWrongListLink } from './wrong-link.command.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { addressKey } from '../../http/address-key.js';
import { MayTakeLong } from '../../http/answer-in-time.js';
import { Answers, AnswersFile } from '../../http/answers.js';
import { IdempotencyKey } from '../../http/idempotency-key.js';
import { Recorded } from '../../http/security-log.js';
import { valid } from '../../http/validation.js';
import { ListsFile } from './lists-file.js';
import { OwnLists } from './own-lists.js';
import { sendFile } from './send-file.js';
import { SharedLists } from './shared-lists.js';

const listParams = valid(listParamsSchema);
const bookParams = valid(listedBookParamsSchema);

interface ListParams {
  id: string;
}
interface ListedBookParams extends ListParams {
  bookId: number;
}

/** The lists that a reader keeps for himself, and those that are shared by a link. */
@Controller('List')
@Allow('SignedIn')
export class OwnListsController {
  constructor(
    private readonly lists: OwnLists,
    private readonly shared: SharedLists,
    private readonly files: ListsFile,
    private readonly commands: CommandBus,
  ) {}

  @Get('mine')
  @Answers(ownListsSchema)
  mine(
    @Caller() { accountId }: SignedIn,
    @Query(valid(ownListsQuerySchema)) { bookId }: OwnListsQuery,
  ): Promise<OwnList[]> {
    return this.lists.all(accountId, bookId);
  }

  @Get('mine/file')
  @MayTakeLong()
  @AnswersFile('text/csv')
  async file(
    @Caller() { accountId }: SignedIn,
    @Query(valid(listsFileQuerySchema)) query: ListsFileQuery,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.files.own(accountId, query);
    sendFile(response, file, `lists.${query.format}`);
  }

  /** What a link shows, to whoever has it. The token is in the body: addresses are logged on the way. */
  @Post('shared')
  @HttpCode(200)
  @Allow('Everybody')
  @Answers(shownListSchema)
  async open(@Body(valid(sharedListBodySchema)) body: SharedListBody, @Ip() ip: string): Promise<ShownList> {
    const list = await this.shared.open(body);
    if (list) return list;
    await this.commands.execute(new CountWrongListLink(addressKey(ip)));
    throw new DomainError(
      'ListNotFound',
      'This link leads to no list any more: who sent it may have ended it, or deleted the list.',
    );
  }

  /** The same key is the same list. */
  @Post()
  @Answers(ownListSchema)
  add(
    @Caller() caller: SignedIn,
    @Body(valid(listBodySchema)) body: ListBody,
    @IdempotencyKey() key: string = randomUUID(),
  ): Promise<OwnList> {
    const { commandId } = commandIdentity(key, caller.pseudonym, 'AddList', body);
    return this.lists.add(caller.accountId, commandId, body);
  }

  @Get(':id')
  @Answers(ownListPageSchema)
  get(
    @Caller() { accountId }: SignedIn,
    @Param(listParams) { id }: ListParams,
    @Query(valid(listPageQuerySchema)) page: ListPageQuery,
  ): Promise<OwnListPage> {
    return this.lists.page(accountId, id, page);
  }

  @Put(':id')
  @Answers(ownListSchema)
  change(
    @Caller() { accountId }: SignedIn,
    @Param(listParams) { id }: ListParams,
    @Body(valid(listBodySchema)) body: ListBody,
  ): Promise<OwnList> {
    return this.lists.change(accountId, id, body);
  }

  /** @returns those that are left */
  @Delete(':id')
  @Answers(ownListsSchema)
  async remove(@Caller() { accountId }: SignedIn, @Param(listParams) { id }: ListParams): Promise<OwnList[]> {
    await this.lists.remove(accountId, id);
    return this.lists.all(accountId);
  }

  @Post(':id/books')
  @HttpCode(200)
  @Answers(addedToListSchema)
  addBook(
    @Caller() { accountId }: SignedIn,
    @Param(listParams) { id }: ListParams,
    @Body(valid(addToListSchema)) body: AddToList,
  ): Promise<AddedToList> {
    return this.lists.addBook(accountId, id, body);
  }

  /** @returns the list, as it stands then */
  @Put(':id/books/:bookId')
  @Answers(ownListSchema)
  async moveBook(
    @Caller() { accountId }: SignedIn,
    @Param(bookParams) { id, bookId }: ListedBookParams,
    @Body(valid(moveInListSchema)) { place }: { place: number },
  ): Promise<OwnList> {
    await this.lists.moveBook(accountId, id, bookId, place);
    return this.lists.get(accountId, id);
  }

  @Delete(':id/books/:bookId')
  @Answers(removedFromListSchema)
  removeBook(
    @Caller() { accountId }: SignedIn,
    @Param(bookParams) { id, bookId }: ListedBookParams,
  ): Promise<RemovedFromList> {
    return this.lists.removeBook(accountId, id, bookId);
  }

  /** A link that was made before ends. */
  @Post(':id/share')
  @Recorded('list shared by a link')
  @Answers(sharedLinkSchema)
  async share(@Caller() { accountId }: SignedIn, @Param(listParams) { id }: ListParams): Promise<SharedLink> {
    return { token: await this.shared.share(accountId, id) };
  }

  @Delete(':id/share')
  @Recorded('link of a list ended')
  @Answers(ownListSchema)
  async endShare(@Caller() { accountId }: SignedIn, @Param(listParams) { id }: ListParams): Promise<OwnList> {
    await this.shared.end(accountId, id);
    return this.lists.get(accountId, id);
  }
}
