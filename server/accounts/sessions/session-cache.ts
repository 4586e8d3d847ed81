import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { NotifiedCache } from '#platform/database/notified-cache.js';
import { Notifications } from '#platform/database/notifications.js';
import { queryRow } from '#platform/database/query-rows.js';
import { FURTHER_RIGHTS, furtherRightsRow, rightsOfAccount } from '../rights.js';
import { DATABASE } from '#platform/tokens.js';

/** In SQL, of a row of the table `account`: whether the account has a second factor. */
const HAS_SECOND_FACTOR = `(
  exists (select from totp where totp.account_id = account.id and totp.confirmed_at is not null)
  or exists (select from passkey where passkey.account_id = account.id))`;

const standingRow = z
  .object({
    accountId: z.string(),
    pseudonym: z.string(),
    username: z.string(),
    roles: z.array(z.string()),
    further: furtherRightsRow,
    hasSecondFactor: z.boolean(),
    /** It was given to the provider that the session was begun by. */
    hasSecondFactorElsewhere: z.boolean(),
    /** Tokens with another number are refused. */
    session: z.int(),
    lastUsed: z.date(),
    expires: z.date(),
    authenticatedAt: z.date(),
    confirmedAt: z.date().nullable(),
    secondFactorAt: z.date().nullable(),
  })
  .transform(({ further, ...row }) => ({ ...row, rights: rightsOfAccount(row.roles, further) }));

/** A session with the properties of its account that decide about a call, at present. */
export type SessionStanding = z.output<typeof standingRow>;

const MAX_SESSIONS = 10_000;

/** Caches the sessions that made a call recently. A change of an account or of its sessions invalidates them at once. */
@Injectable()
export class SessionCache extends NotifiedCache<SessionStanding> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    notifications: Notifications,
  ) {
    super(notifications, 'accounts', MAX_SESSIONS);
  }

  /**
   * Notes a use of a session that was looked up just now.
   * @returns whether it is to be written: its last one is longer ago than that
   */
  noteUse(sid: string, at: Date, notMoreOftenThanMs: number): boolean {
    const standing = this.known(sid);
    if (!standing || at.getTime() - standing.lastUsed.getTime() < notMoreOftenThanMs) return false;
    standing.lastUsed = at;
    return true;
  }

  /** Invalidates the sessions of an account that just changed. */
  forgetAccount(accountId: string): void {
    this.forgetWhere((standing) => standing.accountId === accountId);
  }

  protected override changed(accountId: string): void {
    this.forgetAccount(accountId);
  }

  protected async read(sid: string): Promise<SessionStanding | undefined> {
    // By SQL, for speed: the first call of a session in half a minute waits for this.
    return queryRow(
      this.database,
      standingRow,
      `select account_id as "accountId", pseudonym, username, roles, ${FURTHER_RIGHTS} as further, ${HAS_SECOND_FACTOR} as "hasSecondFactor",
         coalesce(sign_on -> 'mfa' = 'true', false) as "hasSecondFactorElsewhere", session, last_used as "lastUsed", expires,
         authenticated_at as "authenticatedAt", confirmed_at as "confirmedAt", second_factor_at as "secondFactorAt"
       from session join account on account.id = account_id where session.id = $1`,
      [sid],
    );
  }
}
