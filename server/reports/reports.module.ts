import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ClosingModule } from '../http/closing.js';
import { Browsers } from './browsers.js';
import { ReportJobs } from './report.jobs.js';
import { ReportsController } from './reports.controller.js';
import { GetReportFileHandler, ListReportsHandler } from './reports.queries.js';
import { Reports } from './reports.js';

/** The inventory and the labels on paper. Needs `JobsModule`. */
@Module({
  imports: [CqrsModule, ClosingModule],
  controllers: [ReportsController],
  providers: [Browsers, Reports, ReportJobs, ListReportsHandler, GetReportFileHandler],
})
export class ReportsModule {}
