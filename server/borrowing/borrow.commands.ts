import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { v5 as uuidFromName } from 'uuid';
import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';
import { Clock } from '#platform/clock.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { decide, type BorrowCommand } from '#borrowing/borrow.decider.js';
import { borrowRules } from '#borrowing/borrow.policy.js';
import { CopyAllocations } from './copy-allocations.js';
import { LateFees } from './late-fees.js';
import { ReaderStreams, type CommandContext } from './reader-streams.js';

/** The result of a borrow command. */
export interface BorrowCommandResult {
  borrowId: string;
  /** Log position of the stored events. */
  position: bigint;
}

/** Rent books for a reader: a copy of each is allocated and waits at the desk. */
export class RentBooks extends Command<BorrowCommandResult> {
  constructor(
    readonly readerId: string,
    readonly bookIds: number[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** `Omit` for each member of a union. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** Any other command on an existing borrow; the handler adds the instant. */
export class ChangeBorrow extends Command<BorrowCommandResult> {
  constructor(
    readonly readerId: string,
    readonly change: Without<Exclude<BorrowCommand, { type: 'RentBooks' | 'ChargeLateFees' }>, 'at'>,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/**
 * The copy protocol: (1) take the copies, (2) append the event, (3) the projection confirms the allocations.
 * If (2) is refused, they are released at once; if its outcome is unknown, they stay for the reconciler.
 */
@CommandHandler(RentBooks)
export class RentBooksHandler implements ICommandHandler<RentBooks> {
  constructor(
    private readonly streams: ReaderStreams,
    private readonly allocations: CopyAllocations,
    private readonly lateFees: LateFees,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  execute({ readerId, bookIds, context }: RentBooks): Promise<BorrowCommandResult> {
    const borrowId = uuidFromName('borrow', context.commandId);
    return this.streams.serialize(readerId, async () => {
      const before = await this.streams.findPriorResult(readerId, context);
      if (before) return { borrowId, position: before.position };
      try {
        return { borrowId, position: await this.rent(borrowId, readerId, bookIds, context) };
      } catch (error) {
        if (!isRefusal(error, 'RentAbandoned')) throw error;
        // The copies are settled, possibly because another process gave the first result.
        const elsewhere = await this.streams.findPriorResult(readerId, context, { anywhere: true });
        if (!elsewhere) throw error;
        return { borrowId, position: elsewhere.position };
      }
    });
  }

  private async rent(
    borrowId: string,
    readerId: string,
    bookIds: number[],
    context: CommandContext,
  ): Promise<bigint> {
    const books = await this.allocations.take(borrowId, readerId, bookIds);
    const at = this.clock.now().toISOString();
    try {
      const { position } = await this.streams.execute(readerId, context, (state) =>
        decide(state, { type: 'RentBooks', borrowId, readerId, books, at }, borrowRules(this.timeZone.name)),
      );
      return position;
    } catch (error) {
      // While the log cannot be read, nothing is known: an earlier attempt at this rent may have been stored.
      if (error instanceof DomainError && !NOTHING_KNOWN.includes(error.code))
        await this.allocations.release(borrowId);
      await this.lateFees.chargeWhereRefused(error, readerId, at, context);
      throw error;
    }
  }
}

@CommandHandler(ChangeBorrow)
export class ChangeBorrowHandler implements ICommandHandler<ChangeBorrow> {
  constructor(
    private readonly streams: ReaderStreams,
    private readonly lateFees: LateFees,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  execute({ readerId, change, context }: ChangeBorrow): Promise<BorrowCommandResult> {
    return this.streams.serialize(readerId, async () => {
      const at = this.clock.now().toISOString();
      try {
        const { position } = await this.streams.execute(readerId, context, (state) =>
          decide(state, { ...change, at }, borrowRules(this.timeZone.name)),
        );
        return { borrowId: change.borrowId, position };
      } catch (error) {
        await this.lateFees.chargeWhereRefused(error, readerId, at, context);
        throw error;
      }
    });
  }
}

const NOTHING_KNOWN: readonly ProblemCode[] = ['EventStoreUnavailable', 'HistoryUnreadable'];

function isRefusal(error: unknown, code: ProblemCode): boolean {
  return error instanceof DomainError && error.code === code;
}
