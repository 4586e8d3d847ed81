import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  ACCESS_DEDUPLICATION_MINUTES,
  type AccessLogEntry,
  accessKindSchema,
  type AccessKind,
  type AccessLogQuery,
} from '#contracts/audit/access-log.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';

/** An access that is about to be granted. */
export interface NewAccess {
  /** Whose access. */
  auditorId: string;
  /** Whose history. */
  readerId: string;
  kind: AccessKind;
  /** The parameters of the request, without undefined ones. Never personal data. */
  parameters?: Record<string, string | number | undefined>;
  correlationId: string;
}

const WINDOW = ACCESS_DEDUPLICATION_MINUTES * 60_000;

const accessRow = z.object({
  at: z.date(),
  auditor_id: z.string(),
  auditor: z.string().nullable(),
  reader_id: z.string(),
  reader: z.string().nullable(),
  kind: accessKindSchema,
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
  correlation_id: z.string(),
});

/** The log of who accessed whose history: written before the response, and never changed. */
@Injectable()
export class AccessLog {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clock: Clock,
  ) {}

  /**
   * Logs an access to somebody else's history. Access to one's own is not logged.
   * @throws DomainError LookNotRecorded if it could not be logged: then access is refused
   */
  async record({ auditorId, readerId, kind, parameters = {}, correlationId }: NewAccess): Promise<void> {
    if (auditorId === readerId) return;
    const now = this.clock.now();
    // An export takes a copy of the history: each one is logged.
    const windowStart = kind === 'export' ? now : new Date(Math.floor(now.getTime() / WINDOW) * WINDOW);
    try {
      await this.database.query({
        name: 'record-look',
        text: `insert into audit_look (at, auditor_id, reader_id, kind, parameters, correlation_id, window_start)
               values ($1, $2, $3, $4, $5, $6, $7) on conflict (auditor_id, reader_id, kind, window_start) do nothing`,
        values: [now, auditorId, readerId, kind, JSON.stringify(parameters), correlationId, windowStart],
      });
    } catch (error) {
      this.logger.error({ error, correlationId }, 'a look could not be recorded and was refused');
      throw new DomainError('LookNotRecorded', m.audit_look_not_recorded());
    }
  }

  /** A page of the access log, latest first. */
  async list({ readerId, pageNumber, pageSize }: AccessLogQuery): Promise<Paged<AccessLogEntry>> {
    const of = readerId ?? null;
    const [page, total] = await Promise.all([
      queryRows(
        this.database,
        accessRow,
        `select l.at, l.auditor_id, a.fullname as auditor, l.reader_id, r.fullname as reader, l.kind, l.parameters,
           l.correlation_id
         from audit_look l left join account a on a.id = l.auditor_id left join account r on r.id = l.reader_id
         where $1::uuid is null or l.reader_id = $1
         order by l.at desc, l.id desc limit $2 offset $3`,
        [of, pageSize, (pageNumber - 1) * pageSize],
      ),
      queryRow(
        this.database,
        z.object({ total: z.int() }),
        'select count(*)::integer as total from audit_look where $1::uuid is null or reader_id = $1',
        [of],
      ),
    ]);
    return { items: page.map(accessView), totalCount: total?.total ?? 0 };
  }
}

function accessView(row: z.output<typeof accessRow>): AccessLogEntry {
  return {
    at: row.at.toISOString(),
    who: { id: row.auditor_id, fullname: row.auditor ?? m.account_removed() },
    whom: { id: row.reader_id, fullname: row.reader ?? m.account_removed() },
    what: row.kind,
    parameters: row.parameters,
    correlationId: row.correlation_id,
  };
}
