import { createHmac, type BinaryLike } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import type { Source } from '../session-origin.js';

const DAY_MS = 24 * 3_600_000;
const KEPT_DAYS = 180;

const knownRow = z.object({ address: z.boolean(), browser: z.boolean() });
type Known = z.output<typeof knownRow>;

/** The browsers and addresses from which the owners of accounts have signed in, as keyed hashes. */
export class KnownOrigins {
  /** @param isOneAddress whether strangers come from the same address as owners: none is known then */
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secret: BinaryLike,
    private readonly isOneAddress: boolean,
  ) {}

  /** Whether the account's owner has signed in from that address, and by that browser. */
  async know(accountId: string, source: Source): Promise<Known> {
    const row = await queryRow(
      this.database,
      knownRow,
      `select coalesce(bool_or(digest = $2), false) as address, coalesce(bool_or(digest = $3), false) as browser
       from known_origin where account_id = $1 and digest in ($2, $3) and last_seen > $4`,
      [accountId, ...this.digests(source), this.oldest()],
    );
    const { address = false, browser = false } = row ?? {};
    return { address: address && !this.isOneAddress, browser };
  }

  /** Whether anybody has signed in by that browser. */
  async isBrowserOfSomebody(source: Source): Promise<boolean> {
    const [, browser] = this.digests(source);
    const { rowCount } = await this.database.query(
      'select from known_origin where digest = $1 and last_seen > $2 limit 1',
      [browser, this.oldest()],
    );
    return rowCount === 1;
  }

  /** Remembers where the owner signed in, and forgets what nobody came from for half a year. */
  async remember(accountId: string, source: Source): Promise<void> {
    await this.database.query(
      `with forgotten as (
         delete from known_origin where (account_id, digest) in (
           select account_id, digest from known_origin where last_seen <= $5 limit 10 for update skip locked)
       )
       insert into known_origin (account_id, digest, last_seen)
       select id, digest, $4 from account, unnest(array[$2::bytea, $3::bytea]) digest where id = $1
       on conflict (account_id, digest) do update set last_seen = excluded.last_seen`,
      [accountId, ...this.digests(source), this.clock.now(), this.oldest()],
    );
  }

  private digests({ address, browser }: Source): [Buffer, Buffer] {
    const digest = (text: string) => createHmac('sha256', this.secret).update(text).digest();
    return [digest(`address ${address}`), digest(`browser ${browser}`)];
  }

  private oldest(): Date {
    return new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
  }
}
