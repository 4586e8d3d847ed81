import * as m from '#words/messages.js';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import type { BorrowCommandResult } from '../borrowing/borrow.commands.js';
import { UndoPayment } from '../borrowing/undo.command.js';
import { PaymentLedger } from './payment-ledger.js';
import { Settlement } from './settlement.js';

/**
 * Undoes a payment at the desk: the money is handed back, the till's sum is without it. The row says first that it is being undone
 * and as which command, so that the reconciler completes what broke off; then the event is stored, then the row is `undone`.
 */
@CommandHandler(UndoPayment)
export class UndoPaymentHandler implements ICommandHandler<UndoPayment> {
  constructor(
    private readonly ledger: PaymentLedger,
    private readonly settlement: Settlement,
  ) {}

  /** @throws DomainError NothingToUndo, UndoBlocked; ConcurrentChange while another attempt at it is under way */
  async execute({ transactionId, asked, context }: UndoPayment): Promise<BorrowCommandResult> {
    const { revision, librarianId } = asked;
    const { commandId, commandDigest, correlationId, isNamed = false } = context;
    const payment = await this.ledger.beginUndoing(transactionId, {
      ...{ revision, librarianId },
      ...{ commandId, commandDigest },
    });
    const isMine = payment?.undoing?.commandId === commandId;
    const done = payment && (await this.settlement.undo(payment, correlationId, isNamed && isMine));
    if (done && isMine) return done;
    throw new DomainError('ConcurrentChange', m.till_undone_elsewhere());
  }
}
