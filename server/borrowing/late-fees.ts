import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '#contracts/domain-error.js';
import type { ReaderBorrows } from '#borrowing/borrow-state.js';
import { decide } from '#borrowing/borrow.decider.js';
import { BORROW_POLICY } from '#borrowing/borrow.policy.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { ReaderStreams, type CommandContext } from './reader-streams.js';

/** Who charges: no person decides about a fee. Recorded as the events' actor. */
export const FINE_ACTOR = 'fine-sweep';

/**
 * Charges what a reader's late borrows owe by now, without waiting for the sweep: so that who is refused for a
 * fee finds it charged, and can pay it. To be called in the reader's turn.
 */
@Injectable()
export class LateFees {
  constructor(private readonly streams: ReaderStreams) {}

  /**
   * Charges every late borrow of the reader up to an instant. Repeating it changes nothing.
   * @param at ISO 8601 in UTC
   * @returns his borrows as the log has them then
   */
  async charge(readerId: string, at: string, correlationId: string): Promise<ReaderBorrows> {
    const context: CommandContext = {
      actor: FINE_ACTOR,
      correlationId,
      ...commandIdentity(randomUUID(), FINE_ACTOR, 'ChargeLateFees', { at }),
    };
    const { state } = await this.streams.execute(readerId, context, (current) =>
      decide(current, { type: 'ChargeLateFees', at }, BORROW_POLICY),
    );
    return state;
  }

  /** A command cannot both be refused and store an event: what refused it as unpaid is charged after it. */
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
