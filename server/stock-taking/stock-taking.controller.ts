import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { z } from 'zod';
import type { Paged } from '#contracts/paging.js';
import {
  findingPageSchema,
  findingsQuerySchema,
  newStockTakingSchema,
  resolutionPageSchema,
  resolutionsQuerySchema,
  resolveBodySchema,
  resolvedAnswerSchema,
  scanAnswerSchema,
  scansBodySchema,
  stockTakingChangeSchema,
  stockTakingListQuerySchema,
  stockTakingPageSchema,
  stockTakingParamsSchema,
  stockTakingSchema,
  stockTakingStandingSchema,
  undoResolvingSchema,
  type Finding,
  type FindingsQuery,
  type NewStockTaking,
  type Resolution,
  type ResolveBody,
  type ResolvedAnswer,
  type ScanAnswer,
  type ScansBody,
  type StockTaking,
  type StockTakingChange,
  type StockTakingStanding,
  type UndoResolving,
} from '#contracts/stock-taking/stock-taking.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { Allow, Caller, type SignedIn } from '../http/access.js';
import { MayTakeLong } from '../http/answer-in-time.js';
import { Answers } from '../http/answers.js';
import { IdempotencyKey } from '../http/idempotency-key.js';
import { valid } from '../http/validation.js';
import { StockFindings } from './stock-findings.js';
import { StockResolutions } from './stock-resolutions.js';
import { StockScans } from './stock-scans.js';
import { StockTakings } from './stock-takings.js';

type Id = z.output<typeof stockTakingParamsSchema>;
type Page = z.output<typeof stockTakingListQuerySchema>;

/** Stock-taking, by librarians. Nothing of it changes a copy but what is decided about a finding. */
@Controller('StockTaking')
export class StockTakingController {
  constructor(
    private readonly stockTakings: StockTakings,
    private readonly scans: StockScans,
    private readonly findings: StockFindings,
    private readonly resolutions: StockResolutions,
  ) {}

  @Get()
  @Allow('Admin')
  @Answers(stockTakingPageSchema)
  list(
    @Query(valid(stockTakingListQuerySchema)) { pageNumber, pageSize }: Page,
  ): Promise<Paged<StockTaking>> {
    return this.stockTakings.page(pageNumber, pageSize);
  }

  /** The same key is the same stock-taking. */
  @Post()
  @Allow('Admin')
  @Answers(stockTakingSchema)
  start(
    @Caller() caller: SignedIn,
    @Body(valid(newStockTakingSchema)) body: NewStockTaking,
    @IdempotencyKey() key: string = randomUUID(),
  ): Promise<StockTaking> {
    const { commandId } = commandIdentity(key, caller.pseudonym, 'StartStockTaking', body);
    return this.stockTakings.start(commandId, body, caller.accountId);
  }

  @Get(':id')
  @Allow('Admin')
  @Answers(stockTakingStandingSchema)
  get(@Param(valid(stockTakingParamsSchema)) { id }: Id): Promise<StockTakingStanding> {
    return this.findings.standing(id);
  }

  /** Pauses it, finishes it, takes it up again. */
  @Put(':id')
  @Allow('Admin')
  @Answers(stockTakingSchema)
  change(
    @Param(valid(stockTakingParamsSchema)) { id }: Id,
    @Body(valid(stockTakingChangeSchema)) { state }: StockTakingChange,
  ): Promise<StockTaking> {
    return this.stockTakings.change(id, state);
  }

  @Post(':id/scans')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(scanAnswerSchema)
  scan(
    @Caller() { accountId }: SignedIn,
    @Param(valid(stockTakingParamsSchema)) { id }: Id,
    @Body(valid(scansBodySchema)) body: ScansBody,
  ): Promise<ScanAnswer> {
    return this.scans.keep(id, body, accountId);
  }

  @Get(':id/findings')
  @Allow('Admin')
  @Answers(findingPageSchema)
  found(
    @Param(valid(stockTakingParamsSchema)) { id }: Id,
    @Query(valid(findingsQuerySchema)) query: FindingsQuery,
  ): Promise<Paged<Finding>> {
    return this.findings.page(id, query);
  }

  @Post(':id/resolve')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(resolvedAnswerSchema)
  @MayTakeLong()
  resolve(
    @Caller() caller: SignedIn,
    @Param(valid(stockTakingParamsSchema)) { id }: Id,
    @Body(valid(resolveBodySchema)) body: ResolveBody,
  ): Promise<ResolvedAnswer> {
    return this.resolutions.resolve(id, body, caller);
  }

  @Post(':id/undo')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(resolvedAnswerSchema)
  @MayTakeLong()
  undo(
    @Caller() caller: SignedIn,
    @Param(valid(stockTakingParamsSchema)) { id }: Id,
    @Body(valid(undoResolvingSchema)) body: UndoResolving,
  ): Promise<ResolvedAnswer> {
    return this.resolutions.undo(id, body, caller);
  }

  @Get(':id/resolutions')
  @Allow('Admin')
  @Answers(resolutionPageSchema)
  resolved(
    @Param(valid(stockTakingParamsSchema)) { id }: Id,
    @Query(valid(resolutionsQuerySchema)) { pageNumber, pageSize }: Page,
  ): Promise<Paged<Resolution>> {
    return this.resolutions.page(id, pageNumber, pageSize);
  }
}
