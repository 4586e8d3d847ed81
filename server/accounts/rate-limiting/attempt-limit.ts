import { createHmac, type BinaryLike } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#platform/clock.js';
import type { Queryable, Statements } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { TooManyAttempts } from '../../http/too-many-attempts.js';

/** A key's number of attempts within a sliding window in milliseconds. */
export interface AttemptAllowance {
  /** The name of the counter: `sign-in`. */
  what: string;
  attempts: number;
  windowMs: number;
}

const oldestRow = z.object({ oldest: z.date().nullable() });

/** Expired rows that an attempt deletes: more than it adds, so that they never accumulate. */
const MAX_CLEARED = 10;

/**
 * Counts attempts per key in a sliding window, in the database: for all servers together, and across restarts.
 * Without the database no attempt is allowed.
 */
export class AttemptLimit {
  /** @param secret for hashing the keys: somebody with the database alone cannot guess addresses */
  constructor(
    private readonly allowance: AttemptAllowance,
    private readonly database: Queryable,
    private readonly clock: Clock,
    private readonly secret: BinaryLike,
  ) {}

  /**
   * Counts an attempt before its result is known, so that concurrent ones cannot exceed the limit.
   * @param key to count by; stored as a hash
   * @param accountId of the account that is tried, if there is one: its new password resets the count
   * @returns its time, for `giveBack`
   * @throws TooManyAttempts when the key has used up its limit
   */
  async take(key: string, accountId?: string): Promise<Date> {
    const { what, attempts, windowMs } = this.allowance;
    const at = this.clock.now();
    const now = at.getTime();
    const since = new Date(now - windowMs);
    const hash = this.hashOf(key);
    // The first attempt locks the row; the next one waits and sees its count. The cleanup skips locked rows, so that
    // nobody waits for two locks.
    const { rowCount } = await this.database.query(
      `with cleared as (
         delete from attempt where (what, key) in (
           select what, key from attempt where expires_at < $4 and (what, key) <> ($1, $2)
           order by expires_at limit ${MAX_CLEARED} for update skip locked)
       )
       insert into attempt as counted (what, key, at, expires_at, account_id)
       values ($1, $2, array[$4::timestamptz], $5, $7)
       on conflict (what, key) do update set
         at = array(select each from unnest(counted.at) each where each > $3 order by each) || excluded.at,
         expires_at = excluded.expires_at,
         account_id = excluded.account_id
       where (select count(*) from unnest(counted.at) each where each > $3) < $6`,
      [what, hash, since, at, new Date(now + windowMs), attempts, accountId ?? null],
    );
    if (rowCount === 1) return at;
    throw new TooManyAttempts(await this.secondsLeft(hash, since, now));
  }

  /** Does not count an attempt after all: it succeeded, or something else refused it. */
  async giveBack(key: string, at: Date): Promise<void> {
    await this.database.query(
      `update attempt set at = at[:array_position(at, $3) - 1] || at[array_position(at, $3) + 1:]
       where what = $1 and key = $2 and $3 = any(at)`,
      [this.allowance.what, this.hashOf(key), at],
    );
  }

  /** Resets the key's attempts after a successful one. */
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

/** Resets the wrong sign-ins to an account, for all its names and from every address. */
export async function forgetAttemptsAt(accountId: string, database: Statements): Promise<void> {
  await database.query('delete from attempt where account_id = $1', [accountId]);
}
