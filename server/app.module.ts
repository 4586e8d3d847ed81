import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Clock } from '#platform/clock.js';
import { processableQueues } from '#platform/jobs/job-map.js';
import type { JobOptions } from '#platform/jobs/jobs.js';
import { JobsModule } from '#platform/jobs/jobs.module.js';
import type { Logger } from '#platform/logging.js';
import { PlatformModule } from '#platform/platform.module.js';
import { LibraryRulesModule } from '#rules/library-rules.module.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuditModule } from './audit/audit.module.js';
import { BorrowingModule } from './borrowing/borrowing.module.js';
import { CatalogueAdminModule } from './catalogue/catalogue-admin.module.js';
import { CatalogueModule } from './catalogue/catalogue.module.js';
import { Harvest } from './catalogue/exchange/oai/harvest.js';
import { OaiRepository } from './catalogue/exchange/oai/repository.js';
import { SearchRetrieve } from './catalogue/exchange/sru/search-retrieve.js';
import { ListsModule } from './catalogue/lists/lists.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { DeskModule } from './desk/desk.module.js';
import { ReadYourWritesModule } from './http/read-your-writes.js';
import { SecurityLog } from './http/security-log.js';
import { InsightModule } from './insight/insight.module.js';
import { LibraryModule } from './library/library.module.js';
import { LiveModule } from './live/live.module.js';
import { BorrowLettersModule } from './mail/borrow-letters/borrow-letters.module.js';
import { OwnLettersModule } from './mail/own-letters/own-letters.module.js';
import { OneTimeLinksModule } from './accounts/one-time-links.commands.js';
import { ReaderImportJobsModule } from './accounts/reader-import/reader-import.jobs.js';
import { UnconfirmedAccountsModule } from './accounts/registration/unconfirmed-accounts.js';
import { MailModule } from './mail/mail.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { QueuesModule } from './job-queues/queues.module.js';
import { PublicPagesModule } from './public-pages/public-pages.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { RulesModule } from './rules/rules.module.js';
import { WhatIfModule } from './rules/what-if/what-if.module.js';
import { SelfServiceModule } from './self-service/self-service.module.js';
import { StockTakingModule } from './stock-taking/stock-taking.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The server: commands, queries, HTTP, live gateway, jobs. */
@Module({})
export class AppModule {
  /** @param jobs how the queues are worked off, where not as usual */
  static with(settings: ResolvedSettings, logger: Logger, clock?: Clock, jobs?: JobOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.with(settings, logger, clock),
        LibraryRulesModule,
        CqrsModule.forRoot(),
        ReadYourWritesModule,
        // Express looks through the routes in their order: the calls that are made most come first.
        BorrowingModule,
        AccountsModule,
        CatalogueModule,
        CatalogueAdminModule,
        ListsModule,
        PaymentsModule.with(settings),
        AuditModule,
        DashboardModule,
        DeskModule,
        LiveModule,
        JobsModule.forRoot(settings.JOBS === 'on' ? processableQueues(settings) : [], jobs),
        OneTimeLinksModule,
        UnconfirmedAccountsModule,
        ReaderImportJobsModule,
        MailModule,
        OperationsModule,
        BorrowLettersModule,
        QueuesModule,
        ReportsModule,
        WhatIfModule.answering(settings.JOBS === 'on'),
        RulesModule,
        LibraryModule,
        PublicPagesModule,
        OwnLettersModule,
        StockTakingModule,
        SelfServiceModule,
        InsightModule,
        WebhooksModule.answering(settings.JOBS === 'on'),
      ],
      // No interceptor of all calls: each would make several promises and observables for every one of them.
      providers: [SecurityLog, Harvest, OaiRepository, SearchRetrieve],
    };
  }
}
