import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { personOfAccount } from '#platform/database/people.js';
import { DATABASE } from '#platform/tokens.js';

const MAX_ACCOUNTS = 20_000;
/** How long a change may go unnoticed while notifications are down. An account keeps its pseudonym while it exists. */
const LONGEST_AGE_MS = 30_000;

/** What the log calls the owners of accounts, for the desk's commands: each is about a reader who is asked for again soon. */
@Injectable()
export class Pseudonyms implements OnModuleInit, OnModuleDestroy {
  private readonly known = new LRUCache<string, string>({ max: MAX_ACCOUNTS, ttl: LONGEST_AGE_MS });
  private readonly onAccount = (accountId: string) => void this.known.delete(accountId);
  private readonly onGap = () => this.known.clear();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.notifications.on('accounts', this.onAccount);
    this.notifications.on('gap', this.onGap);
  }

  onModuleDestroy(): void {
    this.notifications.off('accounts', this.onAccount);
    this.notifications.off('gap', this.onGap);
  }

  /**
   * The pseudonym of an account that is there, for a command that begins something of a reader.
   * @throws DomainError NotFound
   */
  async ofAccount(accountId: string): Promise<string> {
    const pseudonym = await this.of(accountId);
    if (this.known.has(accountId)) return pseudonym;
    throw new DomainError('NotFound', 'There is no such reader.');
  }

  /** The pseudonym of an account; the id itself where there is no such account. */
  async of(accountId: string): Promise<string> {
    const known = this.known.get(accountId);
    if (known !== undefined) return known;
    const { fullname, pseudonym } = await personOfAccount(this.database, accountId);
    if (fullname !== null) this.known.set(accountId, pseudonym);
    return pseudonym;
  }
}
