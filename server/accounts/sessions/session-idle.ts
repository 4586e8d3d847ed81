import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import type { Database, Queryable } from '#platform/database/database.js';
import { CHANNELS } from '#platform/database/notifications.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import { IS_STAFF } from '../rights.js';

/** The last use of a session is written no more often. */
export const LAST_USE_WRITE_INTERVAL_MS = 60_000;
const SWEEP_EVERY_MS = 60_000;

export type IdleSettings = Pick<ResolvedSettings, 'SESSION_IDLE_MINUTES' | 'STAFF_SESSION_IDLE_MINUTES'>;

/**
 * Milliseconds after its written last use from which a session that nobody used has ended. A use that is not
 * written yet adds up to a minute: nobody is signed out too early.
 */
export function idleMs(settings: IdleSettings, isStaff: boolean): number {
  const minutes = isStaff ? settings.STAFF_SESSION_IDLE_MINUTES : settings.SESSION_IDLE_MINUTES;
  return minutes * 60_000 + LAST_USE_WRITE_INTERVAL_MS;
}

/** Removes sessions that have ended by their time; the processes that have live sockets of them close those. */
@Injectable()
export class SessionSweep implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => {
      this.running = removeEndedSessions(this.database, this.settings, this.clock.now()).catch(
        (error: unknown) => {
          this.logger.warn(
            { error },
            'sessions that have ended could not be removed; the next time they are',
          );
        },
      );
    }, SWEEP_EVERY_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}

/** Removes sessions that have ended by their time. */
export async function removeEndedSessions(
  database: Queryable,
  settings: IdleSettings,
  now: Date,
): Promise<void> {
  const before = (isStaff: boolean) => new Date(now.getTime() - idleMs(settings, isStaff));
  await database.query(
    `with ended as (
       delete from session using account
       where account.id = account_id and (expires <= $1
         or last_used < case when ${IS_STAFF} then $2::timestamptz else $3::timestamptz end)
       returning account_id
     )
     select pg_notify($4, account_id::text) from (select distinct account_id from ended)`,
    [now, before(true), before(false), CHANNELS.accounts],
  );
}
