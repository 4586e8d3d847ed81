import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';

const blockedRow = z.object({ pseudonym: z.string(), by: z.enum(['reader', 'card']) });

/**
 * The readers who may not rent and may not be handed a book, because a librarian blocked them or their cards. They are few:
 * each process knows them all, so that no rent asks the database, and hears of a change at once.
 */
@Injectable()
export class ReaderBlocks implements OnApplicationBootstrap, OnModuleDestroy {
  private blocked: ReadonlyMap<string, 'reader' | 'card'> = new Map();
  private reading: Promise<void> = Promise.resolve();
  private readonly onChange = () => void this.readAgain();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly notifications: Notifications,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.notifications.on('readerBlocks', this.onChange);
    this.notifications.on('gap', this.onChange);
    await this.readAgain();
  }

  onModuleDestroy(): void {
    this.notifications.off('readerBlocks', this.onChange);
    this.notifications.off('gap', this.onChange);
  }

  /**
   * @param readerId the reader's pseudonym
   * @throws DomainError ReaderBlocked
   */
  refuse(readerId: string, where: 'online' | 'desk'): void {
    const by = this.blocked.get(readerId);
    if (by !== undefined) throw new DomainError('ReaderBlocked', WORDS[where][by]);
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
      `select a.pseudonym, 'card' as by from reader_card c join account a on a.id = c.account_id
         where c.replaced_at is null and c.blocked_at is not null
       union all
       select a.pseudonym, 'reader' from reader_notice n join account a on a.id = n.account_id where n.blocks`,
    );
    this.blocked = new Map(rows.map(({ pseudonym, by }) => [pseudonym, by]));
  }
}

const WORDS = {
  online: {
    card: 'Your library card is blocked, so nothing can be rented. Please come to the desk, or write to the library.',
    reader: 'The library asks you to come to the desk before you rent again. Nothing was rented.',
  },
  desk: {
    card: 'This reader’s card is blocked: nothing can be handed out until the block is lifted on the reader’s page.',
    reader: 'This reader is blocked: the reason is on the reader’s page, where the block can be lifted.',
  },
} as const;
