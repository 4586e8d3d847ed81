import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '#contracts/domain-error.js';
import type { ReaderBorrows } from '#circulation/borrow/borrow-state.js';
import { decide } from '#circulation/borrow/borrow.decider.js';
import { LibraryRules } from '#rules/library-rules.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { ReaderStreams, type CommandContext } from './streams/reader-streams.js';

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
