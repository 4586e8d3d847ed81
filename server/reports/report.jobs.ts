import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { LibraryFacts } from '#platform/library-facts.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { QUEUE_POLICIES } from '#platform/jobs/job-map.js';
import { Jobs, type JobContext } from '#platform/jobs/jobs.js';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import { inLanguage } from '#platform/language.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { Browsers } from './browsers.js';
import { printInProcess, PrintFailed } from './print-process.js';
import type { PrintFailure, PrintMessage } from './print/print-messages.js';
import { RETENTION_HOURS, notifyReportChanged } from './report-rows.js';
import { staleAfter } from './reports.js';

/** Milliseconds between two clean-ups. */
const CLEAN_EVERY = 15 * 60_000;
/** Milliseconds between two notifications of progress. */
const TELL_EVERY = 250;

/** Milliseconds between two signs that a report's printer lives. */
const HEARTBEAT_INTERVAL = 5_000;
/** Seconds without one after which a report that is being printed has no printer. */
const DEAD_AFTER = 20;
/** Milliseconds between two searches for lost reports. */
const SEARCH_EVERY = 60_000;
/** Seconds without a sign after which a report's job counts as lost. One that only waits gets a job too many. */
const LOST_AFTER = 90;
/** A report whose printers died so often is given up. */
const MAX_ATTEMPTS = 10;

/** Permanent errors: a retry would fail too. */
const FINAL: PrintFailure[] = ['ReportTooLarge', 'NothingToPrint'];

/** Makes the requested reports, one at a time, and deletes expired ones. */
@Injectable()
export class ReportJobs implements OnModuleInit, OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(
    private readonly jobs: Jobs,
    private readonly browsers: Browsers,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly library: LibraryFacts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('reports', 'print', ({ reportId }, context) => this.print(reportId, context));
    this.jobs.repeat('reports', 'clean', CLEAN_EVERY, () => this.clean());
    this.jobs.repeat('upkeep', 'find-lost-reports', SEARCH_EVERY, (_data, { jobId }) => this.findLost(jobId));
  }

  /** A report that is being printed is left to the worker that retries the job. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  private async print(reportId: string, context: JobContext): Promise<void> {
    const report = await queryRow(
      this.database,
      z.object({ attempts: z.int(), language: z.string().nullable() }),
      `update report set state = 'printing', progress = 0, attempts = attempts + 1, touched_at = now()
       where id = $1 and (state = 'waiting'
         or state = 'printing' and ($2 or touched_at < now() - make_interval(secs => $3)))
       returning attempts, options->>'language' as language`,
      [reportId, context.isRetry, DEAD_AFTER],
    );
    if (!report) {
      const about = { reportId, correlationId: context.correlationId };
      this.logger.info(about, 'a report is not wanted any more, or another job prints it');
      return;
    }
    await inLanguage(report.language, () => this.printInLanguage(reportId, report.attempts, context));
  }

  private async printInLanguage(reportId: string, attempts: number, context: JobContext): Promise<void> {
    await notifyReportChanged(this.database, reportId);
    const progress = new ProgressWriter(this.database, reportId, context, this.logger);
    const began = performance.now();
    const life = setInterval(() => this.signOfLife(reportId), HEARTBEAT_INTERVAL);
    try {
      const order = {
        reportId,
        databaseUrl: this.settings.DATABASE_URL,
        library: this.library.name,
        ...{ head: m.paper_report_head(), foot: m.paper_report_foot() },
        madeAt: this.clock.now().toISOString(),
        timeZone: this.timeZone.name,
        chromium: await this.browsers.find(),
        sandbox: this.settings.CHROMIUM_SANDBOX === 'on',
      };
      const limits = {
        milliseconds: this.settings.REPORT_TIMEOUT_SECONDS * 1000,
        megabytes: this.settings.REPORT_MEMORY_MB,
      };
      await printInProcess(order, limits, this.closing.signal, (report) => progress.take(report));
      const seconds = Math.round((performance.now() - began) / 100) / 10;
      this.logger.info({ reportId, seconds, correlationId: context.correlationId }, 'a report was printed');
    } catch (error) {
      await progress.end();
      if (!(error instanceof PrintFailed)) throw error;
      await this.failed(reportId, attempts, error);
      if (!FINAL.includes(error.code)) throw error;
    } finally {
      clearInterval(life);
      await progress.end();
    }
  }

  private signOfLife(reportId: string): void {
    this.database
      .query(`update report set touched_at = now() where id = $1 and state = 'printing'`, [reportId])
      .catch((error: unknown) =>
        this.logger.warn({ error, reportId }, 'a report that is being printed could not say so'),
      );
  }

  /** The reports are the truth: one that waits or is being printed, and that nobody works on, is queued again. */
  private async findLost(correlationId: string): Promise<{ lost: number }> {
    const rows = await inTransaction(this.database, async (transaction) => {
      const lost = await queryRows(
        transaction,
        z.object({ id: z.string() }),
        `update report set state = 'waiting', progress = 0, touched_at = now()
         where state in ('waiting', 'printing') and attempts < $1
           and touched_at < now() - make_interval(secs => $2) and touched_at > now() - make_interval(secs => $3)
         returning id`,
        [MAX_ATTEMPTS, LOST_AFTER, staleAfter(this.settings)],
      );
      for (const { id } of lost) {
        await writeToOutbox(transaction, 'reports', 'print', { reportId: id }, correlationId);
      }
      return lost;
    });
    for (const { id } of rows) await notifyReportChanged(this.database, id);
    return { lost: rows.length };
  }

  /** Retries the job, or fails the report with a message for the user. */
  private async failed(reportId: string, attempts: number, error: PrintFailed): Promise<void> {
    const last = FINAL.includes(error.code) || attempts >= QUEUE_POLICIES.reports.attempts;
    await this.database.query(
      `update report set state = $2, progress = 0, failure_code = $3, failure = $4, touched_at = now()
       where id = $1 and state = 'printing'`,
      last ? [reportId, 'failed', error.code, sentence(error)] : [reportId, 'waiting', null, null],
    );
    await notifyReportChanged(this.database, reportId);
  }

  private async clean(): Promise<{ removed: number }> {
    const rows = await queryRows(
      this.database,
      z.object({ id: z.string(), language: z.string().nullable() }),
      `update report set state = 'failed', failure_code = 'ReportFailed'
       where state in ('waiting', 'printing') and touched_at < now() - make_interval(secs => $1)
       returning id, options->>'language' as language`,
      [staleAfter(this.settings)],
    );
    for (const { id, language } of rows) {
      const failure = inLanguage(language, () => m.report_nobody_printed());
      await this.database.query('update report set failure = $2 where id = $1', [id, failure]);
      await notifyReportChanged(this.database, id);
    }
    const before = new Date(this.clock.now().getTime() - RETENTION_HOURS * 3600_000);
    const { rowCount } = await this.database.query('delete from report where asked_at < $1', [before]);
    return { removed: rowCount ?? 0 };
  }
}

/** The message for the user: what happened, and what to do. */
function sentence({ code, reason }: PrintFailed): string {
  if (FINAL.includes(code)) return reason;
  if (code === 'PrinterUnavailable') {
    return m.report_no_browser();
  }
  return m.report_not_printed();
}

/** Writes a report's progress: the latest only, and throttled. */
class ProgressWriter {
  private latest: number | undefined;
  private writing: Promise<void> | undefined;
  private ended = false;

  constructor(
    private readonly database: Database,
    private readonly reportId: string,
    private readonly context: JobContext,
    private readonly logger: Logger,
  ) {}

  take(report: PrintMessage): void {
    if (report.kind === 'warning') this.logger.warn({ reportId: this.reportId }, report.message);
    if (report.kind !== 'progress' || this.ended) return;
    this.latest = report.percent;
    this.writing ??= this.write().finally(() => (this.writing = undefined));
  }

  /** No progress is written after this. */
  async end(): Promise<void> {
    this.ended = true;
    await this.writing;
  }

  private async write(): Promise<void> {
    while (this.latest !== undefined && !this.ended) {
      const percent = this.latest;
      this.latest = undefined;
      try {
        await this.database.query(
          `update report set progress = $2, touched_at = now() where id = $1 and state = 'printing'`,
          [this.reportId, percent],
        );
        await notifyReportChanged(this.database, this.reportId);
        await this.context.reportProgress(percent);
      } catch (error) {
        this.logger.warn({ error, reportId: this.reportId }, 'how far a report is could not be written down');
      }
      await new Promise((resolve) => setTimeout(resolve, TELL_EVERY));
    }
  }
}
