import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { accountIdSchema } from '#contracts/accounts/account-requests.js';
import { messageAnswerSchema, type MessageAnswer } from '#contracts/accounts/account-views.js';
import { cardSchema, ownCardSchema, type Card, type OwnCard } from '#contracts/accounts/own-card.js';
import {
  cardBlockBodySchema,
  foundReadersSchema,
  noticeAnswerSchema,
  noticeBodySchema,
  readerPanelSchema,
  readerScanSchema,
  type CardBlockBody,
  type FoundReaders,
  type NoticeBody,
  type ReaderNotice,
  type ReaderPanel,
  type ReaderScan,
} from '#contracts/accounts/reader-card.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { IdempotencyKey } from '../../http/idempotency-key.js';
import { Recorded } from '../../http/security-log.js';
import { valid } from '../../http/validation.js';
import { BlockCard, ReplaceCard, WriteNotice } from './card.commands.js';
import { MailSlip } from './slip.command.js';
import { FindReaders, GetOwnCard, GetReaderPanel } from './card.queries.js';

/** Readers at the desk: their cards, how they stand, and what is to be said to them. */
@Controller('Reader')
export class CardController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** A reading call, and a POST all the same: addresses are logged on the way, bodies are not. */
  @Post('find')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(foundReadersSchema)
  find(@Body(valid(readerScanSchema)) { scan }: ReaderScan): Promise<FoundReaders> {
    return this.queries.execute(new FindReaders(scan));
  }

  @Get('panel')
  @Allow('Admin')
  @Answers(readerPanelSchema)
  panel(@Query(valid(accountIdSchema)) { id }: { id: string }): Promise<ReaderPanel> {
    return this.queries.execute(new GetReaderPanel(id));
  }

  @Get('mine')
  @Allow('SignedIn')
  @Answers(ownCardSchema)
  mine(@Caller() caller: SignedIn): Promise<OwnCard> {
    return this.queries.execute(new GetOwnCard(caller));
  }

  @Post('card/replace')
  @HttpCode(200)
  @Recorded('card replaced')
  @Allow('Admin')
  @Answers(cardSchema)
  replace(@Query(valid(accountIdSchema)) { id }: { id: string }): Promise<Card> {
    return this.commands.execute(new ReplaceCard(id));
  }

  /** Mails the reader what they borrowed and brought back today: to their own address, once for a key. */
  @Post('slip')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(messageAnswerSchema)
  async slip(
    @Caller() caller: SignedIn,
    @Query(valid(accountIdSchema)) { id }: { id: string },
    @IdempotencyKey() key?: string,
  ): Promise<MessageAnswer> {
    await this.commands.execute(new MailSlip(id, caller.pseudonym, key));
    return { message: 'The slip is on its way to the reader.' };
  }

  @Put('card/block')
  @Recorded('card blocked or released')
  @Allow('Admin')
  @Answers(cardSchema)
  block(
    @Query(valid(accountIdSchema)) { id }: { id: string },
    @Body(valid(cardBlockBodySchema)) { blocked }: CardBlockBody,
  ): Promise<Card> {
    return this.commands.execute(new BlockCard(id, blocked));
  }

  @Put('notice')
  @Recorded('notice about a reader written')
  @Allow('Admin')
  @Answers(noticeAnswerSchema)
  write(
    @Caller() caller: SignedIn,
    @Query(valid(accountIdSchema)) { id }: { id: string },
    @Body(valid(noticeBodySchema)) notice: NoticeBody,
  ): Promise<ReaderNotice | null> {
    return this.commands.execute(new WriteNotice(id, notice, caller.accountId));
  }

  @Delete('notice')
  @Recorded('notice about a reader removed')
  @Allow('Admin')
  @Answers(messageAnswerSchema)
  async remove(
    @Caller() caller: SignedIn,
    @Query(valid(accountIdSchema)) { id }: { id: string },
  ): Promise<MessageAnswer> {
    await this.commands.execute(new WriteNotice(id, null, caller.accountId));
    return { message: 'The message was removed.' };
  }
}
