import { Module } from '@nestjs/common';
import { LinkLettersJob } from './link-letters.job.js';
import { Mailer } from './mailer.js';
import { PasswordChangedJob } from './password-changed.job.js';

/** Letters to readers: the jobs of the queue `mail`. Needs `JobsModule`. */
@Module({ providers: [Mailer, LinkLettersJob, PasswordChangedJob], exports: [Mailer] })
export class MailModule {}
