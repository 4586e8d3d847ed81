import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { SystemStatusView, Waiting } from '#contracts/dashboard/system-status.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { lettersDue } from '#letters/due-letter.js';
import { DATABASE } from '#platform/tokens.js';
import { withTimeout } from '#platform/with-timeout.js';

const waitingRow = z.object({ count: z.int(), oldest: z.date().nullable() });

/** Counts what waits to be done. */
@Injectable()
export class PendingWork {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  /** @param patience milliseconds; what cannot be counted in that time is null */
  async count(patience: number): Promise<SystemStatusView['waiting']> {
    const attempt = <Result>(work: Promise<Result>) =>
      withTimeout(patience, work, 'no answer in time').catch(() => null);
    const [letters, outbox, payments, queues] = await Promise.all([
      attempt(this.letters()),
      attempt(this.rows('select count(*)::integer as count, min(created) as oldest from outbox')),
      attempt(
        this.rows(
          `select count(*)::integer as count, min(created) as oldest from payment_transaction
           where status in ('open', 'refunding')`,
        ),
      ),
      attempt(this.queues()),
    ]);
    return { letters, outbox, payments, queues };
  }

  private async letters(): Promise<Waiting> {
    const { due, oldestSeconds } = await lettersDue(this.database);
    const oldest = due > 0 ? new Date(Date.now() - oldestSeconds * 1000).toISOString() : null;
    return { count: due, oldest };
  }

  private async rows(statement: string): Promise<Waiting> {
    const row = await queryRow(this.database, waitingRow, statement);
    return row ? { count: row.count, oldest: row.oldest?.toISOString() ?? null } : null;
  }

  private async queues(): Promise<NonNullable<SystemStatusView['waiting']['queues']>> {
    const depths = await this.jobs.depths();
    return [...depths].map(([name, { waiting = 0, active = 0, delayed = 0, failed = 0 }]) => ({
      ...{ name, waiting, active, delayed, failed },
    }));
  }
}
