import * as m from '#words/messages.js';
import { randomUUID } from 'node:crypto';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { paidAtDesk } from '#contracts/payments/paid-at-desk.js';
import type { PaymentCreation } from '#contracts/payments/payment.js';
import { AccrueFee, type BorrowFee } from '../borrowing/accrue-fee.command.js';
import { PaymentLedger, type PaymentTransaction } from './payment-ledger.js';
import { PaymentProvider, type PaymentOrder } from './payment-provider.js';
import { Settlement } from './settlement.js';

/** Offer a reader a payment of what their borrow owes. */
export class CreatePayment extends Command<PaymentCreation> {
  constructor(
    readonly readerId: string,
    readonly borrowId: string,
    readonly correlationId: string,
  ) {
    super();
  }
}

/** Record the reader's payment, if the provider confirms it. */
export class ConfirmPayment extends Command<ConfirmedPayment> {
  constructor(
    readonly readerId: string,
    readonly transactionId: string,
    readonly correlationId: string,
  ) {
    super();
  }
}

export interface ConfirmedPayment {
  borrowId: string;
  /** grosze */
  amount: number;
  /** Log position of `FinePaid`. */
  position: bigint;
}

/** Attempts when others change the same payment. */
const MAX_TRIES = 4;

@CommandHandler(CreatePayment)
export class CreatePaymentHandler implements ICommandHandler<CreatePayment> {
  constructor(
    private readonly ledger: PaymentLedger,
    private readonly provider: PaymentProvider,
    private readonly settlement: Settlement,
    private readonly commands: CommandBus,
  ) {}

  /**
   * Offers a pending payment of the same amount again; expires one of another amount at the provider first.
   * @throws DomainError OnlinePaymentOff, BorrowNotFound, NothingToPay, AmountTooSmall, PaymentProviderUnavailable;
   *   PaymentNotCompleted while the money of an earlier one is on its way
   */
  async execute({ readerId, borrowId, correlationId }: CreatePayment): Promise<PaymentCreation> {
    if (!this.provider.online) throw new DomainError('OnlinePaymentOff', paidAtDesk(this.provider));
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const fee = await this.commands.execute(new AccrueFee({ readerId, borrowId, correlationId }));
      if (fee.due <= 0) throw new DomainError('NothingToPay', m.till_no_unpaid_fee());
      if (fee.due < this.provider.minimumAmount) {
        throw new DomainError('AmountTooSmall', paidAtDesk(this.provider));
      }
      const underWay = await this.ledger.openOf(borrowId, this.provider.name);
      const offered = underWay
        ? await this.reuse(underWay, fee, correlationId)
        : await this.begin(readerId, borrowId, fee);
      if (offered) return offered;
    }
    throw new DomainError('ConcurrentChange', m.till_paid_elsewhere());
  }

  /** Returns nothing if that payment has ended, and a new one may begin. */
  private async reuse(
    payment: PaymentTransaction,
    fee: BorrowFee,
    correlationId: string,
  ): Promise<PaymentCreation | undefined> {
    if (payment.reference === null) {
      // Its page was never shown. Offer the same amount again, as the same transaction.
      if (payment.amount === fee.due) {
        const settled = await this.settlement.settle(payment, correlationId);
        return settled.status === 'open' ? this.offer(payment, fee.titles) : undefined;
      }
      await this.ledger.close(payment.id, 'failed');
      return undefined;
    }
    let said = await this.provider.look(payment.reference);
    if (said.standing === 'open') {
      if (payment.amount === fee.due && said.redirectUrl !== undefined) {
        return { redirectUrl: said.redirectUrl, transactionId: payment.id };
      }
      said = await this.provider.expire(payment.reference);
    }
    const settled = await this.settlement.conclude(payment, said, correlationId);
    if (settled.status === 'open') {
      throw new DomainError('PaymentNotCompleted', m.till_still_processed());
    }
    return undefined;
  }

  /** Returns nothing if somebody else has just begun one. */
  private async begin(
    readerId: string,
    borrowId: string,
    { due, titles }: BorrowFee,
  ): Promise<PaymentCreation | undefined> {
    const { name: provider } = this.provider;
    const wanted = { id: randomUUID(), borrowId, readerId, amount: due, due, provider, receivedBy: null };
    const begun = await this.ledger.begin(wanted);
    return begun && this.offer(begun, titles);
  }

  /** Returns nothing if the payment has been abandoned in the meantime. */
  private async offer(
    { id, borrowId, amount, currency, created }: PaymentTransaction,
    titles: readonly string[],
  ): Promise<PaymentCreation | undefined> {
    const order = { transactionId: id, borrowId, amount, currency, titles, created };
    const { reference, redirectUrl } = await this.openOrGiveUp(order);
    if (await this.ledger.offered(id, reference)) return { redirectUrl, transactionId: id };
    await this.provider.expire(reference);
    return undefined;
  }

  /** Ends a payment that the provider will never accept; one that timed out is offered again next time. */
  private async openOrGiveUp(order: PaymentOrder): Promise<{ reference: string; redirectUrl: string }> {
    try {
      return await this.provider.open(order);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'AmountTooSmall') {
        await this.ledger.close(order.transactionId, 'failed');
      }
      throw error;
    }
  }
}

@CommandHandler(ConfirmPayment)
export class ConfirmPaymentHandler implements ICommandHandler<ConfirmPayment> {
  constructor(
    private readonly ledger: PaymentLedger,
    private readonly settlement: Settlement,
  ) {}

  /** @throws DomainError TransactionNotFound, PaymentNotCompleted, PaymentProviderUnavailable */
  async execute({ readerId, transactionId, correlationId }: ConfirmPayment): Promise<ConfirmedPayment> {
    const isOurs = z.uuid().safeParse(transactionId).success;
    const payment = isOurs ? await this.ledger.find(transactionId) : undefined;
    if (payment?.readerId !== readerId) {
      throw new DomainError('TransactionNotFound', m.till_no_such_payment());
    }
    const { status, logPosition, borrowId, amount } = await this.settlement.settle(payment, correlationId);
    if (status === 'paid' && logPosition !== null) return { borrowId, amount, position: logPosition };
    throw new DomainError('PaymentNotCompleted', NOT_COMPLETED[status]());
  }
}

/** Why a payment is not confirmed, for the user. */
const NOT_COMPLETED: Record<PaymentTransaction['status'], () => string> = {
  open: m.till_payment_open,
  paid: m.till_payment_recording,
  refunding: m.till_payment_refunding,
  refunded: m.till_payment_refunded,
  refused: m.till_payment_refused,
  expired: m.till_payment_expired,
  failed: m.till_payment_failed,
  undoing: m.till_payment_undoing,
  undone: m.till_payment_undone,
};
