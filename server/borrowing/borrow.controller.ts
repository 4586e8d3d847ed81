import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import {
  ownHistoryQuerySchema,
  pastBorrowsSchema,
  type OwnHistoryQuery,
  type PastBorrows,
} from '#contracts/audit/as-of.js';
import {
  feeExplanationSchema,
  feeQuerySchema,
  type FeeExplanation,
} from '#contracts/audit/fee-explanation.js';
import {
  borrowDetailsQuerySchema,
  borrowDetailsSchema,
  type BorrowDetails,
} from '#contracts/borrowing/borrow-details.js';
import {
  bookIdsBodySchema,
  borrowHistorySchema,
  borrowListQuerySchema,
  borrowPageSchema,
  commandAnswerSchema,
  deskBodySchema,
  deskQuerySchema,
  renewQuerySchema,
  takenBackSchema,
  type BookIdsBody,
  type BorrowListQuery,
  type BorrowView,
  type CommandAnswer,
  type DeskBody,
  type TakenBack,
} from '#contracts/borrowing/borrow-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { MAX_PAGE_SIZE, type Paged } from '#contracts/paging.js';
import { Allow, Caller, type SignedIn } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { IdempotencyKey } from '../http/idempotency-key.js';
import { valid } from '../http/validation.js';
import { ReadModelProgress } from '../read-models/read-model-progress.js';
import { booksNamed } from './books-named.js';
import { ChangeBorrow, RentBooks, type BorrowCommandResult } from './borrow.commands.js';
import { GetBorrowDetails } from './borrow-details.queries.js';
import { BorrowHistory, BorrowHistoryPage, ListBorrows } from './borrow.queries.js';
import { ExplainFee, PastBorrowsOf } from './past-borrows.queries.js';
import { Pseudonyms } from './pseudonyms.js';
import { contextOf } from './command-context.js';
import { KeptAfterReturn } from './holds/hold.queries.js';

/** The borrow calls (specification, section 7). */
@Controller('Borrow')
export class BorrowController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly progress: ReadModelProgress,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  @Post('rent-books')
  @HttpCode(200)
  @Allow('SignedIn')
  @Answers(commandAnswerSchema)
  async rent(
    @Caller() caller: SignedIn,
    @Body(valid(bookIdsBodySchema)) { bookIds }: BookIdsBody,
    @IdempotencyKey() key?: string,
  ): Promise<CommandAnswer> {
    const wanted = [...new Set(bookIds)];
    const context = contextOf(caller, key, 'RentBooks', { bookIds: wanted });
    return this.answer(await this.commands.execute(new RentBooks(caller.pseudonym, wanted, context)));
  }

  @Post('issue-books')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(commandAnswerSchema)
  async issue(
    @Caller() caller: SignedIn,
    @Query(valid(deskQuerySchema)) { borrowId, userId }: z.infer<typeof deskQuerySchema>,
    @Body(valid(deskBodySchema)) body: DeskBody,
    @IdempotencyKey() key?: string,
  ): Promise<CommandAnswer> {
    const desk = { borrowId, ...booksNamed(body), librarianId: caller.pseudonym };
    const change = { type: 'IssueBooks' as const, ...desk };
    const context = contextOf(caller, key, change.type, { userId, ...change });
    const reader = await this.pseudonyms.of(userId);
    return this.answer(await this.commands.execute(new ChangeBorrow(reader, change, context)));
  }

  /** The answer names for whom copies are kept that came back. */
  @Post('return-books')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(takenBackSchema)
  async takeBack(
    @Caller() caller: SignedIn,
    @Query(valid(deskQuerySchema)) { borrowId, userId }: z.infer<typeof deskQuerySchema>,
    @Body(valid(deskBodySchema)) body: DeskBody,
    @IdempotencyKey() key?: string,
  ): Promise<TakenBack> {
    const desk = { borrowId, ...booksNamed(body), librarianId: caller.pseudonym };
    const change = { type: 'ReturnBooks' as const, ...desk };
    const context = contextOf(caller, key, change.type, { userId, ...change });
    const reader = await this.pseudonyms.of(userId);
    const answer = await this.answer(await this.commands.execute(new ChangeBorrow(reader, change, context)));
    const keptFor = await this.queries.execute(new KeptAfterReturn(borrowId, desk.bookIds));
    return { ...answer, keptFor };
  }

  @Post('renew')
  @HttpCode(200)
  @Allow('SignedIn')
  @Answers(commandAnswerSchema)
  async renew(
    @Caller() caller: SignedIn,
    @Query(valid(renewQuerySchema)) { borrowId, dueDate, userId }: z.infer<typeof renewQuerySchema>,
    @IdempotencyKey() key?: string,
  ): Promise<CommandAnswer> {
    const asked = {
      type: 'RenewBorrow' as const,
      borrowId,
      renewedBy: caller.pseudonym,
      ...(dueDate !== undefined && { dueDate: new Date(dueDate).toISOString() }),
    };
    const forAnother = userId !== undefined && userId !== caller.accountId;
    if (forAnother && !caller.roles.includes('Admin')) throw mayNotRenew();
    const context = contextOf(caller, key, asked.type, forAnother ? { userId, ...asked } : asked);
    const reader = forAnother ? await this.pseudonyms.of(userId) : caller.pseudonym;
    const change = { ...asked, mayBeRepeat: key === undefined && dueDate === undefined };
    return this.answer(await this.commands.execute(new ChangeBorrow(reader, change, context)));
  }

  @Get()
  @Allow('Admin')
  @Answers(borrowPageSchema)
  list(@Query(valid(borrowListQuerySchema)) query: BorrowListQuery): Promise<Paged<BorrowView>> {
    return this.queries.execute(new ListBorrows(query));
  }

  /** One borrow with its reader and what happened to it. */
  @Get('details')
  @Allow('Admin')
  @Answers(borrowDetailsSchema)
  details(
    @Query(valid(borrowDetailsQuerySchema)) { borrowId }: z.infer<typeof borrowDetailsQuerySchema>,
  ): Promise<BorrowDetails> {
    return this.queries.execute(new GetBorrowDetails(borrowId));
  }

  @Get('history')
  @Allow('SignedIn')
  @Answers(z.union([borrowHistorySchema, borrowPageSchema, pastBorrowsSchema]))
  history(
    @Caller() { pseudonym }: SignedIn,
    @Query(valid(ownHistoryQuerySchema)) { at, pageNumber, ...query }: OwnHistoryQuery,
  ): Promise<BorrowView[] | Paged<BorrowView> | PastBorrows> {
    if (at !== undefined) {
      const page = pageNumber === undefined ? FIRST_PAGE : { pageNumber, pageSize: query.pageSize };
      return this.queries.execute(new PastBorrowsOf(pseudonym, at, page));
    }
    return pageNumber === undefined
      ? this.queries.execute(new BorrowHistory(pseudonym))
      : this.queries.execute(new BorrowHistoryPage(pseudonym, { pageNumber, ...query }));
  }

  /** Explains the fee of one's own borrow. */
  @Get('fee')
  @Allow('SignedIn')
  @Answers(feeExplanationSchema)
  fee(
    @Caller() { pseudonym }: SignedIn,
    @Query(valid(feeQuerySchema)) { borrowId }: z.infer<typeof feeQuerySchema>,
  ): Promise<FeeExplanation> {
    return this.queries.execute(new ExplainFee(pseudonym, borrowId, 'reader'));
  }

  /** The response waits until the lists include the caller's own change. */
  private async answer({ borrowId, position }: BorrowCommandResult): Promise<CommandAnswer> {
    const upToDate = await this.progress.reached(position);
    return { borrowId, position: position.toString(), upToDate };
  }
}

/** Who names no page gets as much as there may be in one. */
const FIRST_PAGE = { pageNumber: 1, pageSize: MAX_PAGE_SIZE };

function mayNotRenew(): DomainError {
  return new DomainError('NotAllowed', 'Only a librarian may renew what another reader has.');
}
