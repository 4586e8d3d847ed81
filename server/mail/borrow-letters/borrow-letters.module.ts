import { Module } from '@nestjs/common';
import { MailModule } from '../mail.module.js';
import { BorrowLetterJob } from './borrow-letter.job.js';
import { DueReminderJob } from './due-reminder.job.js';
import { LetterLedger } from './letter-ledger.js';

/** Letters about borrows: the jobs of the queue `letters`. Needs `JobsModule`, and the event log. */
@Module({ imports: [MailModule], providers: [LetterLedger, BorrowLetterJob, DueReminderJob] })
export class BorrowLettersModule {}
