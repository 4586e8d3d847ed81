import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { fineDue, refundDue } from '#circulation/borrow/borrow-state.js';
import { LateFees } from './late-fees.js';
import { ReaderStreams } from './streams/reader-streams.js';

/** The fee of a borrow by the log. */
export interface BorrowFee {
  /** What is still to be paid, in grosze. */
  due: number;
  /** What the reader has paid and is to get back, in grosze. */
  refund: number;
  titles: string[];
}

/** Charges a reader's late borrows up to now, so that a payment covers today, and returns what one of them owes. */
export class AccrueFee extends Command<BorrowFee> {
  constructor(
    readonly readerId: string,
    readonly borrowId: string,
    readonly correlationId: string,
  ) {
    super();
  }
}

@CommandHandler(AccrueFee)
export class AccrueFeeHandler implements ICommandHandler<AccrueFee> {
  constructor(
    private readonly streams: ReaderStreams,
    private readonly lateFees: LateFees,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError BorrowNotFound if the reader has no such borrow */
  async execute({ readerId, borrowId, correlationId }: AccrueFee): Promise<BorrowFee> {
    const at = this.clock.now().toISOString();
    const { borrows } = await this.streams.serialize(readerId, () =>
      this.lateFees.charge(readerId, at, correlationId),
    );
    const borrow = borrows.get(borrowId);
    if (!borrow) throw new DomainError('BorrowNotFound', 'You have no such borrow.');
    const titles = borrow.books.map(({ title }) => title);
    return { due: fineDue(borrow), refund: refundDue(borrow), titles };
  }
}
