import { Module } from '@nestjs/common';
import { ClosingModule } from '../http/closing.js';
import { Browsers } from './browsers.js';
import { ReportJobs } from './report.jobs.js';
import { ReportsController } from './reports.controller.js';
import { Reports } from './reports.js';

/** The inventory and the labels on paper. Needs `JobsModule`. */
@Module({
  imports: [ClosingModule],
  controllers: [ReportsController],
  providers: [Browsers, Reports, ReportJobs],
})
export class ReportsModule {}
