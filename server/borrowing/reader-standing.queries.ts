import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { OPEN_BORROWS_SHOWN, type OpenBorrow, type ReaderStanding } from '#contracts/accounts/own-card.js';
import { OPEN_STATUSES } from '#contracts/borrowing/borrow-status.js';
import { DomainError } from '#contracts/domain-error.js';
import type { ReaderKind } from '#contracts/rules/kinds.js';
import { decide } from '#circulation/borrow/borrow.decider.js';
import { numbersFor, type BorrowRules } from '#circulation/rules/borrow.policy.js';
import { fineDue, isOut, lentBooks, readerBorrows, refundDue } from '#circulation/borrow/borrow-state.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { borrowOf } from '#platform/database/read-model.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { LibraryRules } from '#rules/library-rules.js';
import { DATABASE } from '#platform/tokens.js';
import { QueryWith } from '../messages.js';
import { BORROW_VIEW_COLUMNS, borrowViewRow, toBorrowView, type BorrowViewRow } from './borrow-view.js';
import { ISO_TIMES } from './iso-times.js';
import { ReaderKinds } from './known-readers.js';
import { ReaderBlocks } from './reader-blocks.js';

/** What a reader has and owes now. */
export class StandingOf extends QueryWith<ReaderStanding, { readerId: string }> {}

@QueryHandler(StandingOf)
export class StandingOfHandler implements IQueryHandler<StandingOf> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
    private readonly kinds: ReaderKinds,
    private readonly blocks: ReaderBlocks,
  ) {}

  async execute({ readerId }: StandingOf): Promise<ReaderStanding> {
    const schema = await this.readModel.toRead();
    const found = await queryRows(this.database, borrowViewRow, {
      name: `standing-${schema}`,
      text: `select ${BORROW_VIEW_COLUMNS} from ${schema}.borrow b left join account a on a.pseudonym = b.reader_id
        where b.reader_id = $1
          and (b.status = any($2) or b.paid > b.charged)
        order by coalesce(b.due_date, b.collect_by), b.borrow_id limit ${OPEN_BORROWS_SHOWN}`,
      values: [readerId, OPEN_STATUSES],
      types: ISO_TIMES,
    });
    // One that was paid may have been so for a book that is lost still: then nothing is owed to anybody. Whatever the reader
    // owes is open, as it is not paid.
    const rows = found.filter((row) => OPEN_STATUSES.includes(row.status) || refundDue(row) > 0);
    const now = this.clock.now().toISOString();
    const rules = this.rules.shownAt(now);
    const kind = await this.kinds.of(readerId);
    return {
      borrows: rows.map((row) => ({
        borrow: toBorrowView(row, now, rules),
        renewal: renewalOf(row, kind, now, rules),
      })),
      owes: rows.reduce((sum, row) => sum + fineDue(row), 0) / 100,
      refund: rows.reduce((sum, row) => sum + refundDue(row), 0) / 100,
      books: {
        have: rows.reduce((sum, { books }) => sum + books.filter(isOut).length, 0),
        most: numbersFor(rules, kind).maxBooksPerReader,
      },
      block: this.blocks.wordsFor(readerId, 'online') ?? null,
    };
  }
}

/** What the rule of renewals itself says, were it asked now. */
function renewalOf(
  row: BorrowViewRow,
  readerKind: ReaderKind,
  at: string,
  rules: BorrowRules,
): OpenBorrow['renewal'] {
  const borrow = borrowOf(row);
  if (lentBooks(borrow).length === 0) return null;
  try {
    const state = readerBorrows([borrow], [], new Set(), -1);
    const of = { borrowId: borrow.id, renewedBy: row.reader_id, readerKind };
    const renewal = { type: 'RenewBorrow', ...of, at } as const;
    const [event] = decide(state, renewal, rules);
    return event?.type === 'BorrowRenewed' ? { until: event.data.dueDate } : null;
  } catch (error) {
    if (error instanceof DomainError) return { refusal: error.detail };
    throw error;
  }
}
