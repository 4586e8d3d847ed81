import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { groszeOf } from '#contracts/money.js';
import { Clock } from '#platform/clock.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { FeeNow } from '../../borrowing/fees.queries.js';
import { correlationId } from '../../http/correlation.js';
import { PayAtDesk } from '../../payments/desk-payment.command.js';
import { PaymentsTaken } from '../../payments/payments-taken.queries.js';
import type { Borrower } from '../borrower.js';
import { SelfService } from '../self-service.js';
import { PLAUSIBLE_DAYS } from './sip-dates.js';

/** As a device can ask for it, where its label was scanned. */
export const itemOf = ({ copy, title }: { copy: string | null; title: string }) => copy ?? title;

/** What a reader owes of one borrow. */
export interface Fee {
  borrowId: string;
  /** grosze, with the days that are not charged yet */
  due: number;
  books: { copy: string | null; title: string; bookId: number }[];
}

/** Fees, and money that a device took for them: it counts as money taken at the desk, by the device. */
@Injectable()
export class Fees {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly selfService: SelfService,
  ) {}

  /** What a reader owes, the oldest first. */
  async of({ pseudonym }: Borrower): Promise<Fee[]> {
    const { borrows } = await this.selfService.standingOf(pseudonym);
    const now = this.clock.now().toISOString();
    const owing = borrows.filter(
      ({ borrow }) => borrow.fineDue > 0 || (borrow.dueDate !== null && borrow.dueDate < now),
    );
    const fees = await Promise.all(
      owing.map(async ({ borrow: { id, books } }) => {
        const { due } = await this.queries.execute(new FeeNow(pseudonym, id));
        return { borrowId: id, due, books: books.map(({ copy = null, ...book }) => ({ ...book, copy })) };
      }),
    );
    return fees.filter(({ due }) => due > 0);
  }

  /**
   * Fees are paid as a whole: all, or the one of a borrow. Those that an earlier attempt by the same key has paid are not paid again.
   * @param amount grosze
   * @param item that the fee is for, as it was listed; without one, all are paid
   * @returns whether that is what was owed; if not, nothing was taken
   * @throws DomainError as PayAtDesk
   */
  async pay(
    deviceId: string,
    reader: Borrower,
    amount: number,
    item: string | undefined,
    key: string,
  ): Promise<boolean> {
    const keyOf = (id: string) => `${key} ${id}`;
    const by = { readerId: reader.pseudonym, receivedBy: deviceId, days: PLAUSIBLE_DAYS };
    const taken = await this.queries.execute(new PaymentsTaken(by));
    const begun = taken.filter(
      (each) => each.id === commandIdentity(keyOf(each.borrowId), deviceId, 'PayAtDesk', {}).commandId,
    );
    const sum = (fees: readonly { amount: number }[]) => fees.reduce((total, each) => total + each.amount, 0);
    const others = (await this.of(reader))
      .filter((fee) => !item || fee.books.some((book) => itemOf(book) === item))
      .filter((fee) => begun.every((each) => each.borrowId !== fee.borrowId))
      .map((fee) => ({ borrowId: fee.borrowId, amount: fee.due }));
    const wanted = sum(begun) === amount ? begun : [...begun, ...others];
    if (wanted.length === 0 || sum(wanted) !== amount) return false;
    for (const fee of wanted) {
      await this.commands.execute(
        new PayAtDesk(deviceId, fee.borrowId, fee.amount, keyOf(fee.borrowId), correlationId()),
      );
    }
    return true;
  }

  /** grosze of what a device sends: `12.5`, `12,50`; nothing for what is no amount */
  static read(text: string): number | undefined {
    return /^\s*\d{1,6}([.,]\d{1,2})?\s*$/.test(text) ? groszeOf(Number(text.replace(',', '.'))) : undefined;
  }
}
