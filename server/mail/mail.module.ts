import { Module } from '@nestjs/common';
import { ConfirmEmailJob } from './confirm-email.job.js';
import { Mailer } from './mailer.js';

/** Letters to readers: the jobs of the queue `mail`. Needs `JobsModule`. */
@Module({ providers: [Mailer, ConfirmEmailJob] })
export class MailModule {}
