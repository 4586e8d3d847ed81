import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Database } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { Notifications } from '#platform/database/notifications.js';
import { Jobs } from '#platform/jobs/jobs.js';
import type { SendBatch } from '#letters/letter-queue-worker.js';
import { LetterRelay } from '#letters/letter-relay.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { LetterDelivery } from './letter-delivery.js';
import { LetterLedger } from './letter-ledger.js';
import { LinkLettersJob } from './link-letters.job.js';
import { Mailer } from './mailer.js';
import { NoticesJob } from './notices.job.js';

/** Letters to readers: the jobs of the queue `mail`. Needs `JobsModule` and `OneTimeLinksModule`. */
@Module({
  imports: [CqrsModule, TypeOrmModule.forFeature([AccountEntity])],
  providers: [
    {
      provide: LetterRelay,
      inject: [DATABASE, Notifications, Jobs, LetterDelivery, LOGGER],
      useFactory: (
        database: Database,
        notifications: Notifications,
        jobs: Jobs,
        delivery: LetterDelivery,
        logger: Logger,
      ) => {
        const send: SendBatch = (...batch) => delivery.sendBatch(...batch);
        const relay = new LetterRelay(database, notifications, jobs, send, logger);
        jobs.feedFrom(relay);
        return relay;
      },
    },
    Mailer,
    LetterLedger,
    LetterDelivery,
    LinkLettersJob,
    NoticesJob,
  ],
  exports: [LetterLedger, LetterDelivery, Mailer, TypeOrmModule],
})
export class MailModule {}
