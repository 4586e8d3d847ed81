import * as m from '#words/messages.js';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus, type Command } from '@nestjs/cqrs';
import { explainOwnFee, readOwnHistory } from '#contracts/audit/audit-calls.js';
import type { FeeExplanation } from '#contracts/audit/fee-explanation.js';
import type { PastBorrows } from '#contracts/audit/as-of.js';
import * as calls from '#contracts/borrowing/borrow-calls.js';
import type { BorrowDetails } from '#contracts/borrowing/borrow-details.js';
import type { BorrowView, CommandAnswer } from '#contracts/borrowing/borrow-views.js';
import { MAX_PAGE_SIZE, type Paged } from '#contracts/paging.js';
import { mayForOthers, notAllowed } from '../http/access.js';
import { Serves, type Asked } from '../http/serves.js';
import { ChangeBorrow, RentBooks, type BorrowCommandResult } from './borrow.commands.js';
import { BorrowDetailsQueries } from './borrow-details.queries.js';
import { BorrowQueries, ListBorrows } from './borrow.queries.js';
import { contextOf, goingBeyond } from './command-context.js';
import { ExplainFee, PastBorrowsOf } from './past-borrows.queries.js';
import { Pseudonyms } from './known-readers.js';

/** Who names no page gets as much as there may be in one. */
const FIRST_PAGE = { pageNumber: 1, pageSize: MAX_PAGE_SIZE };

/** The borrow calls (specification, section 7) but for those of the desk. */
@Controller()
export class BorrowController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly pseudonyms: Pseudonyms,
    private readonly borrowDetailsQueries: BorrowDetailsQueries,
    private readonly borrowQueries: BorrowQueries,
  ) {}

  @Serves(calls.rentBooks)
  rent({ caller, body, key }: Asked<typeof calls.rentBooks>): Promise<CommandAnswer> {
    const bookIds = [...new Set(body.bookIds)];
    const context = contextOf(caller, key, 'RentBooks', { bookIds });
    return this.done(new RentBooks({ readerId: caller.pseudonym, bookIds, context }));
  }

  @Serves(calls.renewBorrow)
  async renew({ caller, query, key }: Asked<typeof calls.renewBorrow>): Promise<CommandAnswer> {
    const { borrowId, dueDate, userId, beyondLimit } = query;
    const asked = {
      type: 'RenewBorrow' as const,
      borrowId,
      renewedBy: caller.pseudonym,
      ...(dueDate !== undefined && { dueDate: new Date(dueDate).toISOString() }),
      ...goingBeyond(caller, userId, beyondLimit),
    };
    const forAnother = userId !== undefined && userId !== caller.accountId;
    if (forAnother && !mayForOthers(calls.renewBorrow, caller)) throw notAllowed(m.borrow_renew_own_only());
    const context = contextOf(caller, key, asked.type, forAnother ? { userId, ...asked } : asked);
    const reader = forAnother ? await this.pseudonyms.of(userId) : caller.pseudonym;
    const change = { ...asked, mayBeRepeat: key === undefined && dueDate === undefined };
    return this.done(new ChangeBorrow({ readerId: reader, change, context }));
  }

  @Serves(calls.cancelRent)
  async cancel({ caller, query, key }: Asked<typeof calls.cancelRent>): Promise<CommandAnswer> {
    const { borrowId, userId } = query;
    const isOwn = userId === undefined || userId === caller.accountId;
    if (!isOwn && !mayForOthers(calls.cancelRent, caller)) throw notAllowed(m.borrow_cancel_own_only());
    const change = { type: 'CancelRent' as const, borrowId, cancelledBy: caller.pseudonym };
    const context = contextOf(caller, key, change.type, { userId, ...change });
    const reader = isOwn ? caller.pseudonym : await this.pseudonyms.of(userId);
    return this.done(new ChangeBorrow({ readerId: reader, change, context }));
  }

  @Serves(calls.listBorrows)
  list({ query }: Asked<typeof calls.listBorrows>): Promise<Paged<BorrowView>> {
    return this.queries.execute(new ListBorrows({ query }));
  }

  @Serves(calls.readBorrow)
  details({ query }: Asked<typeof calls.readBorrow>): Promise<BorrowDetails> {
    return this.borrowDetailsQueries.find(query.borrowId);
  }

  @Serves(readOwnHistory)
  history({
    caller: { pseudonym },
    query: { at, pageNumber, ...query },
  }: Asked<typeof readOwnHistory>): Promise<BorrowView[] | Paged<BorrowView> | PastBorrows> {
    if (at !== undefined) {
      const page = pageNumber === undefined ? FIRST_PAGE : { pageNumber, pageSize: query.pageSize };
      return this.queries.execute(new PastBorrowsOf({ readerId: pseudonym, at, page }));
    }
    return pageNumber === undefined
      ? this.borrowQueries.borrowHistory(pseudonym)
      : this.borrowQueries.borrowHistoryPage(pseudonym, { pageNumber, ...query });
  }

  @Serves(explainOwnFee)
  fee({ caller, query }: Asked<typeof explainOwnFee>): Promise<FeeExplanation> {
    return this.queries.execute(
      new ExplainFee({ readerId: caller.pseudonym, borrowId: query.borrowId, voice: 'reader' }),
    );
  }

  private async done(command: Command<BorrowCommandResult>): Promise<CommandAnswer> {
    const { borrowId, position } = await this.commands.execute(command);
    return { borrowId, position: position.toString() };
  }
}
