import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  HOLD_OUTCOMES,
  TITLES_SHOWN,
  type HoldOutcome,
  type WantedInsight,
  type WantedQuery,
  type WantedTitle,
} from '#contracts/insight/insight.js';
import { BOOK_KINDS } from '#contracts/rules/kinds.js';
import { Clock } from '#platform/clock.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { mapInTimeSlices } from '#platform/time-slices.js';
import { LibraryRules } from '#rules/library-rules.js';
import { numbersForBook } from '#circulation/rules/borrow.policy.js';
import { copiesNeeded, estimateDays, type CopyOut } from '#circulation/hold/hold-estimate.js';
import { copiesOut } from '../borrowing/holds/copies-out.queries.js';
import { spanOf, wantedStatement } from './insight-statements.js';
import { LowPriorityReader } from './low-priority-reader.js';

const outcomes = { Reserved: z.int(), Cancelled: z.int(), NotCollected: z.int(), NotNeeded: z.int() };

const wantedRow = z.object({
  bookId: z.int(),
  title: z.string(),
  kind: z.enum(BOOK_KINDS),
  copies: z.int(),
  waiting: z.int(),
  paused: z.int(),
  /** Null where nobody waits now. */
  firstSince: z.date().nullable(),
  ...outcomes,
});
type WantedRow = z.output<typeof wantedRow>;

const byTitle = new Intl.Collator('pl').compare;

/** What is waited for, and how many copies more would do: by the estimate that readers are told. */
@Injectable()
export class WantedTitles {
  constructor(
    private readonly reader: LowPriorityReader,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
  ) {}

  async find(query: WantedQuery): Promise<WantedInsight> {
    const { items, ...sums } = await this.all(query);
    return { ...sums, items: items.slice(0, TITLES_SHOWN) };
  }

  /** With every title. */
  async all({ within, ...span }: WantedQuery): Promise<WantedInsight> {
    const schema = await this.readModel.toRead();
    const at = this.clock.now().toISOString();
    const statement = wantedStatement(spanOf(span, this.rules.timeZone.name));
    const { rows, out } = await this.reader.read(async (connection) => {
      const found = await queryRows(connection, wantedRow, statement);
      const waitedFor = found.flatMap(({ bookId, waiting }) => (waiting > 0 ? bookId : []));
      // Of a few titles: what is out of them is found copy by copy.
      await connection.query('set local enable_nestloop = on');
      return { rows: found, out: await copiesOut(connection, schema, waitedFor) };
    });
    const items = (
      await mapInTimeSlices(rows, (row) => this.title(row, out.get(row.bookId) ?? [], at, within))
    ).flat();
    const sum = (of: (row: WantedRow) => number) => rows.reduce((total, row) => total + of(row), 0);
    return {
      at,
      waiting: sum(({ waiting }) => waiting),
      totalCount: items.length,
      copiesToBuy: items.reduce((total, { copiesToBuy }) => total + copiesToBuy, 0),
      ...outcomesOf((outcome) => sum((row) => row[outcome])),
      items: items.sort(
        (one, other) =>
          other.copiesToBuy - one.copiesToBuy ||
          other.waiting - one.waiting ||
          byTitle(one.title, other.title) ||
          one.bookId - other.bookId,
      ),
    };
  }

  /** Nothing for one that nobody waits for now. */
  private title(row: WantedRow, out: readonly CopyOut[], at: string, within: number): WantedTitle[] {
    const { firstSince, waiting, paused, ...rest } = row;
    if (firstSince === null) return [];
    const ahead = waiting - paused - 1;
    // Who pauses lets everybody pass: where all do, nobody waits for a copy.
    const isWaitedFor = ahead >= 0;
    const rules = numbersForBook(this.rules.shownAt(at), undefined, row.kind);
    const mayBeLent = row.kind !== 'reading-room';
    return [
      {
        ...rest,
        ...{ waiting, paused },
        firstSince: firstSince.toISOString(),
        lastInDays: isWaitedFor ? estimateDays(out, ahead, at, rules) : null,
        copiesToBuy: isWaitedFor && mayBeLent ? copiesNeeded(out, ahead, at, rules, within) : 0,
      },
    ];
  }
}

const outcomesOf = (of: (outcome: HoldOutcome) => number) =>
  Object.fromEntries(HOLD_OUTCOMES.map((outcome) => [outcome, of(outcome)])) as Record<HoldOutcome, number>;
