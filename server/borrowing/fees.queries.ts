import * as m from '#words/messages.js';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { LibraryRules } from '#rules/library-rules.js';
import { fineDue, refundDue } from '#circulation/borrow/borrow-state.js';
import { lateFee, withAccruedFee } from '#circulation/borrow/late-fee.decider.js';
import { ReaderReplays } from './streams/reader-replays.js';

/** What a borrow owes now. */
export interface FeeToPay {
  /** grosze, including days not charged yet */
  due: number;
  /** What the reader has paid and would get back, in grosze, less days not charged yet */
  refund: number;
  /** Days begun since the due date; 0 if the books are not late, or returned. */
  daysLate: number;
}

/** What a reader has to pay at the desk now. A read-only query: it charges nothing. */
export class FeeNow extends Query<FeeToPay> {
  constructor(
    readonly readerId: string,
    readonly borrowId: string,
  ) {
    super();
  }
}

@QueryHandler(FeeNow)
export class FeeNowHandler implements IQueryHandler<FeeNow> {
  constructor(
    private readonly replays: ReaderReplays,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
  ) {}

  /** @throws DomainError BorrowNotFound when the reader never had such a borrow */
  async execute({ readerId, borrowId }: FeeNow): Promise<FeeToPay> {
    const replay = await this.replays.of(readerId);
    const version = replay.borrowAt(borrowId, replay.lastRevision);
    if (!version) throw new DomainError('BorrowNotFound', m.borrow_not_found());
    const { borrow } = version;
    const now = this.clock.now().toISOString();
    const rules = this.rules.at(now);
    const charged = withAccruedFee(borrow, now, rules);
    const { daysLate = 0 } = lateFee(borrow, now, rules) ?? {};
    return { due: fineDue(charged), refund: refundDue(charged), daysLate };
  }
}
