import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#platform/clock.js';
import type { Queryable, Statements } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { TooManyAttempts } from '../http/too-many-attempts.js';

/** How many attempts a key has within a sliding window of so many milliseconds. */
export interface AttemptAllowance {
  /** The name under which they are counted: `sign-in`. */
  what: string;
  attempts: number;
  windowMs: number;
}

const oldestRow = z.object({ oldest: z.date().nullable() });

/** Rows whose time is over that an attempt takes away with it: more than it adds, so that they never gather. */
const MAX_CLEARED = 10;

/**
 * Counts attempts per key in a sliding window, in the database: the same for every server, and after a restart.
 * Where the database does not answer no attempt is let through.
 */
export class AttemptLimit {
  /** @param secret of the hash under which keys are stored: who has the database alone cannot try addresses out */
  constructor(
    private readonly allowance: AttemptAllowance,
    private readonly database: Queryable,
    private readonly clock: Clock,
    private readonly secret: string,
  ) {}

  /**
   * Counts an attempt before its outcome is known, so that many at once cannot slip by together.
   * @param key what is counted by; stored as a hash
   * @param name of the account that is tried, by username or e-mail address; it is not stored
   * @throws TooManyAttempts when the key has used up its allowance
   */
  async take(key: string, name?: string): Promise<void> {
    const { what, attempts, windowMs } = this.allowance;
    const now = this.clock.now().getTime();
    const since = new Date(now - windowMs);
    const hash = this.hashOf(key);
    // The row is locked by whoever comes first; who waited counts what that one wrote. Rows of others are passed over
    // where somebody works on them, so that nobody waits for two.
    const { rowCount } = await this.database.query(
      `with cleared as (
         delete from attempt where (what, key) in (
           select what, key from attempt where expires_at < $4 and (what, key) <> ($1, $2)
           order by expires_at limit ${MAX_CLEARED} for update skip locked)
       )
       insert into attempt as counted (what, key, at, expires_at, account_id)
       values ($1, $2, array[$4::timestamptz], $5, (
         select id from account where lower(username) = lower($7) or lower(email) = lower($7)
         order by lower(email) = lower($7) desc limit 1))
       on conflict (what, key) do update set
         at = array(select each from unnest(counted.at) each where each > $3 order by each) || excluded.at,
         expires_at = excluded.expires_at,
         account_id = excluded.account_id
       where (select count(*) from unnest(counted.at) each where each > $3) < $6`,
      [what, hash, since, new Date(now), new Date(now + windowMs), attempts, name ?? null],
    );
    if (rowCount === 1) return;
    throw new TooManyAttempts(await this.secondsLeft(hash, since, now));
  }

  /** Forgets the key's attempts, when one of them turned out well. */
  async forget(key: string): Promise<void> {
    await this.database.query('delete from attempt where what = $1 and key = $2', [
      this.allowance.what,
      this.hashOf(key),
    ]);
  }

  /** Until the oldest attempt leaves the window. */
  private async secondsLeft(hash: Buffer, since: Date, now: number): Promise<number> {
    const row = await queryRow(
      this.database,
      oldestRow,
      `select (select min(each) from unnest(at) each where each > $3) as oldest
       from attempt where what = $1 and key = $2`,
      [this.allowance.what, hash, since],
    );
    const oldest = row?.oldest?.getTime() ?? since.getTime();
    return Math.max(1, Math.ceil((oldest + this.allowance.windowMs - now) / 1000));
  }

  private hashOf(key: string): Buffer {
    return createHmac('sha256', this.secret).update(`${this.allowance.what} ${key}`).digest();
  }
}

/** Forgets the wrong sign-ins to an account, by whichever of its names and from wherever. */
export async function forgetAttemptsAt(accountId: string, database: Statements): Promise<void> {
  await database.query('delete from attempt where account_id = $1', [accountId]);
}
