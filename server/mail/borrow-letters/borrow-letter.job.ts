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
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { LetterDelivery, type AddressedLetter } from '../letter-delivery.js';
import { decideLetter, type AskedLetter } from './borrow-letter.decider.js';
import { borrowLetter } from './borrow.letter.js';

/** `accountId`: the reader's pseudonym in the log. */
type LetterJob = AskedLetter & { accountId: string };

/**
 * Sends the letters about borrows. The job carries ids only; text and recipient are read from the log and the account
 * when it is sent.
 */
@Injectable()
export class BorrowLetterJob implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly delivery: LetterDelivery,
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  onModuleInit(): void {
    for (const kind of LETTER_KINDS) {
      this.jobs.handle('letters', kind, (data, context) => this.work({ kind, ...data }, context));
    }
  }

  private async work(job: LetterJob, context: JobContext): Promise<void> {
    const { kind, cause, accountId, borrowId } = job;
    await this.delivery.deliver(
      {
        cause,
        about: { letter: kind, accountId, borrowId },
        write: () => this.write(job),
        sent: 'a letter was sent',
        dropped: 'a letter had nothing to say any more',
      },
      context,
    );
  }

  private async write(job: LetterJob): Promise<AddressedLetter | undefined> {
    const account = await this.accounts.findOneBy({
      pseudonym: job.accountId,
      emailConfirmed: true,
    });
    if (!account) return undefined;
    const events = await this.log.readStream('borrows', job.accountId);
    const letter = decideLetter(
      job,
      borrowEventsIn(events),
      this.clock.now().toISOString(),
      borrowRules(this.timeZone.name),
    );
    if (!letter) return undefined;
    const content = borrowLetter(letter, {
      firstname: account.firstname,
      site: publicUrl(this.settings),
      library: this.settings.APP_TITLE ?? 'Lectern',
      timeZone: this.timeZone.name,
    });
    return { to: account.email, content, id: letterId(job.cause) };
  }
}
