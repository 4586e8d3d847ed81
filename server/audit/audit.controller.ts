import * as m from '#words/messages.js';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Inject, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import type { AccessKind, AccessLogEntry } from '#contracts/audit/access-log.js';
import type { At, PastBorrow, PastBorrows } from '#contracts/audit/as-of.js';
import * as calls from '#contracts/audit/audit-calls.js';
import type { AuditEvent, AuditEvents, AuditReader, Holder } from '#contracts/audit/audit-events.js';
import type { FeeExplanation } from '#contracts/audit/fee-explanation.js';
import { EXPORT_MEDIA_TYPE } from '#contracts/audit/history-export.js';
import type { Timeline } from '#contracts/audit/timeline.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import { PlaceOfHold } from '../borrowing/holds/hold.queries.js';
import {
  ExplainFee,
  PastBorrowById,
  PastBorrowsOf,
  ReaderOfBorrow,
} from '../borrowing/past-borrows.queries.js';
import type { SignedIn } from '../http/access.js';
import { correlationId } from '../http/correlation.js';
import { Serves, type Asked } from '../http/serves.js';
import { AccessLog } from './access-log.js';
import { AuditedReaders, type AuditedReader } from './audited-readers.js';
import { HistoryExport } from './export-history.js';
import { ReaderEvents } from './reader-events.js';

/** A reader's history for auditors and admins. Every access is logged before the response. */
@Controller()
export class AuditController {
  constructor(
    private readonly queries: QueryBus,
    private readonly readers: AuditedReaders,
    private readonly events: ReaderEvents,
    private readonly exports: HistoryExport,
    private readonly accessLog: AccessLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Serves(calls.findAuditedReaders)
  find({ query }: Asked<typeof calls.findAuditedReaders>): Promise<Paged<AuditReader>> {
    return this.readers.find(query);
  }

  @Serves(calls.readEvents)
  async history({
    caller,
    params: { readerId },
    query,
  }: Asked<typeof calls.readEvents>): Promise<AuditEvents> {
    const { pseudonym } = await this.look(caller, readerId, 'history', { ...query });
    return this.events.page(pseudonym, query);
  }

  @Serves(calls.readEvent)
  async event({
    caller,
    params: { readerId, revision },
  }: Asked<typeof calls.readEvent>): Promise<AuditEvent> {
    const { pseudonym } = await this.look(caller, readerId, 'history', { revision });
    return this.events.one(pseudonym, revision);
  }

  @Serves(calls.readTimeline)
  async timeline({
    caller,
    params: { readerId },
    query: { after },
  }: Asked<typeof calls.readTimeline>): Promise<Timeline> {
    const reader = await this.look(caller, readerId, 'history', { after });
    return this.events.timeline(reader, after);
  }

  @Serves(calls.readPastBorrows)
  async state({
    caller,
    params: { readerId },
    query: { at, ...page },
  }: Asked<typeof calls.readPastBorrows>): Promise<PastBorrows> {
    const { pseudonym } = await this.look(caller, readerId, 'state', { at: shortly(at) });
    return this.queries.execute(new PastBorrowsOf({ readerId: pseudonym, at, page }));
  }

  @Serves(calls.exportHistory)
  async export(
    { caller, params: { readerId }, query: { format } }: Asked<typeof calls.exportHistory>,
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

  @Serves(calls.readPastBorrow)
  async borrow({
    caller,
    params: { borrowId },
    query: { at },
  }: Asked<typeof calls.readPastBorrow>): Promise<PastBorrow> {
    const pseudonym = await this.queries.execute(new ReaderOfBorrow({ borrowId }));
    const readerId = await this.readers.accountOf(pseudonym);
    await this.look(caller, readerId, 'borrow', { borrowId, at: shortly(at) });
    return this.queries.execute(new PastBorrowById({ readerId: pseudonym, borrowId, at }));
  }

  @Serves(calls.explainFee)
  async fee({ caller, params: { borrowId } }: Asked<typeof calls.explainFee>): Promise<FeeExplanation> {
    const pseudonym = await this.queries.execute(new ReaderOfBorrow({ borrowId }));
    await this.look(caller, await this.readers.accountOf(pseudonym), 'fee', { borrowId });
    return this.queries.execute(new ExplainFee({ readerId: pseudonym, borrowId, voice: 'staff' }));
  }

  @Serves(calls.readHolder)
  async holder({ caller, params: { holdId } }: Asked<typeof calls.readHolder>): Promise<Holder> {
    const hold = await this.queries.execute(new PlaceOfHold({ holdId }));
    if (!hold) throw new DomainError('HoldNotFound', m.audit_hold_not_found());
    const readerId = await this.readers.accountOf(hold.readerId);
    const { fullname } = await this.look(caller, readerId, 'history', { holdId });
    return { user: { id: readerId, fullname } };
  }

  @Serves(calls.listLooks)
  list({ query }: Asked<typeof calls.listLooks>): Promise<Paged<AccessLogEntry>> {
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
