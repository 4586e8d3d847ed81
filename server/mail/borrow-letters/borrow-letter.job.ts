import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { borrowRules } from '#borrowing/borrow.policy.js';
import { Clock } from '#platform/clock.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { borrowEventsIn } from '#platform/event-log/borrow-events-in.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { Jobs, type JobContext } from '#platform/jobs/jobs.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { LETTER_KINDS, letterId } from '#platform/letters/notification-request.js';
import type { Logger } from '#platform/logging.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { Mailer } from '../mailer.js';
import { decideLetter, type AskedLetter } from './borrow-letter.decider.js';
import { borrowLetter } from './borrow.letter.js';
import { LetterLedger } from './letter-ledger.js';

/** `accountId`: the reader's pseudonym in the log. */
type LetterJob = AskedLetter & { accountId: string };
type Outcome = 'sent' | 'dropped';

/**
 * Sends the letters about borrows. The job carries ids only; text and recipient are read from the log and the account
 * when it is sent.
 */
@Injectable()
export class BorrowLetterJob implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly ledger: LetterLedger,
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    for (const kind of LETTER_KINDS) {
      this.jobs.handle('letters', kind, (data, context) => this.work({ kind, ...data }, context));
    }
  }

  /** @throws an Error if sending failed, or another process is sending it: then the job is retried */
  private async work(job: LetterJob, { jobId, correlationId }: JobContext): Promise<void> {
    const { kind, cause, accountId, borrowId } = job;
    const about = { jobId, letter: kind, accountId, borrowId, correlationId };
    const claimed = await this.ledger.claim(cause);
    if (claimed.kind === 'settled') return void this.logger.info(about, 'this letter is settled already');
    if (claimed.kind === 'taken') throw new Error('Another process is sending this letter.');
    let outcome: Outcome;
    try {
      outcome = await this.send(job);
    } catch (error) {
      await this.ledger.release(cause, claimed.claim);
      throw error;
    }
    await this.ledger.settle(cause, claimed.claim, outcome);
    this.logger.info(
      about,
      outcome === 'sent' ? 'a letter was sent' : 'a letter had nothing to say any more',
    );
  }

  private async send(job: LetterJob): Promise<Outcome> {
    const account = await this.accounts.findOneBy({
      pseudonym: job.accountId,
      emailConfirmed: true,
    });
    if (!account) return 'dropped';
    const events = await this.log.readStream('borrows', job.accountId);
    const letter = decideLetter(
      job,
      borrowEventsIn(events),
      this.clock.now().toISOString(),
      borrowRules(this.timeZone.name),
    );
    if (!letter) return 'dropped';
    const rendered = borrowLetter(letter, {
      firstname: account.firstname,
      site: publicUrl(this.settings),
      library: this.settings.APP_TITLE ?? 'Lectern',
      timeZone: this.timeZone.name,
    });
    await this.mailer.send(account.email, rendered, letterId(job.cause));
    return 'sent';
  }
}
