import * as m from '#words/messages.js';
import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import type { At, BorrowTotals, PastBorrow, PastBorrows } from '#contracts/audit/as-of.js';
import type { FeeExplanation } from '#contracts/audit/fee-explanation.js';
import { askedBy, doneBy, isOfMoney } from '#contracts/borrowing/borrow-events.js';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { personByPseudonym } from '#platform/database/people.js';
import { queryRow } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { LibraryRules } from '#rules/library-rules.js';
import { DATABASE } from '#platform/tokens.js';
import type { BorrowVersion } from '#circulation/borrow/borrow-replay.js';
import { totalCharged, fineDue } from '#circulation/borrow/borrow-state.js';
import { QueryWith } from '../messages.js';
import { toPastBorrowView } from './borrow-view.js';
import { explainFee, type NumberedEvent, type Audience } from '#circulation/borrow/fee-explanation.js';
import { ReaderReplays } from './streams/reader-replays.js';

/** A reader's borrows as of a past moment. */
export class PastBorrowsOf extends QueryWith<
  PastBorrows,
  {
    readerId: string;
    /** `undefined` for now */
    at: At | undefined;
    page: { pageNumber: number; pageSize: number };
  }
> {}

/** One borrow as of a past moment. */
export class PastBorrowById extends QueryWith<
  PastBorrow,
  { readerId: string; borrowId: string; at: At | undefined }
> {}

/** Explains the fee of a reader's borrow. */
export class ExplainFee extends QueryWith<
  FeeExplanation,
  { readerId: string; borrowId: string; voice: Audience }
> {}

/** The reader's pseudonym in the log. */
export class ReaderOfBorrow extends QueryWith<string, { borrowId: string }> {}

@QueryHandler(PastBorrowsOf)
export class PastBorrowsOfHandler implements IQueryHandler<PastBorrowsOf> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly replays: ReaderReplays,
  ) {}

  async execute({ readerId, at, page }: PastBorrowsOf): Promise<PastBorrows> {
    const [replay, reader] = await Promise.all([
      this.replays.of(readerId),
      personByPseudonym(this.database, readerId),
    ]);
    const asOf = replay.asOf(at);
    const borrows = replay.borrowsAt(asOf.revision);
    const from = (page.pageNumber - 1) * page.pageSize;
    const shown = borrows.slice(from, from + page.pageSize);
    return {
      asOf,
      totals: totalsOf(borrows),
      items: shown.map(({ borrow, position }) => toPastBorrowView(borrow, reader, position)),
      totalCount: borrows.length,
    };
  }
}

@QueryHandler(PastBorrowById)
export class PastBorrowByIdHandler implements IQueryHandler<PastBorrowById> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly replays: ReaderReplays,
  ) {}

  /** @throws DomainError BorrowNotFound when the reader never had such a borrow */
  async execute({ readerId, borrowId, at }: PastBorrowById): Promise<PastBorrow> {
    const [replay, reader] = await Promise.all([
      this.replays.of(readerId),
      personByPseudonym(this.database, readerId),
    ]);
    if (!replay.has(borrowId)) throw noSuchBorrow();
    const asOf = replay.asOf(at);
    const version = replay.borrowAt(borrowId, asOf.revision);
    return { asOf, borrow: version ? toPastBorrowView(version.borrow, reader, version.position) : null };
  }
}

@QueryHandler(ExplainFee)
export class ExplainFeeHandler implements IQueryHandler<ExplainFee> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly replays: ReaderReplays,
    private readonly rules: LibraryRules,
  ) {}

  /** @throws DomainError BorrowNotFound when the reader never had such a borrow */
  async execute({ readerId, borrowId, voice }: ExplainFee): Promise<FeeExplanation> {
    const replay = await this.replays.of(readerId);
    if (!replay.has(borrowId)) throw noSuchBorrow();
    const events = replay.events.flatMap(({ event, ...place }) =>
      event?.data.borrowId === borrowId ? { event, ...place } : [],
    );
    // Readers do not see which librarian it was.
    const shown = voice === 'staff' ? await Promise.all(events.map((each) => this.withName(each))) : events;
    const { id } = await personByPseudonym(this.database, readerId);
    const known = this.rules.versions;
    return explainFee(id, borrowId, shown, voice, this.rules.timeZone.name, (version) =>
      known.policyOf(version),
    );
  }

  private async withName({
    revision,
    event,
    actor,
  }: NumberedEvent & { actor: string }): Promise<NumberedEvent> {
    // Who took, gave back, waived or undid something of the fee.
    if (!isOfMoney(event) || doneBy(event) === null) return { revision, event };
    const nameOf = async (pseudonym: string) =>
      (await personByPseudonym(this.database, pseudonym)).fullname ?? m.account_removed();
    const [name, asker] = [await nameOf(actor), askedBy(event)];
    const by = asker === undefined ? name : m.borrow_waiver_by_both({ name, asker: await nameOf(asker) });
    return { revision, event, by };
  }
}

@QueryHandler(ReaderOfBorrow)
export class ReaderOfBorrowHandler implements IQueryHandler<ReaderOfBorrow> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
  ) {}

  /** @throws DomainError BorrowNotFound */
  async execute({ borrowId }: ReaderOfBorrow): Promise<string> {
    const row = await queryRow(
      this.database,
      z.object({ reader_id: z.string() }),
      `select reader_id from ${await this.readModel.toRead()}.borrow where borrow_id = $1`,
      [borrowId],
    );
    if (!row) throw noSuchBorrow();
    return row.reader_id;
  }
}

function totalsOf(borrows: readonly BorrowVersion[]): BorrowTotals {
  const byStatus: Record<BorrowStatus, number> = {
    Rented: 0,
    Issued: 0,
    Returned: 0,
    Expired: 0,
    Not_Paid: 0,
    Paid: 0,
  };
  let [charged, paid, due] = [0, 0, 0];
  for (const { borrow } of borrows) {
    byStatus[borrow.status] += 1;
    charged += totalCharged(borrow);
    paid += borrow.paid;
    due += fineDue(borrow);
  }
  return { borrows: borrows.length, byStatus, charged: charged / 100, paid: paid / 100, due: due / 100 };
}

function noSuchBorrow(): DomainError {
  return new DomainError('BorrowNotFound', m.borrow_not_found());
}
