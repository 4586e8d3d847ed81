import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReportView } from '#contracts/reports/report.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { recentReports, type ReportRow } from './report-rows.js';
import { Reports, type ReportFile } from './reports.js';

/** The reports of the last day, the newest first. */
export class ListReports extends Query<ReportView[]> {}

@QueryHandler(ListReports)
export class ListReportsHandler implements IQueryHandler<ListReports> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  execute(): Promise<ReportView[]> {
    return recentReports(this.database, this.clock.now());
  }
}

/** The file of a report. */
export class GetReportFile extends Query<ReportFile & Pick<ReportRow, 'kind'>> {
  constructor(readonly reportId: string) {
    super();
  }
}

@QueryHandler(GetReportFile)
export class GetReportFileHandler implements IQueryHandler<GetReportFile> {
  constructor(private readonly reports: Reports) {}

  /** @throws DomainError ReportNotFound, ReportNotReady, or why it failed */
  execute({ reportId }: GetReportFile): Promise<ReportFile & Pick<ReportRow, 'kind'>> {
    return this.reports.file(reportId);
  }
}
