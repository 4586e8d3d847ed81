import * as m from '#words/messages.js';
import { CommandBus, CommandHandler, QueryBus, type ICommandHandler } from '@nestjs/cqrs';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { DomainError } from '#contracts/domain-error.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { CommandWith } from '../messages.js';
import { AppendCopyEvents } from '../catalogue/copies/copy.commands.js';
import { ReadModelProgress } from '../read-models/read-model-progress.js';
import { FoundLosses } from './found-losses.js';
import { ReaderOfBorrow } from './past-borrows.queries.js';
import { ReaderReplays } from './streams/reader-replays.js';
import type { CommandContext } from './streams/reader-streams.js';
import { Undo } from './undo.command.js';

/**
 * Undo that a lost copy was found, where that took back the charge of a reader.
 * Answers whether it did: if not, it is nobody's loss, and the copy alone is to be marked lost again.
 */
export class UndoFinding extends CommandWith<boolean, { copy: CopyOfBook; context: CommandContext }> {}

@CommandHandler(UndoFinding)
export class UndoFindingHandler implements ICommandHandler<UndoFinding> {
  constructor(
    private readonly log: EventLog,
    private readonly losses: FoundLosses,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly replays: ReaderReplays,
    private readonly progress: ReadModelProgress,
  ) {}

  /**
   * The copy follows the borrow, as when it was lost: `FindingUndone` brings the charge back, and its projection marks the copy.
   * @throws DomainError ConcurrentChange; UndoBlocked when something depends on the finding, or the charge is back for longer than an undoing may take
   */
  async execute({ copy, context }: UndoFinding): Promise<boolean> {
    const borrowId = await this.lostIn(copy);
    if (borrowId === null) return false;
    // Otherwise the charge would be taken back behind this.
    await this.losses.settle();
    const readerId = await this.queries.execute(new ReaderOfBorrow({ borrowId }));
    const revision = await this.findingOf(readerId, borrowId, copy);
    const asked = { type: 'Undo' as const, borrowId, revision, librarianId: context.actor };
    try {
      const { position } = await this.commands.execute(new Undo(readerId, asked, context));
      await this.progress.reached(position);
    } catch (error) {
      throw error instanceof DomainError && error.code === 'NothingToUndo' ? tooLate() : error;
    }
    await this.commands.execute(new AppendCopyEvents());
    return true;
  }

  /** By the log: the lists may be behind. */
  private async findingOf(readerId: string, borrowId: string, { bookId }: CopyOfBook): Promise<number> {
    const replay = await this.replays.of(readerId);
    const borrow = replay.stateAt(replay.lastRevision).borrows.get(borrowId);
    if (borrow?.books.some((book) => book.bookId === bookId && book.loss)) {
      throw new DomainError('ConcurrentChange', m.borrow_charge_being_cancelled());
    }
    const finding = borrow?.recent.findLast(
      ({ type, bookIds }) => type === 'LostBookFound' && bookIds?.includes(bookId),
    );
    if (!finding) throw tooLate();
    return finding.revision;
  }

  /** The borrow that it was lost in before it was found, which was the last that happened to it. */
  private async lostIn(copy: CopyOfBook): Promise<string | null> {
    const events = await this.log.readNewest('copies', copyCode(copy), (newest) =>
      newest.some(({ event }) => event.type === 'CopyLost'),
    );
    const lost = events.findLast(({ event }) => event.type === 'CopyLost')?.event;
    return lost?.type === 'CopyLost' ? lost.data.borrowId : null;
  }
}

function tooLate(): DomainError {
  return new DomainError('UndoBlocked', m.borrow_finding_settled());
}
