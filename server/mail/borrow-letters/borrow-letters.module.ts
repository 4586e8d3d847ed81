import { Module } from '@nestjs/common';
import { MailModule } from '../mail.module.js';
import { BorrowFacts } from './borrow-facts.js';
import { BorrowLetterJob } from './borrow-letter.job.js';
import { DueReminderJob } from './due-reminder.job.js';

/** Letters about borrows: the jobs of the queue `letters`. Needs `JobsModule`, and the event log. */
@Module({
  imports: [MailModule],
  providers: [BorrowFacts, BorrowLetterJob, DueReminderJob],
  exports: [BorrowLetterJob],
})
export class BorrowLettersModule {}
