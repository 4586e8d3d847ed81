import { z } from 'zod';
import {
  REPORTS_SHOWN,
  REPORT_KINDS,
  REPORT_STATES,
  reportViewSchema,
  type ReportView,
} from '#contracts/reports/report.js';
import { CHANNELS } from '#platform/database/notifications.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { PRINT_FAILURES } from './print/print-messages.js';

/** Hours until a report is deleted. */
export const RETENTION_HOURS = 24;

/** A row of a report. */
const reportRowSchema = z.object({
  id: z.string(),
  kind: z.enum(REPORT_KINDS),
  state: z.enum(REPORT_STATES),
  size: z.int().nullable(),
  failure_code: z.enum(PRINT_FAILURES).nullable(),
  failure: z.string().nullable(),
});
export type ReportRow = z.output<typeof reportRowSchema>;

const recentRow = reportViewSchema
  .omit({ keptUntil: true })
  .extend({ id: z.string(), askedAt: z.date(), madeAt: z.date().nullable() });

export async function reportRow(database: Queryable, reportId: string): Promise<ReportRow | undefined> {
  return queryRow(
    database,
    reportRowSchema,
    `select id, kind, state, size, failure_code, failure from report where id = $1`,
    [reportId],
  );
}

/** The reports of the last day, newest first. */
export async function recentReports(database: Queryable, now: Date): Promise<ReportView[]> {
  const rows = await queryRows(
    database,
    recentRow,
    `select r.id, r.kind, r.state, r.progress, r.options, r.asked_at as "askedAt", a.username as "askedBy",
       r.made_at as "madeAt", r.size, r.pages, r.failure
     from report r left join account a on a.id = r.asked_by
     where r.asked_at > $1 order by r.asked_at desc, r.id limit ${REPORTS_SHOWN}`,
    [new Date(now.getTime() - RETENTION_HOURS * 3600_000)],
  );
  return rows.map((row) => ({
    ...row,
    askedAt: row.askedAt.toISOString(),
    madeAt: row.madeAt?.toISOString() ?? null,
    keptUntil: new Date(row.askedAt.getTime() + RETENTION_HOURS * 3600_000).toISOString(),
  }));
}

/** Notifies every server process of a report's progress, on commit. */
export async function notifyReportChanged(database: Queryable, reportId: string): Promise<void> {
  await database.query(
    `select pg_notify($2, json_build_object('reportId', id, 'kind', kind, 'state', state, 'progress', progress)::text)
     from report where id = $1`,
    [reportId, CHANNELS.reports],
  );
}
