import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { BOOK_REFUSALS } from '#contracts/self-service/refusal-texts.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { keyReused } from '../idempotency/refused-commands.js';

const ofCopy = { readerId: z.string(), title: z.string(), bookId: z.int(), copy: z.int() };
const planSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('refuse'), title: z.string().nullable(), why: z.enum(BOOK_REFUSALS) }),
  z.object({ do: z.literal('not-lent'), title: z.string(), isHeld: z.boolean() }),
  /** A new borrow, or what is kept for the reader by one that they have. */
  z.object({ do: z.literal('lend'), borrowId: z.string().nullable(), ...ofCopy }),
  z.object({ do: z.literal('take-back'), borrowId: z.string(), ...ofCopy }),
]);
/** What a scan at a device was found to ask for. */
export type Plan = z.output<typeof planSchema>;
const planRow = z.object({ plan: planSchema, asked: z.string() });

/** Hours for which a repeat gets the first plan: as long as refusals are remembered. */
const KEPT_HOURS = 24;

/**
 * What scans ask for depends on what is lent to whom, which doing it changes: so it is written down before it is done, and a
 * repeat sends the same command, whose answer is the first one's.
 */
@Injectable()
export class Plans {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * The plan that a device made by this key; else the one that is made now.
   * @throws DomainError IdempotencyKeyReused where it was for something else
   */
  async made(deviceId: string, key: string, asked: string, make: () => Promise<Plan>): Promise<Plan> {
    const row = (await this.read(deviceId, key)) ?? (await this.write(deviceId, key, asked, await make()));
    if (row.asked !== asked) throw keyReused();
    return row.plan;
  }

  private async write(deviceId: string, key: string, asked: string, plan: Plan) {
    const now = this.clock.now();
    await this.database.query(
      `with old as (
         delete from self_service_plan where made_at < $5::timestamptz - make_interval(hours => ${KEPT_HOURS}))
       insert into self_service_plan (device_id, key, asked, plan, made_at) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [deviceId, key, asked, plan, now],
    );
    // Of two at once, the one that came first.
    return (await this.read(deviceId, key)) ?? { plan, asked };
  }

  private read(deviceId: string, key: string) {
    return queryRow(
      this.database,
      planRow,
      'select plan, asked from self_service_plan where device_id = $1 and key = $2',
      [deviceId, key],
    );
  }
}
