import * as m from '#words/messages.js';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RecentEvent } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { LibraryRules } from '#rules/library-rules.js';
import { decide } from '#circulation/borrow/borrow.decider.js';
import { isLoss, isReturn } from '#circulation/borrow/recent-events.js';
import { undoTarget, type UndoCommand } from '#circulation/borrow/undo.decider.js';
import { CommandWith } from '../messages.js';
import { RefusedCommands } from '../idempotency/refused-commands.js';
import { ReadModelProgress } from '../read-models/read-model-progress.js';
import type { BorrowCommandResult } from './borrow.commands.js';
import { CopyAllocations } from './copy-allocations.js';
import { HeldCopies } from './holds/held-copies.js';
import { ReaderKinds } from './known-readers.js';
import { ReaderReplays } from './streams/reader-replays.js';
import { ReaderStreams, type CommandContext } from './streams/reader-streams.js';

/** Undo what a librarian did with a borrow minutes ago. */
export class Undo extends Command<BorrowCommandResult> {
  constructor(
    readonly readerId: string,
    readonly asked: Omit<UndoCommand, 'at' | 'readerId'>,
    readonly context: CommandContext,
    /** Take copies back that are kept for others' holds since. */
    readonly evenIfHeld = false,
  ) {
    super();
  }
}

/** Undo a payment at the desk, or a giving back there: the ledger of payments handles it. */
export class UndoPayment extends CommandWith<
  BorrowCommandResult,
  {
    transactionId: string;
    readerId: string;
    asked: Omit<UndoCommand, 'at' | 'readerId'>;
    context: CommandContext;
  }
> {}

/**
 * Undoing a return needs the copies back, and follows the protocol of a rent (`RentBooksHandler`): (1) take them, (2) append the
 * event, (3) the projection confirms them. They are taken once the projection has put them back. If (2) comes to nothing, they
 * stay for the reconciler, who alone may give them up: another attempt at the same may be under way.
 */
@CommandHandler(Undo)
export class UndoHandler implements ICommandHandler<Undo> {
  constructor(
    private readonly streams: ReaderStreams,
    private readonly replays: ReaderReplays,
    private readonly allocations: CopyAllocations,
    private readonly refused: RefusedCommands,
    private readonly progress: ReadModelProgress,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
    private readonly kept: HeldCopies,
    private readonly kinds: ReaderKinds,
  ) {}

  async execute({ readerId, asked, context, evenIfHeld }: Undo): Promise<BorrowCommandResult> {
    const { borrowId } = asked;
    const readerKind = await this.kinds.of(readerId);
    const command: UndoCommand = { ...asked, readerId, readerKind, at: this.clock.now().toISOString() };
    const { prior } = await this.streams.serialize(readerId, () =>
      this.streams.findPriorResult(readerId, context, { anywhere: true }),
    );
    if (prior) return { borrowId, position: prior.position };
    const recent = await this.find(readerId, command);
    if (recent?.transactionId !== undefined) {
      return this.commands.execute(
        new UndoPayment({ transactionId: recent.transactionId, readerId, asked, context }),
      );
    }
    if (evenIfHeld && recent && isReturn(recent))
      await this.takeFromHolds(readerId, command, recent, context);
    return this.streams.serialize(readerId, async () => {
      const blocked = recent && (await this.prepare(readerId, command, recent));
      const rules = this.rules.at(command.at);
      const { position } = await this.streams.execute(
        readerId,
        context,
        (state) => {
          const isSame = undoTarget(state, command, rules).revision === recent?.revision;
          if (blocked) throw blocked;
          // It was not there a moment ago, and what it needs was not prepared.
          if (!isSame) throw new DomainError('ConcurrentChange', m.borrow_being_changed());
          return decide(state, command, rules);
        },
        context.isNamed ? { refused: this.refused } : {},
      );
      return { borrowId, position };
    });
  }

  /** @returns nothing where it cannot be undone: it is refused in the usual way then */
  private async find(readerId: string, command: UndoCommand): Promise<RecentEvent | undefined> {
    const replay = await this.replays.of(readerId);
    try {
      return undoTarget(replay.stateAt(replay.lastRevision), command, this.rules.at(command.at));
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  /** What is kept for others since is taken from them, where nothing else is left: they wait again. */
  private async takeFromHolds(
    readerId: string,
    command: UndoCommand,
    recent: RecentEvent,
    context: CommandContext,
  ): Promise<void> {
    const { borrowId } = command;
    const { bookIds = [] } = recent;
    const replay = await this.replays.of(readerId);
    const { position } = replay.events.find((event) => event.revision === recent.revision) ?? {};
    if (position === undefined || !(await this.progress.reached(position))) return;
    for (const bookId of bookIds) {
      if (!(await this.allocations.canBeTaken(borrowId, bookId)))
        await this.kept.setBack({ borrowId, readerId, bookId }, context);
    }
  }

  /** @returns why it is refused, where the copies have gone on */
  private async prepare(
    readerId: string,
    { borrowId }: UndoCommand,
    recent: RecentEvent,
  ): Promise<DomainError | undefined> {
    const { revision, bookIds = [] } = recent;
    const isFinding = recent.type === 'LostBookFound';
    if (!isReturn(recent) && !isLoss(recent) && !isFinding) return undefined;
    const replay = await this.replays.of(readerId);
    const { position } = replay.events.find((event) => event.revision === revision) ?? {};
    if (position === undefined || !(await this.progress.reached(position))) {
      throw new DomainError('ConcurrentChange', m.borrow_refused_being_taken_back());
    }
    if (isFinding) return this.lentSince(borrowId, bookIds);
    if (isLoss(recent)) return this.foundSince(borrowId, bookIds);
    const missing = await this.allocations.retake(borrowId, bookIds);
    if (missing.length === 0) return undefined;
    const held = await this.kept.refusal('ReturnedCopyHeld', bookIds, readerId);
    if (held) return held;
    const titles = missing.map((title) => m.fees_title({ title })).join(', ');
    return new DomainError('UndoBlocked', m.borrow_undo_copy_used({ titles }));
  }

  /** A copy that was found is lost again only where nobody else has it. */
  private async lentSince(borrowId: string, bookIds: readonly number[]): Promise<DomainError | undefined> {
    const goneOn = await Promise.all(bookIds.map((bookId) => this.allocations.hasGoneOn(borrowId, bookId)));
    if (!goneOn.some(Boolean)) return undefined;
    return new DomainError('UndoBlocked', m.borrow_undo_found_copy_used());
  }

  /** A copy that is gone needs not be taken: nobody else can have it, and the projection gives it back to the reader. */
  private async foundSince(borrowId: string, bookIds: readonly number[]): Promise<DomainError | undefined> {
    const gone = await Promise.all(bookIds.map((bookId) => this.allocations.isStillGone(borrowId, bookId)));
    if (gone.every(Boolean)) return undefined;
    return new DomainError('UndoBlocked', m.borrow_undo_copy_found());
  }
}
