import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import {
  cancelQuerySchema,
  commandAnswerSchema,
  deskBodySchema,
  deskQuerySchema,
  foundBodySchema,
  lendBodySchema,
  lendQuerySchema,
  lentAnswerSchema,
  lossBodySchema,
  rebindBodySchema,
  takenBackSchema,
  undoBodySchema,
  waiverBodySchema,
  type CommandAnswer,
  type DeskBody,
  type FoundBody,
  type LendBody,
  type LentAnswer,
  type LossBody,
  type RebindBody,
  type TakenBack,
  type UndoBody,
  type WaiverBody,
} from '#contracts/borrowing/borrow-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { Allow, Caller, type SignedIn } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { IdempotencyKey } from '../http/idempotency-key.js';
import { valid } from '../http/validation.js';
import { ReadModelProgress } from '../read-models/read-model-progress.js';
import { booksNamed, copiesNamed } from './books-named.js';
import { ChangeBorrow, RentBooks, type BorrowCommandResult } from './borrow.commands.js';
import { AppendCopyEvents } from '../catalogue/copies/copy.commands.js';
import { contextOf } from './command-context.js';
import { KeptAfterReturn } from './holds/hold.queries.js';
import { MarkLost } from './loss.commands.js';
import { Pseudonyms } from './pseudonyms.js';
import { Undo } from './undo.command.js';
import { WaiveFee } from './waive-fee.command.js';

type DeskQuery = z.infer<typeof deskQuerySchema>;

/** The calls of the desk that the specification does not have, in the manner of those that it has. */
@Controller('Borrow')
export class DeskController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly progress: ReadModelProgress,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  /** Lends what a reader has chosen at the shelves: rents and issues in one. */
  @Post('lend')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(lentAnswerSchema)
  async lend(
    @Caller() caller: SignedIn,
    @Query(valid(lendQuerySchema)) { userId }: z.infer<typeof lendQuerySchema>,
    @Body(valid(lendBodySchema)) body: LendBody,
    @IdempotencyKey() key?: string,
  ): Promise<LentAnswer> {
    const { bookIds, copies } = booksNamed(body);
    const context = contextOf(caller, key, 'LendBooks', { userId, ...body });
    const reader = await this.pseudonyms.ofAccount(userId);
    const { evenIfHeld } = body;
    const handedOver = { librarianId: caller.pseudonym, evenIfHeld, ...(copies && { copies }) };
    const command = new RentBooks(reader, [...new Set(bookIds)], context, handedOver);
    const answer = await this.answer(await this.commands.execute(command));
    return { id: answer.borrowId, ...answer };
  }

  /** Takes back what is brought, whatever is owed: a fee is left to be paid. */
  @Post('take-back-books')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(takenBackSchema)
  async takeBackBooks(
    @Caller() caller: SignedIn,
    @Query(valid(deskQuerySchema)) { borrowId, userId }: DeskQuery,
    @Body(valid(deskBodySchema)) body: DeskBody,
    @IdempotencyKey() key?: string,
  ): Promise<TakenBack> {
    const desk = { borrowId, ...booksNamed(body), librarianId: caller.pseudonym };
    const change = { type: 'TakeBackBooks' as const, ...desk };
    const context = contextOf(caller, key, change.type, { userId, ...change });
    const reader = await this.pseudonyms.of(userId);
    const answer = await this.answer(await this.commands.execute(new ChangeBorrow(reader, change, context)));
    const keptFor = await this.queries.execute(new KeptAfterReturn(borrowId, desk.bookIds));
    return { ...answer, keptFor };
  }

  /** Says which copies are with the reader, where they were issued by title or as other copies. */
  @Post('rebind-copies')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(commandAnswerSchema)
  async rebindCopies(
    @Caller() caller: SignedIn,
    @Query(valid(deskQuerySchema)) { borrowId, userId }: DeskQuery,
    @Body(valid(rebindBodySchema)) { copies }: RebindBody,
    @IdempotencyKey() key?: string,
  ): Promise<CommandAnswer> {
    const named = { copies: copiesNamed(copies), librarianId: caller.pseudonym };
    const change = { type: 'RebindCopies' as const, borrowId, ...named };
    const context = contextOf(caller, key, change.type, { userId, ...change });
    const reader = await this.pseudonyms.of(userId);
    return this.answer(await this.commands.execute(new ChangeBorrow(reader, change, context)));
  }

  /** Gives up what was rented and not collected: of the caller, or, by an admin, of a reader. */
  @Post('cancel-rent')
  @HttpCode(200)
  @Allow('SignedIn')
  @Answers(commandAnswerSchema)
  async cancel(
    @Caller() caller: SignedIn,
    @Query(valid(cancelQuerySchema)) { borrowId, userId }: z.infer<typeof cancelQuerySchema>,
    @IdempotencyKey() key?: string,
  ): Promise<CommandAnswer> {
    const isOwn = userId === undefined || userId === caller.accountId;
    if (!isOwn && !caller.roles.includes('Admin')) {
      throw new DomainError('NotAllowed', 'You can cancel your own rents only.');
    }
    const change = { type: 'CancelRent' as const, borrowId, cancelledBy: caller.pseudonym };
    const context = contextOf(caller, key, change.type, { userId, ...change });
    const reader = isOwn ? caller.pseudonym : await this.pseudonyms.of(userId);
    return this.answer(await this.commands.execute(new ChangeBorrow(reader, change, context)));
  }

  /** Waives a fee, in part or whole. */
  @Post('waive-fee')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(commandAnswerSchema)
  async waive(
    @Caller() caller: SignedIn,
    @Query(valid(deskQuerySchema)) { borrowId, userId }: DeskQuery,
    @Body(valid(waiverBodySchema)) waiver: WaiverBody,
    @IdempotencyKey() key?: string,
  ): Promise<CommandAnswer> {
    const { amount, reason } = waiver;
    const context = contextOf(caller, key, 'WaiveFee', { userId, borrowId, amount, reason });
    const reader = await this.pseudonyms.of(userId);
    return this.answer(
      await this.commands.execute(new WaiveFee(reader, borrowId, caller.pseudonym, waiver, context)),
    );
  }

  /** The reader lost a book, or brought it back so damaged that nobody can borrow it: it is charged for. */
  @Post('mark-lost')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(commandAnswerSchema)
  async markLost(
    @Caller() caller: SignedIn,
    @Query(valid(deskQuerySchema)) { borrowId, userId }: DeskQuery,
    @Body(valid(lossBodySchema)) body: LossBody,
    @IdempotencyKey() key?: string,
  ): Promise<CommandAnswer> {
    const loss = { ...body, librarianId: caller.pseudonym };
    const context = contextOf(caller, key, 'ReportLoss', { userId, borrowId, ...loss });
    const reader = await this.pseudonyms.of(userId);
    return this.answerOfLoss(await this.commands.execute(new MarkLost(reader, borrowId, loss, context)));
  }

  /** A book that was marked lost turned up: its charge is taken back. */
  @Post('mark-found')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(commandAnswerSchema)
  async markFound(
    @Caller() caller: SignedIn,
    @Query(valid(deskQuerySchema)) { borrowId, userId }: DeskQuery,
    @Body(valid(foundBodySchema)) { bookId }: FoundBody,
    @IdempotencyKey() key?: string,
  ): Promise<CommandAnswer> {
    const found = { type: 'FindBook' as const, borrowId, bookId, foundBy: caller.pseudonym };
    const context = contextOf(caller, key, found.type, { userId, ...found });
    const readerId = await this.pseudonyms.of(userId);
    const change = new ChangeBorrow(readerId, { ...found, readerId }, context);
    return this.answerOfLoss(await this.commands.execute(change));
  }

  /** Undoes an issue, a return, a waiver, a loss or a payment at the desk of the last minutes. */
  @Post('undo')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(commandAnswerSchema)
  async undo(
    @Caller() caller: SignedIn,
    @Query(valid(deskQuerySchema)) { borrowId, userId }: DeskQuery,
    @Body(valid(undoBodySchema)) { revision, evenIfHeld }: UndoBody,
    @IdempotencyKey() key?: string,
  ): Promise<CommandAnswer> {
    const asked = { type: 'Undo' as const, borrowId, revision, librarianId: caller.pseudonym };
    const context = contextOf(caller, key, asked.type, {
      userId,
      ...asked,
      ...(evenIfHeld && { evenIfHeld }),
    });
    const reader = await this.pseudonyms.of(userId);
    return this.answerOfLoss(await this.commands.execute(new Undo(reader, asked, context, evenIfHeld)));
  }

  /** The projection has written down what became of a copy: its history shows that at once. */
  private async answerOfLoss(result: BorrowCommandResult): Promise<CommandAnswer> {
    const answer = await this.answer(result);
    await this.commands.execute(new AppendCopyEvents());
    return answer;
  }

  /** The response waits until the lists include the change. */
  private async answer({ borrowId, position }: BorrowCommandResult): Promise<CommandAnswer> {
    const upToDate = await this.progress.reached(position);
    return { borrowId, position: position.toString(), upToDate };
  }
}
