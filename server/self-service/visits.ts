import { randomUUID } from 'node:crypto';
import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { z } from 'zod';
import { BORROWER, borrowerRow, type Borrower } from './borrower.js';

/** Minutes after the last call of a visit in which it goes on. The page ends it much sooner. */
const MINUTES = 2;

/** The reader at each kiosk: the page has the visit's id alone, which opens nothing without the kiosk's own cookie. */
@Injectable()
export class Visits {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns the visit's id; whoever was there before has gone */
  async begin(deviceId: string, { accountId }: Borrower): Promise<string> {
    const id = randomUUID();
    await this.database.query(
      `insert into self_service_visit (device_id, id, account_id, seen_at) values ($1, $2, $3, $4)
       on conflict (device_id) do update set id = excluded.id, account_id = excluded.account_id, seen_at = excluded.seen_at`,
      [deviceId, id, accountId, this.clock.now()],
    );
    return id;
  }

  /**
   * Whose visit it is, which goes on.
   * @throws DomainError VisitOver
   */
  async readerOf(deviceId: string, visit: string): Promise<Borrower> {
    const reader = await this.goOn(deviceId, 'id', visit);
    if (!reader) throw new DomainError('VisitOver', m.kiosk_visit_over());
    return reader;
  }

  /** Whether the visit of a reader at a device goes on. */
  async goesOn(deviceId: string, { accountId }: Borrower): Promise<boolean> {
    return (await this.goOn(deviceId, 'account_id', accountId)) !== undefined;
  }

  /**
   * Whoever is at a device goes; with a visit, if it is theirs.
   * @returns the pseudonym of the reader, where the visit was not over before
   */
  async end(deviceId: string, visit: string | null = null): Promise<{ pseudonym: string } | undefined> {
    return queryRow(
      this.database,
      z.object({ pseudonym: z.string() }),
      `delete from self_service_visit v using account a
       where v.device_id = $1 and v.id = coalesce($2, v.id) and a.id = v.account_id returning a.pseudonym`,
      [deviceId, visit],
    );
  }

  private goOn(deviceId: string, by: 'id' | 'account_id', value: string): Promise<Borrower | undefined> {
    return queryRow(
      this.database,
      borrowerRow,
      `update self_service_visit v set seen_at = $3 from account a
       where v.device_id = $1 and v.${by} = $2 and v.seen_at > $3::timestamptz - make_interval(mins => ${MINUTES})
         and a.id = v.account_id
       returning ${BORROWER}`,
      [deviceId, value, this.clock.now()],
    );
  }
}
