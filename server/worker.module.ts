import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { processableQueues } from '#platform/jobs/job-map.js';
import { JobsModule } from '#platform/jobs/jobs.module.js';
import type { Logger } from '#platform/logging.js';
import { PlatformModule } from '#platform/platform.module.js';
import { LibraryRulesModule } from '#rules/library-rules.module.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { BorrowingModule } from './borrowing/borrowing.module.js';
import { HarvestsModule } from './catalogue/external/harvests.js';
import { MarcImportJobsModule } from './catalogue/marc-import/marc-import.jobs.js';
import { LoanCountsModule } from './catalogue/search/in-memory/loan-counts.js';
import { FillShelvesModule } from './catalogue/shelves/fill-shelves.js';
import { BorrowLettersModule } from './mail/borrow-letters/borrow-letters.module.js';
import { OneTimeLinksModule } from './accounts/one-time-links.commands.js';
import { ReaderImportJobsModule } from './accounts/reader-import/reader-import.jobs.js';
import { UnconfirmedAccountsModule } from './accounts/registration/unconfirmed-accounts.js';
import { MailModule } from './mail/mail.module.js';
import { StatusHeartbeat } from './operations/system-status/status-heartbeat.js';
import { StatusMonitor } from './operations/system-status/status-monitor.js';
import { WorkerOperations } from './operations/worker-operations.js';
import { PaymentsModule } from './payments/payments.module.js';
import { ReadYourWritesModule } from './http/read-your-writes.js';
import { ReportsModule } from './reports/reports.module.js';
import { WhatIfModule } from './rules/what-if/what-if.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { ClosedStockTakingsModule } from './stock-taking/closed-stock-takings.module.js';

/**
 * A worker: the modules of the server whose handlers do jobs, and none that only answers people. It keeps no
 * catalogue in memory and holds no sockets.
 */
@Module({ providers: [WorkerOperations, StatusHeartbeat, StatusMonitor] })
export class WorkerModule {
  static with(settings: ResolvedSettings, logger: Logger): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        PlatformModule.with(settings, logger),
        LibraryRulesModule,
        CqrsModule.forRoot(),
        ReadYourWritesModule,
        BorrowingModule,
        PaymentsModule.with(settings),
        JobsModule.forRoot(processableQueues(settings)),
        OneTimeLinksModule,
        UnconfirmedAccountsModule,
        ReaderImportJobsModule,
        MailModule,
        BorrowLettersModule,
        ReportsModule,
        LoanCountsModule,
        MarcImportJobsModule,
        HarvestsModule,
        FillShelvesModule,
        ClosedStockTakingsModule,
        WhatIfModule.working(),
        WebhooksModule.working(),
      ],
    };
  }
}
