import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, HttpCode, Ip, Param, Post, Put, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import {
  listBodySchema,
  listPageQuerySchema,
  listsFileQuerySchema,
  ownListPageSchema,
  ownListSchema,
  ownListsQuerySchema,
  ownListsSchema,
  sharedLinkSchema,
  sharedListBodySchema,
  shownListSchema,
  type ListBody,
  type ListPageQuery,
  type ListsFileQuery,
  type OwnList,
  type OwnListPage,
  type OwnListsQuery,
  type SharedLink,
  type SharedListBody,
  type ShownList,
} from '#contracts/lists/reading-lists.js';
import { DomainError } from '#contracts/domain-error.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { CountWrongListLink } from './wrong-link.command.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { addressKey } from '../../http/address-key.js';
import { NoDeadline } from '../../http/request-deadline.js';
import { Answers, AnswersFile } from '../../http/answers.js';
import { IdempotencyKey } from '../../http/idempotency-key.js';
import { Recorded } from '../../http/security-log.js';
import { valid } from '../../http/validation.js';
import { ownedListsCalls, listParams, type ListParams } from './owned-lists.calls.js';
import { OwnedLists, readerWith } from './owned-lists.js';
import { ListedBooks } from './listed-books.js';
import { ListsFile } from './lists-file.js';
import { OwnLists } from './own-lists.js';
import { sendFile } from './send-file.js';
import { SharedLists } from './shared-lists.js';

/** The lists that a reader keeps for themselves, and those that are shared by a link. */
@Controller('List')
@Allow('SignedIn')
export class OwnListsController extends ownedListsCalls(ownListSchema, ownListsSchema) {
  readonly ownerOf = ({ accountId }: SignedIn) => readerWith(accountId);
  readonly allOf = ({ accountId }: SignedIn) => this.lists.all(accountId);
  readonly oneOf = ({ accountId }: SignedIn, id: string) => this.lists.get(accountId, id);

  constructor(
    kept: OwnedLists,
    books: ListedBooks,
    private readonly lists: OwnLists,
    private readonly shared: SharedLists,
    private readonly files: ListsFile,
    private readonly commands: CommandBus,
  ) {
    super(kept, books);
  }

  @Get('mine')
  @Answers(ownListsSchema)
  mine(
    @Caller() { accountId }: SignedIn,
    @Query(valid(ownListsQuerySchema)) { bookId }: OwnListsQuery,
  ): Promise<OwnList[]> {
    return this.lists.all(accountId, bookId);
  }

  @Get('mine/file')
  @NoDeadline()
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
