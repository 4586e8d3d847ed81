import * as m from '#words/messages.js';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { fineDue, refundDue, type ReaderBorrows } from '#circulation/borrow/borrow-state.js';
import { CommandWith } from '../messages.js';
import { ReaderStreams, type CommandContext } from './streams/reader-streams.js';
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { decide } from '#circulation/borrow/borrow.decider.js';
import { LibraryRules } from '#rules/library-rules.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';

/** The actor in the events: fees are charged by the system, not by a person. */
export const FINE_ACTOR = 'fine-sweep';

/**
 * Charges what a reader's late borrows owe by now, without waiting for the sweep. A reader who is refused because
 * of a fee then finds it charged, and can pay it. Call it within the reader's `serialize`.
 */
@Injectable()
export class LateFees {
  constructor(
    private readonly streams: ReaderStreams,
    private readonly rules: LibraryRules,
  ) {}

  /**
   * Charges every late borrow of the reader up to an instant. Idempotent.
   * @param at ISO 8601 in UTC
   * @returns the reader's borrows by the log afterwards
   */
  async charge(readerId: string, at: string, correlationId: string): Promise<ReaderBorrows> {
    const context: CommandContext = {
      actor: FINE_ACTOR,
      correlationId,
      ...commandIdentity(randomUUID(), FINE_ACTOR, 'ChargeLateFees', { at }),
    };
    const { state } = await this.streams.execute(readerId, context, (current) =>
      decide(current, { type: 'ChargeLateFees', at }, this.rules.at(at)),
    );
    return state;
  }

  /** A refused command stores no event, so the fee that refused it is charged afterwards. */
  async chargeWhereRefused(
    refusal: unknown,
    readerId: string,
    at: string,
    context: CommandContext,
  ): Promise<void> {
    if (!(refusal instanceof DomainError) || refusal.code !== 'FeeNotPaid') return;
    await this.charge(readerId, at, context.correlationId);
  }
}

/** The fee of a borrow by the log. */
export interface BorrowFee {
  /** What is still to be paid, in grosze. */
  due: number;
  /** What the reader has paid and is to get back, in grosze. */
  refund: number;
  titles: string[];
}

/** Charges a reader's late borrows up to now, so that a payment covers today, and returns what one of them owes. */
export class AccrueFee extends CommandWith<
  BorrowFee,
  { readerId: string; borrowId: string; correlationId: string }
> {}

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
    if (!borrow) throw new DomainError('BorrowNotFound', m.borrow_not_yours());
    const titles = borrow.books.map(({ title }) => title);
    return { due: fineDue(borrow), refund: refundDue(borrow), titles };
  }
}
