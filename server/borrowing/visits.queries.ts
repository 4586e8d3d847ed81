import { setTimeout as sleep } from 'node:timers/promises';
import { Inject } from '@nestjs/common';
import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import { VISITS_SEARCHED, VISITS_SHOWN, type Visit } from '#contracts/accounts/reader-card.js';
import { endVisit, isOtherVisit, visitStarts } from '#letters/visit-letters.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { EventLog } from '#platform/event-log/event-log.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { CommandWith, QueryWith } from '../messages.js';
import { borrowViewRow } from './borrow-view.js';
import { ISO_TIMES } from './iso-times.js';

/** Milliseconds in which the follower of the log is waited for; then the visit is over after the quiet time. */
const FOLLOWED_WITHIN = 5_000;
const LOOK_AGAIN = 50;

/** The reader goes, or somebody else comes: what was done for them is told now. @param readerId the reader's pseudonym */
export class EndVisit extends CommandWith<boolean, { readerId: string }> {}

@CommandHandler(EndVisit)
export class EndVisitHandler implements ICommandHandler<EndVisit> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly log: EventLog,
  ) {}

  /** @returns false where what was done last is not among the letters yet: then the visit ends by itself, a little later */
  async execute({ readerId }: EndVisit): Promise<boolean> {
    const last = (await this.log.readNewest('borrows', readerId, () => true)).at(-1);
    if (!last) return true;
    const until = performance.now() + FOLLOWED_WITHIN;
    while (!(await this.isFollowedUpTo(last.position.commit))) {
      if (performance.now() > until) return false;
      await sleep(LOOK_AGAIN);
    }
    await endVisit(this.database, readerId, last.revision);
    return true;
  }

  private async isFollowedUpTo(commit: bigint): Promise<boolean> {
    const place = await queryRow(
      this.database,
      z.object({ isThere: z.boolean() }),
      'select commit_position >= $1 as "isThere" from letters.checkpoint',
      [commit.toString()],
    );
    return place?.isThere ?? false;
  }
}

/** When a reader was at the desk, and what changed hands, the latest visit first. */
export class VisitsOf extends QueryWith<Visit[], { readerId: string }> {}

const handedRow = borrowViewRow.pick({ borrow_id: true, books: true, due_date: true });

/** A book that changed hands. */
interface Handed {
  /** ISO 8601 in UTC */
  at: string;
  as: 'issued' | 'returned';
  borrowId: string;
  title: string;
  dueDate: string | null;
}

@QueryHandler(VisitsOf)
export class VisitsOfHandler implements IQueryHandler<VisitsOf> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  async execute({ readerId }: VisitsOf): Promise<Visit[]> {
    const schema = await this.readModel.toRead();
    const [rows, starts] = await Promise.all([
      queryRows(this.database, handedRow, {
        name: `visits-${schema}`,
        text: `select borrow_id, books, due_date from ${schema}.borrow where reader_id = $1 order by rented_at desc limit $2`,
        values: [readerId, VISITS_SEARCHED],
        types: ISO_TIMES,
      }),
      visitStarts(this.database, readerId, VISITS_SEARCHED),
    ]);
    // Each book by itself: some of a borrow may be handed over on one visit, and others on another.
    const handed = rows.flatMap(({ borrow_id: borrowId, books, due_date: dueDate }) =>
      books.flatMap(({ title, issuedAt, returnedAt, loss }): Handed[] => [
        ...(issuedAt === undefined
          ? []
          : [{ at: issuedAt, as: 'issued' as const, borrowId, title, dueDate }]),
        // A lost book ends its loan, but nobody brought it.
        ...(returnedAt === undefined || loss?.as === 'lost'
          ? []
          : [{ at: returnedAt, as: 'returned' as const, borrowId, title, dueDate }]),
      ]),
    );
    return inVisits(handed, starts, this.settings.VISIT_QUIET_SECONDS).slice(0, VISITS_SHOWN);
  }
}

/** @param starts when visits began, by their letters */
function inVisits(handed: readonly Handed[], starts: readonly string[], quietSeconds: number): Visit[] {
  const visits: Visit[] = [];
  let before: string | undefined;
  for (const { at, as, borrowId, title, dueDate } of handed.toSorted(
    (one, other) => Date.parse(one.at) - Date.parse(other.at),
  )) {
    const [from, now] = [Date.parse(before ?? ''), Date.parse(at)];
    const begins = starts.map(Date.parse).some((start) => start > from && start <= now);
    const isOther = before === undefined || begins || isOtherVisit(before, at, quietSeconds);
    before = at;
    if (isOther) visits.push({ at, issued: [], returned: [] });
    const books = visits.at(-1)?.[as] ?? [];
    const known = books.find((each) => each.borrowId === borrowId);
    if (known) known.titles.push(title);
    else books.push({ borrowId, titles: [title], dueDate });
  }
  return visits.reverse();
}
