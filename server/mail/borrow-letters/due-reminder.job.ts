import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { addDays, localDay, startOfDay } from '#contracts/local-day.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { requestLetters } from '#letters/notification-request.js';
import { LibraryRules } from '#rules/library-rules.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { LetterLedger } from '../letter-ledger.js';

const HOUR = 3_600_000;
const BATCH = 200;

const dueBorrow = z.object({
  borrow_id: z.string(),
  reader_id: z.string(),
  /** ISO 8601 in UTC, as in the events. */
  due_date: z.string(),
  cause: z.string(),
});

/**
 * The hourly search for borrows that are due today or on one of the next days, as many as the rules say: one reminder for each due date of a borrow. The letter itself
 * checks whether the borrow is still due.
 */
@Injectable()
export class DueReminderJob implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly ledger: LetterLedger,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.repeat('letters', 'find-due', HOUR, (_data, { jobId }) => this.find(jobId));
  }

  /** @returns how many reminders were requested */
  private async find(correlationId: string): Promise<{ reminders: number }> {
    const now = this.clock.now();
    let reminders = 0;
    for (;;) {
      const asked = await inTransaction(this.database, (transaction) =>
        this.remind(transaction, now, correlationId),
      );
      reminders += asked;
      if (asked < BATCH) break;
    }
    await this.ledger.prune();
    this.logger.info({ reminders, correlationId }, 'what is due soon was looked at');
    return { reminders };
  }

  private async remind(transaction: Connection, now: Date, correlationId: string): Promise<number> {
    const zone = this.rules.timeZone.name;
    const { reminderDays } = this.rules.shownAt(now.toISOString());
    const today = localDay(now.getTime(), zone);
    const dayBegins = (inDays: number) => new Date(startOfDay(addDays(today, inDays), zone));
    const rows = await queryRows(
      transaction,
      dueBorrow,
      `with due as (
         select borrow_id, reader_id, to_char(due_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as due_date
         from ${await this.readModel.toRead()}.borrow
         where status = 'Issued' and due_date >= $1 and due_date < $2
       ), caused as (select *, 'due-' || borrow_id || '-' || due_date as cause from due)
       select * from caused where not exists (select from letters.letter l where l.cause = caused.cause)
       order by due_date, borrow_id limit $3`,
      [dayBegins(0), dayBegins(reminderDays + 1), BATCH],
    );
    const requests = rows.map(({ borrow_id: borrowId, reader_id: accountId, due_date: dueDate, cause }) => ({
      kind: 'due-soon' as const,
      data: { cause, accountId, borrowId, dueDate },
      causedAt: now.toISOString(),
      correlationId,
    }));
    await requestLetters(transaction, requests);
    return rows.length;
  }
}
