import * as m from '#words/messages.js';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { addDays, localDay } from '#contracts/local-day.js';
import { Clock } from '#platform/clock.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';

const blockedRow = z.object({
  pseudonym: z.string(),
  by: z.enum(['reader', 'card', 'membership']),
  /** The last day of the membership. */
  until: z.string().nullable(),
});

/** Milliseconds between two looks for memberships that end: each is known a day before. */
const EVERY = 3_600_000;

/**
 * The readers who may not rent and may not be handed a book, because a librarian blocked them or their cards, or their
 * membership is over. They are few:
 * each process knows them all, so that no rent asks the database, and hears of a change at once.
 */
@Injectable()
export class ReaderBlocks implements OnApplicationBootstrap, OnModuleDestroy {
  private blocked: ReadonlyMap<string, Pick<z.output<typeof blockedRow>, 'by' | 'until'>> = new Map();
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> = Promise.resolve();
  private readonly onChange = () => void this.readAgain();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.notifications.on('readerBlocks', this.onChange);
    this.notifications.on('gap', this.onChange);
    this.timer = setInterval(this.onChange, EVERY);
    await this.readAgain();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.notifications.off('readerBlocks', this.onChange);
    this.notifications.off('gap', this.onChange);
  }

  /**
   * @param readerId the reader's pseudonym
   * @throws DomainError ReaderBlocked
   */
  refuse(readerId: string, where: 'online' | 'desk'): void {
    const words = this.wordsFor(readerId, where);
    if (words !== undefined) throw new DomainError('ReaderBlocked', words);
  }

  /** What is said of the reader's block; nothing where there is none. */
  wordsFor(readerId: string, where: 'online' | 'desk'): string | undefined {
    const { by, until = null } = this.blocked.get(readerId) ?? {};
    if (by === undefined || (until !== null && until >= this.today())) return undefined;
    return WORDS[where][by]();
  }

  private today(): string {
    return localDay(this.clock.now().getTime(), this.timeZone.name);
  }

  /** One look after the other: the last one to begin has the last word. */
  private readAgain(): Promise<void> {
    this.reading = this.reading
      .then(() => this.read())
      .catch((error: unknown) => {
        this.logger.warn({ error }, 'the blocked readers could not be read; those known before stay blocked');
      });
    return this.reading;
  }

  private async read(): Promise<void> {
    const rows = await queryRows(
      this.database,
      blockedRow,
      `select pseudonym, 'membership' as by, to_char(member_until, 'YYYY-MM-DD') as until from account where member_until < $1
       union all
       select a.pseudonym, 'card', null from reader_card c join account a on a.id = c.account_id
         where c.replaced_at is null and c.blocked_at is not null
       union all
       select a.pseudonym, 'reader', null from reader_notice n join account a on a.id = n.account_id where n.blocks`,
      [addDays(this.today(), 2)],
    );
    this.blocked = new Map(rows.map(({ pseudonym, ...block }) => [pseudonym, block]));
  }
}

const WORDS = {
  online: {
    membership: m.borrow_blocked_membership_online,
    card: m.borrow_blocked_card_online,
    reader: m.borrow_blocked_reader_online,
  },
  desk: {
    membership: m.borrow_blocked_membership_desk,
    card: m.borrow_blocked_card_desk,
    reader: m.borrow_blocked_reader_desk,
  },
} as const;
