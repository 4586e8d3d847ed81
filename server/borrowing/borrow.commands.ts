import * as m from '#words/messages.js';
import type { LimitReason } from '#contracts/borrowing/borrow-events.js';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { v5 as uuidFromName } from 'uuid';
import type { CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';
import { Clock } from '#platform/clock.js';
import { LibraryRules } from '#rules/library-rules.js';
import {
  decide,
  renewalRepeated,
  type BorrowCommand,
  type WantedBook,
} from '#circulation/borrow/borrow.decider.js';
import { CommandWith } from '../messages.js';
import { RefusedCommands } from '../idempotency/refused-commands.js';
import { CopyAllocations, PreviouslyRefused } from './copy-allocations.js';
import { LateFees } from './accrue-fee.command.js';
import type { CommandOutcome } from './streams/folded-stream.js';
import { HeldCopies } from './holds/held-copies.js';
import { ReaderBlocks } from './reader-blocks.js';
import { ReaderKinds } from './known-readers.js';
import { isRentOver } from './rent-outcome.js';
import { ReaderStreams, type CommandContext } from './streams/reader-streams.js';

/** The result of a borrow command. */
export interface BorrowCommandResult {
  borrowId: string;
  /** Log position of the stored events. */
  position: bigint;
}

/** Books that a librarian hands over as they are rented. */
export interface HandedOver {
  librarianId: string;
  /** Those of them whose labels were scanned. */
  copies?: CopyOfBook[];
  /** Take the copy that is kept for another reader's hold, where no other is left. */
  evenIfHeld?: boolean;
  /** Why it is done beyond the limits that are in its way. */
  beyondLimit?: LimitReason;
}

/** Rent books for a reader: a copy of each is allocated, and waits at the desk or is handed over at once. */
export class RentBooks extends CommandWith<
  BorrowCommandResult,
  { readerId: string; bookIds: number[]; context: CommandContext; handedOver?: HandedOver | undefined }
> {}

/** `Omit` for each member of a union. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** Of these types, without the instant, which the handler adds. */
type Asked<Type extends BorrowCommand['type']> = Without<Extract<BorrowCommand, { type: Type }>, 'at'>;

/** Any other command on an existing borrow; the handler adds the instant. */
export class ChangeBorrow extends CommandWith<
  BorrowCommandResult,
  {
    readerId: string;
    change: Without<Exclude<BorrowCommand, { type: 'RentBooks' | 'LendBooks' | 'ChargeLateFees' }>, 'at'>;
    context: CommandContext;
  }
> {}

/** Attempts at taking copies, where attempts at the same rent give theirs up meanwhile. */
const MAX_TRIES = 5;

/**
 * The copy protocol: (1) take the copies, (2) append the event, (3) the projection confirms the allocations.
 * If (2) is refused, they are given up at once; if its outcome is unknown, they stay for the next attempt, or for the
 * reconciler.
 */
@CommandHandler(RentBooks)
export class RentBooksHandler implements ICommandHandler<RentBooks> {
  constructor(
    private readonly streams: ReaderStreams,
    private readonly allocations: CopyAllocations,
    private readonly refused: RefusedCommands,
    private readonly lateFees: LateFees,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
    private readonly blocks: ReaderBlocks,
    private readonly kept: HeldCopies,
    private readonly kinds: ReaderKinds,
  ) {}

  async execute(command: RentBooks): Promise<BorrowCommandResult> {
    const { readerId, context, handedOver } = command;
    const borrowId = uuidFromName('borrow', context.commandId);
    if (handedOver?.evenIfHeld) await this.takeFromHold(borrowId, command);
    return this.streams.serialize(readerId, async () => {
      for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
        const { prior, revision } = await this.streams.findPriorResult(readerId, context);
        if (!prior && handedOver?.beyondLimit === undefined)
          this.blocks.refuse(readerId, handedOver ? 'desk' : 'online');
        const done = prior ?? (await this.attempt(borrowId, command, revision));
        if (done) return { borrowId, position: done.position };
      }
      throw new DomainError('ConcurrentChange', m.borrow_rent_changed_elsewhere());
    });
  }

  /** The one book is taken from whoever it is kept for, unless there is another copy, or this was done before. */
  private async takeFromHold(borrowId: string, { readerId, bookIds, context }: RentBooks): Promise<void> {
    const { prior } = await this.streams.serialize(readerId, () =>
      this.streams.findPriorResult(readerId, context, { anywhere: true }),
    );
    const [bookId] = bookIds;
    if (prior || bookId === undefined || (await this.allocations.canBeTaken(borrowId, bookId))) return;
    await this.kept.setBack({ borrowId, readerId, bookId }, context);
  }

  /** @returns nothing if another attempt at the same rent has come in between */
  private async attempt(
    borrowId: string,
    { readerId, bookIds, context, handedOver }: RentBooks,
    admittedAt: bigint,
  ): Promise<{ position: bigint } | undefined> {
    const named = context.isNamed ? { ...context, expiredAt: this.refused.expiredAt() } : undefined;
    const readerKind = await this.kinds.of(readerId);
    let books: WantedBook[];
    try {
      books = await this.allocations.take(borrowId, readerId, bookIds, named);
    } catch (cause) {
      const isKept = handedOver && cause instanceof DomainError && cause.code === 'CopiesUnavailable';
      const error = (isKept && (await this.kept.refusal('CopyHeldForOther', bookIds, readerId))) || cause;
      if (!named) throw error;
      return this.withoutCopies(error, borrowId, readerId, context);
    }
    const wanted = { borrowId, readerId, readerKind, books };
    const blocked = handedOver?.beyondLimit && this.blocks.wordsFor(readerId, 'desk');
    const command = handedOver
      ? { type: 'LendBooks' as const, ...wanted, ...handedOver, ...(blocked && { blocked }) }
      : { type: 'RentBooks' as const, ...wanted };
    const refusal =
      handedOver?.copies &&
      (await this.allocations.refusalOf(handedOver.copies, borrowId, { mayBeOut: false }));
    return this.decide(command, context, named && admittedAt, refusal);
  }

  /** No copies were taken. Another process may have given the first answer. */
  private async withoutCopies(
    error: unknown,
    borrowId: string,
    readerId: string,
    context: CommandContext,
  ): Promise<CommandOutcome | undefined> {
    if (!(error instanceof DomainError || error instanceof PreviouslyRefused)) throw error;
    const { prior } = await this.streams.findPriorResult(readerId, context, { anywhere: true });
    if (prior) return prior;
    if (error instanceof DomainError && !OUT_OF_COPIES.includes(error.code)) throw error;
    const answer =
      error instanceof PreviouslyRefused
        ? await this.refused.admit(context)
        : await this.refused.refuse(context, error, (connection) =>
            this.allocations.isTaken(borrowId, connection),
          );
    if (answer) throw answer;
    return undefined;
  }

  private async decide(
    asked: Asked<'RentBooks' | 'LendBooks'>,
    context: CommandContext,
    admittedAt: bigint | undefined,
    refusalOfCopies: DomainError | undefined,
  ): Promise<CommandOutcome> {
    const { borrowId, readerId } = asked;
    const at = this.clock.now().toISOString();
    const command = { ...asked, at };
    try {
      return await this.streams.execute(
        readerId,
        context,
        (state) => {
          if (refusalOfCopies) throw refusalOfCopies;
          return decide(state, command, this.rules.at(at));
        },
        {
          beforeRefusal: (refusal) => this.lateFees.chargeWhereRefused(refusal, readerId, at, context),
          ...(admittedAt !== undefined && { refused: this.refused, admittedAt }),
        },
      );
    } catch (error) {
      if (isRentOver(error, context)) await this.allocations.giveUp(borrowId);
      throw error;
    }
  }
}

@CommandHandler(ChangeBorrow)
export class ChangeBorrowHandler implements ICommandHandler<ChangeBorrow> {
  constructor(
    private readonly streams: ReaderStreams,
    private readonly refused: RefusedCommands,
    private readonly lateFees: LateFees,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
    private readonly blocks: ReaderBlocks,
    private readonly allocations: CopyAllocations,
    private readonly kinds: ReaderKinds,
  ) {}

  execute({ readerId, change, context }: ChangeBorrow): Promise<BorrowCommandResult> {
    return this.streams.serialize(readerId, async () => {
      const at = this.clock.now().toISOString();
      const waitedFor = change.type === 'RenewBorrow' && (await this.allocations.waitedFor(change.borrowId));
      const readerKind = BY_KIND.includes(change.type) && (await this.kinds.of(readerId));
      const blocked = change.type === 'IssueBooks' && this.blocks.wordsFor(readerId, 'desk');
      const command = {
        ...change,
        at,
        ...(blocked && { blocked }),
        ...(waitedFor && { waitedFor }),
        ...(readerKind && { readerKind }),
      };
      const refusal = await this.refusalOfCopies(change);
      const outcome = await this.streams.execute(
        readerId,
        context,
        (state) => {
          if (refusal) throw refusal;
          return decide(state, command, this.rules.at(at));
        },
        {
          beforeRefusal: (reason) => this.lateFees.chargeWhereRefused(reason, readerId, at, context),
          ...(context.isNamed && { refused: this.refused }),
        },
      );
      return { borrowId: change.borrowId, position: positionOf(command, outcome) };
    });
  }

  private async refusalOfCopies(change: ChangeBorrow['change']): Promise<DomainError | undefined> {
    if (!('copies' in change)) return undefined;
    const mayBeOut = change.type === 'ReturnBooks' || change.type === 'TakeBackBooks';
    return this.allocations.refusalOf(change.copies ?? [], change.borrowId, { mayBeOut });
  }
}

/** A renewal of a due date that had been extended before gets the position of that renewal. */
function positionOf(command: BorrowCommand, { position, state, renewedAt }: CommandOutcome): bigint {
  if (command.type !== 'RenewBorrow') return position;
  const repeated = renewalRepeated(state, command);
  return (repeated === undefined ? undefined : renewedAt.get(command.borrowId)?.[repeated]) ?? position;
}

/** What depends on the kind of reader that they are now. */
const BY_KIND: readonly BorrowCommand['type'][] = ['IssueBooks', 'RenewBorrow', 'Undo'];

/** Refusals of the copies alone; the others are by the log. */
const OUT_OF_COPIES: readonly ProblemCode[] = ['BookNotFound', 'CopiesUnavailable', 'CopyHeldForOther'];
