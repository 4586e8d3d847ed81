import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { NotifiedCache } from '#platform/database/notified-cache.js';
import { Notifications } from '#platform/database/notifications.js';
import { personOfAccount } from '#platform/database/people.js';
import { DATABASE } from '#platform/tokens.js';

const MAX_ACCOUNTS = 20_000;

/**
 * What the log calls the owners of accounts, for the desk's commands: each is about a reader who is asked for again soon. An account
 * keeps its pseudonym while it exists.
 */
@Injectable()
export class Pseudonyms implements OnModuleInit, OnModuleDestroy {
  private readonly pseudonyms = new NotifiedCache<string>({
    max: MAX_ACCOUNTS,
    read: (accountId) => this.read(accountId),
  });
  private leave: (() => void) | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.leave = this.pseudonyms.follow(this.notifications, 'accounts');
  }

  onModuleDestroy(): void {
    this.leave?.();
  }

  /**
   * The pseudonym of an account that is there, for a command that begins something of a reader.
   * @throws DomainError NotFound
   */
  async ofAccount(accountId: string): Promise<string> {
    const pseudonym = await this.pseudonyms.get(accountId);
    if (pseudonym === undefined) throw new DomainError('NotFound', 'There is no such reader.');
    return pseudonym;
  }

  /** The pseudonym of an account; the id itself where there is no such account. */
  async of(accountId: string): Promise<string> {
    return (await this.pseudonyms.get(accountId)) ?? accountId;
  }

  private async read(accountId: string): Promise<string | undefined> {
    const { fullname, pseudonym } = await personOfAccount(this.database, accountId);
    return fullname === null ? undefined : pseudonym;
  }
}
