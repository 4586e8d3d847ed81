import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { roleSchema } from '#contracts/accounts/account-views.js';
import type { Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';

const standingRow = z.object({
  pseudonym: z.string(),
  username: z.string(),
  roles: z.array(roleSchema),
  /** Tokens with another session number are refused. */
  session: z.int(),
});

/** The properties of an account that decide about a call, at present. */
export type AccountStanding = z.output<typeof standingRow>;

const MAX_ACCOUNTS = 10_000;
/** How long a revocation may go unnoticed while notifications are down. */
const LONGEST_AGE_MS = 30_000;

/** Caches the accounts that made a call recently. A change of an account invalidates its entry at once. */
@Injectable()
export class AccountCache implements OnModuleInit, OnModuleDestroy {
  private readonly standings = new LRUCache<string, AccountStanding>({
    max: MAX_ACCOUNTS,
    ttl: LONGEST_AGE_MS,
  });
  private readonly loading = new Map<string, Promise<AccountStanding | undefined>>();

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

  /** The account's status, or undefined if there is no such account. */
  async standing(accountId: string): Promise<AccountStanding | undefined> {
    return this.standings.get(accountId) ?? this.loading.get(accountId) ?? this.load(accountId);
  }

  /** Invalidates the entry of an account that just changed. */
  forget(accountId: string): void {
    this.standings.delete(accountId);
    this.loading.delete(accountId);
  }

  private load(accountId: string): Promise<AccountStanding | undefined> {
    const load = this.read(accountId)
      .then((standing) => {
        // The account changed during the read: the result may be stale.
        if (standing && this.loading.get(accountId) === load) this.standings.set(accountId, standing);
        return standing;
      })
      .finally(() => {
        if (this.loading.get(accountId) === load) this.loading.delete(accountId);
      });
    this.loading.set(accountId, load);
    return load;
  }

  private async read(accountId: string): Promise<AccountStanding | undefined> {
    // By SQL, for speed: the first call of an account in half a minute waits for this.
    return queryRow(
      this.database,
      standingRow,
      'select pseudonym, username, roles, session from account where id = $1',
      [accountId],
    );
  }

  private readonly onAccount = (accountId: string): void => this.forget(accountId);

  private readonly onGap = (): void => {
    this.standings.clear();
    this.loading.clear();
  };
}
