import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import {
  holdAnswerSchema,
  holdBookQuerySchema,
  holdParamsSchema,
  holdProspectSchema,
  holdQueueSchema,
  holdReaderQuerySchema,
  lapsedHoldsSchema,
  moveHoldBodySchema,
  neededUntilBodySchema,
  ownHoldsSchema,
  pauseHoldBodySchema,
  placeHoldBodySchema,
  shelfHoldsSchema,
  type HoldAnswer,
  type HoldProspect,
  type HoldView,
  type LapsedHold,
  type MoveHoldBody,
  type PlaceHoldBody,
  type QueuedHold,
  type ShelfHold,
} from '#contracts/holds/hold-views.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { IdempotencyKey } from '../../http/idempotency-key.js';
import { valid } from '../../http/validation.js';
import { ReadModelProgress } from '../../read-models/read-model-progress.js';
import { contextOf } from '../command-context.js';
import { Pseudonyms } from '../pseudonyms.js';
import { ChangeHold, PlaceHold, type HoldCommandResult } from './hold.commands.js';
import {
  HoldProspectOf,
  HoldsLapsed,
  HoldsOfReader,
  HoldsOnBook,
  HoldsOnShelf,
  PlaceOfHold,
} from './hold.queries.js';

type Id = z.output<typeof holdParamsSchema>;
type Reader = z.output<typeof holdReaderQuerySchema>;
type OfBook = z.output<typeof holdBookQuerySchema>;

/** Readers wait for titles. What a reader may do with a hold of his, a librarian may do for him. */
@Controller('Hold')
export class HoldController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly progress: ReadModelProgress,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  /** Reserves a title for the caller, or, by an admin, for a reader. */
  @Post()
  @HttpCode(200)
  @Allow('SignedIn')
  @Answers(holdAnswerSchema)
  async place(
    @Caller() caller: SignedIn,
    @Query(valid(holdReaderQuerySchema)) { userId }: Reader,
    @Body(valid(placeHoldBodySchema)) body: PlaceHoldBody,
    @IdempotencyKey() key?: string,
  ): Promise<HoldAnswer> {
    const readerId = await this.readerOf(caller, userId);
    const where = readerId === caller.pseudonym ? ('online' as const) : ('desk' as const);
    const asked = { ...body, placedBy: caller.pseudonym };
    const context = contextOf(caller, key, 'PlaceHold', { userId, ...asked });
    return this.answer(await this.commands.execute(new PlaceHold(readerId, { ...asked, where }, context)));
  }

  /** The caller's holds, or, for an admin, those of a reader. */
  @Get('mine')
  @Allow('SignedIn')
  @Answers(ownHoldsSchema)
  async mine(
    @Caller() caller: SignedIn,
    @Query(valid(holdReaderQuerySchema)) { userId }: Reader,
  ): Promise<HoldView[]> {
    return this.queries.execute(new HoldsOfReader(await this.readerOf(caller, userId)));
  }

  /** What a hold placed now would get. */
  @Get('prospect')
  @Allow('SignedIn')
  @Answers(holdProspectSchema)
  prospect(@Query(valid(holdBookQuerySchema)) { bookId }: OfBook): Promise<HoldProspect> {
    return this.queries.execute(new HoldProspectOf(bookId));
  }

  /** What is kept for readers. */
  @Get('shelf')
  @Allow('Admin')
  @Answers(shelfHoldsSchema)
  shelf(): Promise<ShelfHold[]> {
    return this.queries.execute(new HoldsOnShelf());
  }

  /** What was not collected. */
  @Get('lapsed')
  @Allow('Admin')
  @Answers(lapsedHoldsSchema)
  lapsed(): Promise<LapsedHold[]> {
    return this.queries.execute(new HoldsLapsed());
  }

  /** Who waits for a title. */
  @Get()
  @Allow('Admin')
  @Answers(holdQueueSchema)
  queue(@Query(valid(holdBookQuerySchema)) { bookId }: OfBook): Promise<QueuedHold[]> {
    return this.queries.execute(new HoldsOnBook(bookId));
  }

  /** Gives a hold up, and with it the copy that is kept for it. */
  @Delete(':id')
  @HttpCode(200)
  @Allow('SignedIn')
  @Answers(holdAnswerSchema)
  cancel(
    @Caller() caller: SignedIn,
    @Param(valid(holdParamsSchema)) { id: holdId }: Id,
    @IdempotencyKey() key?: string,
  ): Promise<HoldAnswer> {
    return this.change(caller, key, { type: 'CancelHold', holdId, cancelledBy: caller.pseudonym });
  }

  /** Copies pass the hold by until a day; its place stays. */
  @Post(':id/pause')
  @HttpCode(200)
  @Allow('SignedIn')
  @Answers(holdAnswerSchema)
  pause(
    @Caller() caller: SignedIn,
    @Param(valid(holdParamsSchema)) { id: holdId }: Id,
    @Body(valid(pauseHoldBodySchema)) { until }: z.output<typeof pauseHoldBodySchema>,
    @IdempotencyKey() key?: string,
  ): Promise<HoldAnswer> {
    return this.change(caller, key, { type: 'PauseHold', holdId, until, pausedBy: caller.pseudonym });
  }

  @Post(':id/resume')
  @HttpCode(200)
  @Allow('SignedIn')
  @Answers(holdAnswerSchema)
  resume(
    @Caller() caller: SignedIn,
    @Param(valid(holdParamsSchema)) { id: holdId }: Id,
    @IdempotencyKey() key?: string,
  ): Promise<HoldAnswer> {
    return this.change(caller, key, { type: 'ResumeHold', holdId, resumedBy: caller.pseudonym });
  }

  /** Names the last day on which the reader needs the book, or none. */
  @Post(':id/needed-until')
  @HttpCode(200)
  @Allow('SignedIn')
  @Answers(holdAnswerSchema)
  neededUntil(
    @Caller() caller: SignedIn,
    @Param(valid(holdParamsSchema)) { id: holdId }: Id,
    @Body(valid(neededUntilBodySchema)) { day }: z.output<typeof neededUntilBodySchema>,
    @IdempotencyKey() key?: string,
  ): Promise<HoldAnswer> {
    return this.change(caller, key, { type: 'ChangeNeededUntil', holdId, day, changedBy: caller.pseudonym });
  }

  /** Gives a hold another place: right before another one on the title, or last of all. */
  @Post(':id/move')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(holdAnswerSchema)
  move(
    @Caller() caller: SignedIn,
    @Param(valid(holdParamsSchema)) { id: holdId }: Id,
    @Body(valid(moveHoldBodySchema)) { before, reason, note }: MoveHoldBody,
    @IdempotencyKey() key?: string,
  ): Promise<HoldAnswer> {
    const change = { type: 'MoveHold' as const, holdId, before, reason, movedBy: caller.pseudonym };
    return this.change(caller, key, change, note);
  }

  private async change(
    caller: SignedIn,
    key: string | undefined,
    change: ChangeHold['change'],
    note?: string,
  ): Promise<HoldAnswer> {
    const context = contextOf(caller, key, change.type, change);
    const known = await this.queries.execute(new PlaceOfHold(change.holdId));
    // One that was placed a moment ago may not be in the table yet; of another's the stream says that there is none.
    const readerId = known && caller.roles.includes('Admin') ? known.readerId : caller.pseudonym;
    return this.answer(await this.commands.execute(new ChangeHold(readerId, change, context, note)));
  }

  /** The response waits until the lists include the change. */
  private async answer({ holdId, position }: HoldCommandResult): Promise<HoldAnswer> {
    const upToDate = await this.progress.reached(position);
    const known = await this.queries.execute(new PlaceOfHold(holdId));
    return { id: holdId, place: known?.place ?? null, position: position.toString(), upToDate };
  }

  private async readerOf(caller: SignedIn, userId: string | undefined): Promise<string> {
    if (userId === undefined || userId === caller.accountId) return caller.pseudonym;
    if (!caller.roles.includes('Admin')) {
      throw new DomainError(
        'NotAllowed',
        'Only a librarian may reserve for another reader, or see for what he waits.',
      );
    }
    return this.pseudonyms.ofAccount(userId);
  }
}
