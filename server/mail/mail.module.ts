import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { GuessedAtJob } from './guessed-at.job.js';
import { LinkLettersJob } from './link-letters.job.js';
import { Mailer } from './mailer.js';
import { PasswordChangedJob } from './password-changed.job.js';
import { SecondFactorChangedJob } from './second-factor-changed.job.js';

/** Letters to readers: the jobs of the queue `mail`. Needs `JobsModule` and `OneTimeLinksModule`. */
@Module({
  imports: [CqrsModule, TypeOrmModule.forFeature([AccountEntity])],
  providers: [Mailer, GuessedAtJob, LinkLettersJob, PasswordChangedJob, SecondFactorChangedJob],
  exports: [Mailer, TypeOrmModule],
})
export class MailModule {}
