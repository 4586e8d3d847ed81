import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { borrowListQuerySchema, type BorrowListQuery } from '#contracts/borrowing/borrow-views.js';
import { WORK_SHOWN, type Today, type Work, type WorkList } from '#contracts/dashboard/today.js';
import { localDay } from '#contracts/local-day.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import { ListBorrows } from '../borrowing/borrow.queries.js';
import { HoldFigures } from '../borrowing/holds/hold.queries.js';
import { ReadModelProgress } from '../read-models/read-model-progress.js';
import { MonthLines } from './month-lines.js';

/** Which part of the queue each list is, and what comes first in it. */
const LISTS: Record<Work, Partial<BorrowListQuery>> = {
  toHandOut: { SortBy: 'Rented', OrderBy: 'RentDate', Direction: 'Descending' },
  dueToday: { Only: 'DueToday', OrderBy: 'DueDate', Direction: 'Ascending' },
  overdue: { Only: 'Overdue', OrderBy: 'DueDate', Direction: 'Ascending' },
  fees: { SortBy: 'Not_Paid', OrderBy: 'DueDate', Direction: 'Ascending' },
  toPayOut: { Only: 'ToPayOut', OrderBy: 'RentDate', Direction: 'Ascending' },
  lastDayToCollect: { Only: 'LastDayToCollect', OrderBy: 'RentDate', Direction: 'Ascending' },
};

/** Milliseconds for which an answer serves everybody, as long as nothing happens to a borrow. */
const KEPT = 2_000;

const emailRow = z.object({ id: z.string(), email: z.string() });

@Injectable()
export class TodayQueries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly progress: ReadModelProgress,
    private readonly lines: MonthLines,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  private kept: { position: bigint; until: number; answer: Promise<Today> } | undefined;

  /**
   * What there is to do today, and how the month went.
   * Many screens ask at once when something happens: they share one answer.
   */
  find(): Promise<Today> {
    const { position } = this.progress;
    if (this.kept?.position === position && performance.now() < this.kept.until) return this.kept.answer;
    const answer = this.look();
    const kept = { position, until: performance.now() + KEPT, answer };
    this.kept = kept;
    answer.catch(() => {
      if (this.kept === kept) this.kept = undefined;
    });
    return answer;
  }

  private async look(): Promise<Today> {
    const now = this.clock.now();
    const today = localDay(now.getTime(), this.timeZone.name);
    const [toHandOut, dueToday, overdue, fees, toPayOut, lastDayToCollect, holds, month] = await Promise.all([
      this.list('toHandOut'),
      this.list('dueToday'),
      this.list('overdue'),
      this.list('fees'),
      this.list('toPayOut'),
      this.list('lastDayToCollect'),
      this.queries.execute(new HoldFigures({ at: now, today })),
      this.lines.until(today, this.timeZone.name),
    ]);
    const emails = await this.emails(overdue.items.map(({ user }) => user.id));
    const work = { toHandOut, dueToday, overdue, fees, toPayOut, lastDayToCollect };
    return { day: today, work, holds, emails, month };
  }

  private async list(work: Work): Promise<WorkList> {
    const query = borrowListQuerySchema.parse({ ...LISTS[work], pageSize: WORK_SHOWN });
    const { items, totalCount } = await this.queries.execute(new ListBorrows({ query }));
    return { total: totalCount, items };
  }

  private async emails(accountIds: string[]): Promise<Record<string, string>> {
    if (accountIds.length === 0) return {};
    const text = 'select id, email from account where id = any($1::uuid[])';
    const rows = await queryRows(this.database, emailRow, text, [accountIds]);
    return Object.fromEntries(rows.map(({ id, email }) => [id, email]));
  }
}
