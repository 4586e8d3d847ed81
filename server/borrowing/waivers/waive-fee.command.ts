import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { WaiverBody } from '#contracts/borrowing/borrow-calls.js';
import { DomainError } from '#contracts/domain-error.js';
import { isRefusalByRule } from '#contracts/problem.js';
import { addEventNote, removeEventNote } from '#platform/database/event-notes.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import type { Waiver } from '#circulation/borrow/money.decider.js';
import { CommandWith } from '../../messages.js';
import { ChangeBorrow, type BorrowCommandResult } from '../borrow.commands.js';
import { eventId, type CommandContext } from '../streams/reader-streams.js';

/** Waive a fee, in part or whole. */
export class WaiveFee extends CommandWith<
  BorrowCommandResult,
  Pick<Waiver, 'readerId' | 'librarianId' | 'upTo' | 'asked'> & {
    borrowId: string;
    waiver: WaiverBody;
    context: CommandContext;
  }
> {}

@CommandHandler(WaiveFee)
export class WaiveFeeHandler implements ICommandHandler<WaiveFee> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commands: CommandBus,
  ) {}

  /** The reason in words is there before the event: a process that dies between leaves words without an event, never the reverse. */
  async execute(command: WaiveFee): Promise<BorrowCommandResult> {
    const { readerId, borrowId, librarianId, waiver, upTo, asked, context } = command;
    const { amount, reason, note } = waiver;
    const id = eventId(readerId, context.commandId, 0);
    const isNoted =
      note !== undefined &&
      (await addEventNote(this.database, {
        ...{ eventId: id, note, about: readerId },
        writtenBy: asked?.by ?? librarianId,
      }));
    const by = { librarianId, upTo, ...(asked && { asked }) };
    const change = { type: 'WaiveFee' as const, borrowId, readerId, amount, reason, ...by };
    try {
      return await this.commands.execute(new ChangeBorrow({ readerId, change, context }));
    } catch (error) {
      const isRefused =
        error instanceof DomainError && (isRefusalByRule(error.code) || error.code === 'WaiverAboveLimit');
      if (isNoted && isRefused) await removeEventNote(this.database, id);
      throw error;
    }
  }
}
