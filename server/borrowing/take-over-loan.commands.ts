import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { isRefusalByRule } from '#contracts/problem.js';
import { BOOK_KINDS } from '#contracts/rules/kinds.js';
import { decide } from '#circulation/borrow/borrow.decider.js';
import type { TakeOverLoan as Loan } from '#circulation/borrow/take-over.decider.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { LibraryRules } from '#rules/library-rules.js';
import * as m from '#words/messages.js';
import { CommandWith } from '../messages.js';
import { ReaderStreams, type CommandContext } from './streams/reader-streams.js';

/** What came of a loan: it is the reader's here now, or was taken over before. */
export type TakenOver = 'taken' | 'here';

/** Take a loan over that a reader has from an earlier system; its copy is known. */
export class TakeOverLoan extends CommandWith<
  TakenOver,
  { loan: Omit<Loan, 'type' | 'at' | 'book'> & { bookId: number }; context: CommandContext }
> {}

const takenRow = z.object({
  title: z.string(),
  kind: z.enum(BOOK_KINDS),
  refusal: z.enum(['gone', 'lent', 'abandoned']).nullable(),
});

const REFUSALS = {
  gone: () => new DomainError('CopyOutOfService', m.readers_import_copy_gone({ where: '' })),
  lent: () => new DomainError('CopyNotOnShelf', m.readers_import_copy_lent({ where: '' })),
  abandoned: () => new DomainError('RentAbandoned', m.borrow_refused_abandoned()),
};

/** The copy protocol of a rent (`RentBooksHandler`), with the one copy that the reader has. */
@CommandHandler(TakeOverLoan)
export class TakeOverLoanHandler implements ICommandHandler<TakeOverLoan> {
  constructor(
    private readonly streams: ReaderStreams,
    @Inject(DATABASE) private readonly database: Database,
    private readonly rules: LibraryRules,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError CopyOutOfService, CopyNotOnShelf, BookNotFound, BookAlreadyBorrowed, RentAbandoned */
  execute({ loan: { bookId, ...loan }, context }: TakeOverLoan): Promise<TakenOver> {
    const { readerId, borrowId, copy } = loan;
    return this.streams.serialize(readerId, async () => {
      const { prior } = await this.streams.findPriorResult(readerId, context, { anywhere: true });
      if (prior) return 'taken';
      const row = await queryRow(this.database, takenRow, {
        name: 'take-copy-over',
        text: 'select b.title, b.kind, take_copy($1, $2, b.id, $4) as refusal from book b where b.id = $3',
        values: [borrowId, readerId, bookId, copy],
      });
      if (!row) throw new DomainError('BookNotFound', m.borrow_refused_book_gone());
      const { title, kind, refusal } = row;
      const book = { bookId, title, ...(kind !== BOOK_KINDS[0] && { kind }) };
      const at = this.clock.now().toISOString();
      const command = { type: 'TakeOverLoan' as const, ...loan, book, at };
      try {
        const { state } = await this.streams.execute(readerId, context, (state) => {
          const decided = decide(state, command, this.rules.at(at));
          if (refusal && decided.length > 0) throw REFUSALS[refusal]();
          return decided;
        });
        if (state.borrows.has(borrowId)) return 'taken';
      } catch (error) {
        // Where nobody knows whether it was stored, the copy stays for the next attempt, or for the reconciler.
        if (error instanceof DomainError && isRefusalByRule(error.code)) await this.giveUp(borrowId);
        throw error;
      }
      await this.giveUp(borrowId);
      return 'here';
    });
  }

  private async giveUp(borrowId: string): Promise<void> {
    await this.database.query('select give_up_copies($1)', [borrowId]);
  }
}
