import { createHmac, type BinaryLike } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#platform/clock.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { TooManyAttempts } from '../../http/too-many-attempts.js';

/** How long somebody waits for their turn, and how long they have then to come. */
const WAIT_MS = 5 * 60_000;
const KEPT_MS = 15 * 60_000;

const turnRow = z.object({ from: z.date() });

/**
 * One attempt each for those who have waited, at something whose common limit is used up: whoever uses it up cannot
 * keep the others out for longer than the wait.
 */
export class Cooldown {
  constructor(
    private readonly what: string,
    private readonly database: Queryable,
    private readonly clock: Clock,
    private readonly secret: BinaryLike,
  ) {}

  /**
   * Takes the key's turn, once.
   * @param accountId whose new password resets the wait
   * @throws TooManyAttempts if it has not come yet: the wait begins with the first call
   */
  async take(key: string, accountId?: string): Promise<void> {
    const now = this.clock.now();
    const hash = createHmac('sha256', this.secret).update(`${this.what} ${key}`).digest();
    const { rowCount } = await this.database.query(
      'delete from attempt where what = $1 and key = $2 and at[1] <= $3 and expires_at > $3',
      [this.what, hash, now],
    );
    if (rowCount === 1) return;
    const from = new Date(now.getTime() + WAIT_MS);
    const turn = await queryRow(
      this.database,
      turnRow,
      `insert into attempt as turn (what, key, at, expires_at, account_id) values ($1, $2, array[$3::timestamptz], $4, $5)
       on conflict (what, key) do update set
         at = case when turn.expires_at > $6 then turn.at else excluded.at end,
         expires_at = case when turn.expires_at > $6 then turn.expires_at else excluded.expires_at end
       returning at[1] as "from"`,
      [this.what, hash, from, new Date(from.getTime() + KEPT_MS), accountId ?? null, now],
    );
    const wait = (turn?.from ?? from).getTime() - now.getTime();
    throw new TooManyAttempts(Math.max(1, Math.ceil(wait / 1000)));
  }
}
