import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import type { z } from 'zod';
import {
  historyQuerySchema,
  pastBorrowSchema,
  pastBorrowsSchema,
  stateQuerySchema,
  type At,
  type HistoryQuery,
  type PastBorrow,
  type PastBorrows,
  type StateQuery,
} from '#contracts/audit/as-of.js';
import {
  auditEventSchema,
  auditEventsQuerySchema,
  auditEventsSchema,
  auditReaderPageSchema,
  auditReadersQuerySchema,
  borrowPathSchema,
  eventPathSchema,
  holderSchema,
  holdPathSchema,
  readerPathSchema,
  type AuditEvent,
  type AuditEvents,
  type AuditEventsQuery,
  type AuditReader,
  type AuditReadersQuery,
  type Holder,
} from '#contracts/audit/audit-events.js';
import { feeExplanationSchema, type FeeExplanation } from '#contracts/audit/fee-explanation.js';
import { EXPORT_MEDIA_TYPE, exportQuerySchema } from '#contracts/audit/history-export.js';
import {
  accessLogPageSchema,
  looksQuerySchema,
  type Look,
  type AccessKind,
  type AccessLogQuery,
} from '#contracts/audit/access-log.js';
import {
  timelineQuerySchema,
  timelineSchema,
  type Timeline,
  type TimelineQuery,
} from '#contracts/audit/timeline.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import { Allow, Caller, type SignedIn } from '../http/access.js';
import {
  ExplainFee,
  PastBorrowById,
  PastBorrowsOf,
  ReaderOfBorrow,
} from '../borrowing/past-borrows.queries.js';
import { PlaceOfHold } from '../borrowing/holds/hold.queries.js';
import { correlationId } from '../http/correlation.js';
import { Answers, AnswersFile } from '../http/answers.js';
import { valid } from '../http/validation.js';
import { AccessLog } from './access-log.js';
import { AuditedReaders, type AuditedReader } from './audited-readers.js';
import { HistoryExport } from './export-history.js';
import { ReaderEvents } from './reader-events.js';

type ReaderPath = z.infer<typeof readerPathSchema>;
type BorrowPath = z.infer<typeof borrowPathSchema>;
type HoldPath = z.infer<typeof holdPathSchema>;
type EventPath = z.infer<typeof eventPathSchema>;

/** A reader's history for auditors and admins. Every access is logged before the response. */
@Controller('Audit')
@Allow('Auditor', 'Admin')
export class AuditController {
  constructor(
    private readonly queries: QueryBus,
    private readonly readers: AuditedReaders,
    private readonly events: ReaderEvents,
    private readonly exports: HistoryExport,
    private readonly accessLog: AccessLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get('readers')
  @Answers(auditReaderPageSchema)
  find(@Query(valid(auditReadersQuerySchema)) query: AuditReadersQuery): Promise<Paged<AuditReader>> {
    return this.readers.find(query);
  }

  @Get('readers/:readerId/events')
  @Answers(auditEventsSchema)
  async history(
    @Caller() caller: SignedIn,
    @Param(valid(readerPathSchema)) { readerId }: ReaderPath,
    @Query(valid(auditEventsQuerySchema)) query: AuditEventsQuery,
  ): Promise<AuditEvents> {
    const { pseudonym } = await this.look(caller, readerId, 'history', { ...query });
    return this.events.page(pseudonym, query);
  }

  @Get('readers/:readerId/events/:revision')
  @Answers(auditEventSchema)
  async event(
    @Caller() caller: SignedIn,
    @Param(valid(eventPathSchema)) { readerId, revision }: EventPath,
  ): Promise<AuditEvent> {
    const { pseudonym } = await this.look(caller, readerId, 'history', { revision });
    return this.events.one(pseudonym, revision);
  }

  @Get('readers/:readerId/timeline')
  @Answers(timelineSchema)
  async timeline(
    @Caller() caller: SignedIn,
    @Param(valid(readerPathSchema)) { readerId }: ReaderPath,
    @Query(valid(timelineQuerySchema)) { after }: TimelineQuery,
  ): Promise<Timeline> {
    const reader = await this.look(caller, readerId, 'history', { after });
    return this.events.timeline(reader, after);
  }

  @Get('readers/:readerId/state')
  @Answers(pastBorrowsSchema)
  async state(
    @Caller() caller: SignedIn,
    @Param(valid(readerPathSchema)) { readerId }: ReaderPath,
    @Query(valid(stateQuerySchema)) { at, ...page }: StateQuery,
  ): Promise<PastBorrows> {
    const { pseudonym } = await this.look(caller, readerId, 'state', { at: shortly(at) });
    return this.queries.execute(new PastBorrowsOf(pseudonym, at, page));
  }

  @Get('readers/:readerId/export')
  @AnswersFile(EXPORT_MEDIA_TYPE)
  async export(
    @Caller() caller: SignedIn,
    @Param(valid(readerPathSchema)) { readerId }: ReaderPath,
    @Query(valid(exportQuerySchema)) { format }: z.infer<typeof exportQuerySchema>,
    @Res() response: Response,
  ): Promise<void> {
    const { pseudonym } = await this.look(caller, readerId, 'export', { format });
    const lines = await this.exports.lines(pseudonym);
    response.setHeader('content-type', EXPORT_MEDIA_TYPE);
    response.setHeader('content-disposition', `attachment; filename="borrows-${readerId}.jsonl"`);
    response.setHeader('cache-control', 'no-store');
    try {
      await pipeline(Readable.from(lines), response);
    } catch (error) {
      // The connection is closed by now: the missing footer shows that the file is incomplete.
      this.logger.warn({ error, correlationId: correlationId() }, 'an export broke off');
    }
  }

  @Get('borrows/:borrowId')
  @Answers(pastBorrowSchema)
  async borrow(
    @Caller() caller: SignedIn,
    @Param(valid(borrowPathSchema)) { borrowId }: BorrowPath,
    @Query(valid(historyQuerySchema)) { at }: HistoryQuery,
  ): Promise<PastBorrow> {
    const pseudonym = await this.queries.execute(new ReaderOfBorrow(borrowId));
    const readerId = await this.readers.accountOf(pseudonym);
    await this.look(caller, readerId, 'borrow', { borrowId, at: shortly(at) });
    return this.queries.execute(new PastBorrowById(pseudonym, borrowId, at));
  }

  @Get('borrows/:borrowId/fee')
  @Answers(feeExplanationSchema)
  async fee(
    @Caller() caller: SignedIn,
    @Param(valid(borrowPathSchema)) { borrowId }: BorrowPath,
  ): Promise<FeeExplanation> {
    const pseudonym = await this.queries.execute(new ReaderOfBorrow(borrowId));
    await this.look(caller, await this.readers.accountOf(pseudonym), 'fee', { borrowId });
    return this.queries.execute(new ExplainFee(pseudonym, borrowId, 'staff'));
  }

  @Get('holds/:holdId')
  @Answers(holderSchema)
  async holder(
    @Caller() caller: SignedIn,
    @Param(valid(holdPathSchema)) { holdId }: HoldPath,
  ): Promise<Holder> {
    const hold = await this.queries.execute(new PlaceOfHold(holdId));
    if (!hold) throw new DomainError('HoldNotFound', 'There is no such reservation.');
    const readerId = await this.readers.accountOf(hold.readerId);
    const { fullname } = await this.look(caller, readerId, 'history', { holdId });
    return { user: { id: readerId, fullname } };
  }

  @Get('looks')
  @Answers(accessLogPageSchema)
  list(@Query(valid(looksQuerySchema)) query: AccessLogQuery): Promise<Paged<Look>> {
    return this.accessLog.list(query);
  }

  /**
   * Logs the access, then returns whose history it is.
   * @throws DomainError NotFound, LookNotRecorded
   */
  private async look(
    { accountId }: SignedIn,
    readerId: string,
    kind: AccessKind,
    parameters: Record<string, string | number | undefined>,
  ): Promise<AuditedReader> {
    const reader = await this.readers.known(readerId);
    const look = { auditorId: accountId, readerId, kind, parameters, correlationId: correlationId() };
    await this.accessLog.record(look);
    return reader;
  }
}

function shortly(at: At | undefined): string | number | undefined {
  return at === undefined ? undefined : 'revision' in at ? at.revision : at.instant;
}
