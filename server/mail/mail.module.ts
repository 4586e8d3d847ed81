import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { LetterDelivery } from './letter-delivery.js';
import { LetterLedger } from './letter-ledger.js';
import { LinkLettersJob } from './link-letters.job.js';
import { Mailer } from './mailer.js';
import { NoticesJob } from './notices.job.js';

/** Letters to readers: the jobs of the queue `mail`. Needs `JobsModule` and `OneTimeLinksModule`. */
@Module({
  imports: [CqrsModule, TypeOrmModule.forFeature([AccountEntity])],
  providers: [Mailer, LetterLedger, LetterDelivery, LinkLettersJob, NoticesJob],
  exports: [LetterLedger, LetterDelivery, TypeOrmModule],
})
export class MailModule {}
