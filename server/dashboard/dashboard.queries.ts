import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import { borrowStatusSchema, OPEN_STATUSES } from '#contracts/borrowing/borrow-status.js';
import type { DashboardStats } from '#contracts/dashboard/stats.js';
import { monthBefore } from '#contracts/borrowing/borrow-part.js';
import { addDays, localDay, startOfDay } from '#contracts/local-day.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { queryRow } from '#platform/database/query-rows.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';

/** The admin dashboard's six counters. */
export class DashboardCounters extends Query<DashboardStats> {}

const borrowCounters = z.object({ active: z.int(), expired: z.int(), borrowed: z.int() });
type BorrowCounters = z.output<typeof borrowCounters>;

const catalogueCounters = z.object({ books: z.int(), added: z.int(), users: z.int() });
type CatalogueCounters = z.output<typeof catalogueCounters>;

/** How long counts of the catalogue and the accounts may be old, in milliseconds: they are counted, not kept. */
const COUNTS_KEPT = 1_000;

@QueryHandler(DashboardCounters)
export class DashboardCountersHandler implements IQueryHandler<DashboardCounters> {
  private counted: { at: number; counters: Promise<CatalogueCounters> } | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
    notifications: Notifications,
  ) {
    const recount = () => (this.counted = undefined);
    notifications.on('accounts', recount);
    notifications.on('catalogue', recount);
    notifications.on('gap', recount);
  }

  async execute(): Promise<DashboardStats> {
    const zone = this.timeZone.name;
    const today = localDay(this.clock.now().getTime(), zone);
    const since = new Date(startOfDay(monthBefore(today), zone));
    const [borrows, catalogue] = await Promise.all([this.countBorrows(since), this.countCatalogue(since)]);
    return {
      totalBooks: catalogue.books,
      booksBorrowedLastMonth: borrows.borrowed,
      booksAddedLastMonth: catalogue.added,
      totalUsers: catalogue.users,
      activeBorrows: borrows.active,
      expiredRents: borrows.expired,
    };
  }

  private async countBorrows(since: Date): Promise<BorrowCounters> {
    const schema = await this.readModel.toRead();
    const counters = await queryRow(this.database, borrowCounters, {
      name: `borrow-counters-${schema}`,
      text: `select
        coalesce((select sum(borrows) from ${schema}.borrow_count where status = any($1)), 0)::integer as active,
        -- What was lent at the desk and undone never was.
        (coalesce((select borrows from ${schema}.borrow_count where status = 'Expired'), 0)
          - (select count(*) from ${schema}.borrow where undone))::integer as expired,
        -- Kept by days of UTC, whatever the library's zone is: of the day within which its own begins, rows are counted.
        (coalesce((select sum(books) from ${schema}.rented_on where day > ($2 at time zone 'UTC')::date), 0)
          + coalesce((select sum(jsonb_array_length(books)) from ${schema}.borrow
              where status = any($4) and rented_at >= $2 and rented_at < $3), 0)
          - coalesce((select sum(jsonb_array_length(books)) from ${schema}.borrow
              where undone and rented_at >= $2), 0))::integer as borrowed`,
      values: [
        OPEN_STATUSES,
        since,
        new Date(startOfDay(addDays(localDay(since.getTime(), 'UTC'), 1), 'UTC')),
        // Every status there is: the index over the time of rent has it first.
        borrowStatusSchema.options,
      ],
    });
    return counters ?? { active: 0, expired: 0, borrowed: 0 };
  }

  private countCatalogue(since: Date): Promise<CatalogueCounters> {
    const at = performance.now();
    if (this.counted && at - this.counted.at < COUNTS_KEPT) return this.counted.counters;
    const counters = queryRow(
      this.database,
      catalogueCounters,
      `select
        (select count(*) from book)::integer as books,
        (select count(*) from book where created >= $1)::integer as added,
        (select count(*) from account)::integer as users`,
      [since],
    ).then((row) => row ?? { books: 0, added: 0, users: 0 });
    this.counted = { at, counters };
    counters.catch(() => (this.counted = undefined));
    return counters;
  }
}
