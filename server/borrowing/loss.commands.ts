import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import type { Loss } from '#contracts/borrowing/borrowed-book.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { CommandWith } from '../messages.js';
import { ChangeBorrow, type BorrowCommandResult } from './borrow.commands.js';
import type { CommandContext } from './streams/reader-streams.js';

/** A book that a reader has was lost, or came back damaged: it is charged for, and its loan is over. */
export class MarkLost extends CommandWith<
  BorrowCommandResult,
  {
    readerId: string;
    borrowId: string;
    loss: { bookId: number; as: Loss; librarianId: string };
    context: CommandContext;
  }
> {}

@CommandHandler(MarkLost)
export class MarkLostHandler implements ICommandHandler<MarkLost> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commands: CommandBus,
  ) {}

  /** The price is that of now: another attempt at the same command gets the first one's answer, whatever the price is then. */
  async execute({ readerId, borrowId, loss, context }: MarkLost): Promise<BorrowCommandResult> {
    const book = await queryRow(
      this.database,
      z.object({ price: z.int().nullable() }),
      'select price from book where id = $1',
      [loss.bookId],
    );
    const change = { type: 'ReportLoss' as const, borrowId, ...loss, price: book?.price ?? null };
    return this.commands.execute(new ChangeBorrow({ readerId, change, context }));
  }
}
