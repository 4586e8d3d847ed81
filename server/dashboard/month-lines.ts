import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { MONTH_DAYS, monthBefore } from '#contracts/borrowing/borrow-part.js';
import { borrowStatusSchema } from '#contracts/borrowing/borrow-status.js';
import type { Today } from '#contracts/dashboard/today.js';
import { addDays, startOfDay } from '#contracts/local-day.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { DATABASE } from '#platform/tokens.js';

type DayCounts = Today['month'][number];

/** Milliseconds for which the days before this one are not counted again: little can still change in them. */
const PAST_KEPT = 10 * 60_000;

const countsRow = z.object({ rents: z.int(), returns: z.int() });

/** How many borrows were rented and returned on each day of the last month, by the library's calendar. */
@Injectable()
export class MonthLines {
  private past: { of: string; until: number; days: Promise<DayCounts[]> } | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
  ) {}

  /** The oldest day first, `today` last. */
  async until(today: string, timeZone: string): Promise<DayCounts[]> {
    const schema = await this.readModel.toRead();
    const [past, present] = await Promise.all([
      this.before(today, timeZone, schema),
      this.count([today], timeZone, schema),
    ]);
    return [...past, ...present];
  }

  private before(today: string, timeZone: string, schema: string): Promise<DayCounts[]> {
    const of = `${schema} ${timeZone} ${today}`;
    if (this.past?.of === of && performance.now() < this.past.until) return this.past.days;
    const first = monthBefore(today);
    const names = Array.from({ length: MONTH_DAYS - 1 }, (_, at) => addDays(first, at));
    const days = this.count(names, timeZone, schema);
    const past = { of, until: performance.now() + PAST_KEPT, days };
    this.past = past;
    days.catch(() => {
      if (this.past === past) this.past = undefined;
    });
    return days;
  }

  private async count(days: readonly string[], timeZone: string, schema: string): Promise<DayCounts[]> {
    const starts = days.map((day) => new Date(startOfDay(day, timeZone)));
    const ends = days.map((day) => new Date(startOfDay(addDays(day, 1), timeZone)));
    const rows = await queryRows(this.database, countsRow, {
      name: `month-lines-${schema}`,
      // Of each day and status by itself, so that both counts stay within an index.
      text: `select
          (select count(*) from ${schema}.borrow where status = any($3) and rented_at >= began and rented_at < ended)::integer
            - (select count(*) from ${schema}.borrow where undone and rented_at >= began and rented_at < ended)::integer as rents,
          (select count(*) from ${schema}.borrow
            where status = any($3) and returned_at >= began and returned_at < ended)::integer as returns
        from unnest($1::timestamptz[], $2::timestamptz[]) with ordinality as day (began, ended, place) order by place`,
      values: [starts, ends, borrowStatusSchema.options],
    });
    return rows.map((counts, at) => ({ day: days[at] ?? '', ...counts }));
  }
}
