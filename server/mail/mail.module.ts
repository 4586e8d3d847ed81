import { Module } from '@nestjs/common';
import { ConfirmEmailJob } from './confirm-email.job.js';
import { Mailer } from './mailer.js';
import { PasswordChangedJob } from './password-changed.job.js';
import { ResetPasswordJob } from './reset-password.job.js';

/** Letters to readers: the jobs of the queue `mail`. Needs `JobsModule`. */
@Module({ providers: [Mailer, ConfirmEmailJob, ResetPasswordJob, PasswordChangedJob], exports: [Mailer] })
export class MailModule {}
