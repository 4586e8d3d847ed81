import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { ReportRequest, ReportView } from '#contracts/reports/report.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { LOCKS } from '#platform/database/locks.js';
import { Notifications } from '#platform/database/notifications.js';
import { queryRow } from '#platform/database/query-rows.js';
import { QUEUE_POLICIES } from '#platform/jobs/job-map.js';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import { currentLanguage } from '#platform/language.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { correlationId } from '../http/correlation.js';
import { RequestInvalid } from '../http/validation.js';
import { labelPadding, labelSheet, type LabelSheet } from './label-sheet.js';
import { minWidth } from './print/barcode.js';
import { readReportFile } from './report-file.js';
import {
  RETENTION_HOURS,
  notifyReportChanged,
  recentReports,
  reportRow,
  type ReportRow,
} from './report-rows.js';

/** Seconds for which a finished report is reused, while the catalogue is unchanged. */
const SAME_FOR = 60;
/** Polling interval in milliseconds, in case a notification is lost. */
const LOOK_AGAIN = 2_000;

/** Changes whenever a row that reports contain is written, by any process. */
const CATALOGUE_STATE = `
  select md5(concat_ws('/', ${['book', 'author', 'genre', 'publisher', 'book_author', 'book_genre']
    .map(
      (table) =>
        `(select concat(count(*), ':', sum(hashtextextended(ctid::text || xmin::text, 0))) from ${table})`,
    )
    .join(', ')})) as state`;

/** A report's file for download. */
export interface ReportFile {
  size: number;
  pieces: AsyncGenerator<Buffer>;
}

/** Requests for reports. `ReportJobs` makes them, in whichever process takes the job. */
@Injectable()
export class Reports {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  /** The reports of the last day, the newest first. */
  recent(): Promise<ReportView[]> {
    return recentReports(this.database, this.clock.now());
  }

  /**
   * Requests a report of the catalogue as it is, in the language of the request, or joins an equal request.
   * @returns the report's id
   * @throws RequestInvalid if the labels do not fit their sheet, or a barcode its label
   */
  async ask(request: ReportRequest, accountId: string): Promise<string> {
    const sheet = request.kind === 'stickers' ? labelSheet(request.options, this.settings) : undefined;
    const options = { ...sheet, language: currentLanguage() };
    return inTransaction(this.database, async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.reports]);
      if (sheet) await refuseNarrow(transaction, sheet);
      const present = await queryRow(transaction, z.object({ state: z.string() }), CATALOGUE_STATE);
      const catalogue = present?.state ?? '';
      const now = this.clock.now();
      const joined = await this.find(transaction, [request.kind, JSON.stringify(options), catalogue]);
      if (joined !== undefined) return joined;
      const id = randomUUID();
      await transaction.query(
        `insert into report (id, kind, options, catalogue, state, asked_by, asked_at, touched_at)
         values ($1, $2, $3, $4, 'waiting', $5, $6, now())`,
        [id, request.kind, JSON.stringify(options), catalogue, accountId, now],
      );
      await writeToOutbox(transaction, 'reports', 'print', { reportId: id }, correlationId());
      await notifyReportChanged(transaction, id);
      return id;
    });
  }

  /**
   * Waits until a report is ready.
   * @param signal ends the wait, and throws its reason. The report is made all the same.
   * @throws DomainError if it fails
   */
  async made(reportId: string, signal: AbortSignal): Promise<ReportFile> {
    for (;;) {
      const changed = this.nextChange(reportId, signal);
      try {
        const row = await reportRow(this.database, reportId);
        if (row?.state !== 'waiting' && row?.state !== 'printing') return this.fileOf(row);
        await changed.promise;
      } finally {
        changed.stop();
      }
      signal.throwIfAborted();
    }
  }

  /**
   * The file of a report of the last day.
   * @throws DomainError ReportNotFound, ReportNotReady, or why it failed
   */
  async file(reportId: string): Promise<ReportFile & Pick<ReportRow, 'kind'>> {
    const row = await reportRow(this.database, reportId);
    return { ...this.fileOf(row), kind: row?.kind ?? 'inventory' };
  }

  private fileOf(row: ReportRow | undefined): ReportFile {
    if (!row) {
      throw new DomainError('ReportNotFound', m.report_not_found({ hours: RETENTION_HOURS }));
    }
    if (row.state === 'failed') {
      throw new DomainError(row.failure_code ?? 'ReportFailed', row.failure ?? m.report_not_made());
    }
    if (row.state !== 'ready' || row.size === null) {
      throw new DomainError('ReportNotReady', m.report_being_made());
    }
    return { size: row.size, pieces: readReportFile(this.database, row.id) };
  }

  /** An equal report that is in progress, or was just finished. */
  private async find(
    transaction: Connection,
    what: [kind: string, options: string, catalogue: string],
  ): Promise<string | undefined> {
    const found = await queryRow(
      transaction,
      z.object({ id: z.string() }),
      `select id from report
       where kind = $1 and options = $2::jsonb and catalogue = $3
         and (state = 'ready' and touched_at > now() - make_interval(secs => $4)
           or state in ('waiting', 'printing') and touched_at > now() - make_interval(secs => $5))
       order by asked_at desc limit 1`,
      [...what, SAME_FOR, staleAfter(this.settings)],
    );
    return found?.id;
  }

  /** Resolves when the report may have changed, or the caller has left. */
  private nextChange(reportId: string, signal: AbortSignal): { promise: Promise<void>; stop: () => void } {
    let stop = () => undefined as void;
    const promise = new Promise<void>((resolve) => {
      const onReport = (report: { reportId: string }) => {
        if (report.reportId === reportId) stop();
      };
      stop = () => {
        clearTimeout(timer);
        this.notifications.off('reports', onReport);
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const timer = setTimeout(stop, LOOK_AGAIN);
      this.notifications.on('reports', onReport);
      signal.addEventListener('abort', stop, { once: true });
    });
    return { promise, stop };
  }
}

/** Seconds without progress after which a report counts as lost by its printer. */
export function staleAfter({ REPORT_TIMEOUT_SECONDS }: ResolvedSettings): number {
  return REPORT_TIMEOUT_SECONDS * QUEUE_POLICIES.reports.attempts + 60;
}

/** A barcode that is too narrow cannot be scanned; the longest one decides. */
async function refuseNarrow(transaction: Connection, sheet: LabelSheet): Promise<void> {
  const longest = await queryRow(
    transaction,
    z.object({ id: z.int(), copies: z.int() }),
    `select coalesce(max(id), 1) as id, greatest(coalesce(max(copies_total), 1),
       (select max(c.copy) from copy c where $1::integer[] is null or c.book_id = any($1)), 1) as copies from book
     where copies_total > 0 and ($1::integer[] is null or id = any($1))`,
    [sheet.bookIds ?? null],
  );
  const code = copyCode({ bookId: longest?.id ?? 1, copy: longest?.copies ?? 1 });
  const least = Math.ceil((minWidth(code) + 2 * labelPadding(sheet)) * 10) / 10;
  if (sheet.labelWidth >= least) return;
  throw new RequestInvalid({
    labelWidth: [m.report_barcode_needs_width({ code, least })],
  });
}
