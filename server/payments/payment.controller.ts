import * as m from '#words/messages.js';
import { Controller, Inject, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Request } from 'express';
import { DomainError } from '#contracts/domain-error.js';
import { groszeOf } from '#contracts/money.js';
import * as calls from '#contracts/payments/payment.js';
import type {
  DeskFee,
  DeskPayment,
  Fine,
  PaymentConfirmation,
  PaymentCreation,
  PaymentTerms,
} from '#contracts/payments/payment.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { BorrowsById } from '../borrowing/borrow.queries.js';
import { FeeNow } from '../borrowing/fees.queries.js';
import { ReaderOfBorrow } from '../borrowing/past-borrows.queries.js';
import { askedOrigin } from '../http/asked-origin.js';
import { correlationId } from '../http/correlation.js';
import { mayForOthers } from '../http/access.js';
import { Serves, type Asked } from '../http/serves.js';
import { PayAtDesk } from './desk-payment.command.js';
import { ConfirmPayment, CreatePayment } from './payment.commands.js';
import { PaymentProvider } from './payment-provider.js';

/** The payment calls (specification, section 7), and the desk's. */
@Controller()
export class PaymentController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly provider: PaymentProvider,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  @Serves(calls.createPayment)
  async create(
    { caller, query }: Asked<typeof calls.createPayment>,
    @Req() request: Request,
  ): Promise<PaymentCreation> {
    const created = await this.commands.execute(
      new CreatePayment(caller.pseudonym, query.borrowId, correlationId()),
    );
    return {
      ...created,
      redirectUrl: new URL(created.redirectUrl, askedOrigin(request, this.settings)).href,
    };
  }

  @Serves(calls.confirmPayment)
  async confirm({ caller, query }: Asked<typeof calls.confirmPayment>): Promise<PaymentConfirmation> {
    const { borrowId, amount } = await this.commands.execute(
      new ConfirmPayment(caller.pseudonym, query.transactionId, correlationId()),
    );
    return { borrowId, amount: amount / 100 };
  }

  @Serves(calls.readPaymentTerms)
  terms(): PaymentTerms {
    const { online, minimumAmount } = this.provider;
    return { online, minimumAmount };
  }

  @Serves(calls.readDeskFee)
  async deskFee({ query: { borrowId } }: Asked<typeof calls.readDeskFee>): Promise<DeskFee> {
    const readerId = await this.queries.execute(new ReaderOfBorrow({ borrowId }));
    return this.queries.execute(new FeeNow(readerId, borrowId));
  }

  @Serves(calls.payAtDesk)
  desk(asked: Asked<typeof calls.payAtDesk>): Promise<DeskPayment> {
    return this.atDesk(asked, 'fee');
  }

  @Serves(calls.refundAtDesk)
  refund(asked: Asked<typeof calls.refundAtDesk>): Promise<DeskPayment> {
    return this.atDesk(asked, 'refund');
  }

  private async atDesk(
    { caller, query: { borrowId }, body: { amount, due }, key }: Asked<typeof calls.payAtDesk>,
    kind: 'fee' | 'refund',
  ): Promise<DeskPayment> {
    const { transactionId, position } = await this.commands.execute(
      new PayAtDesk(caller.pseudonym, borrowId, amount, key, correlationId(), kind, due),
    );
    return { borrowId, transactionId, position: position.toString() };
  }

  @Serves(calls.readFine)
  async fine({ caller, params: { id } }: Asked<typeof calls.readFine>): Promise<Fine> {
    const [borrow] = await this.queries.execute(new BorrowsById({ borrowIds: [id] }));
    const maySee = mayForOthers(calls.readFine, caller);
    if (!borrow || (borrow.user.id !== caller.accountId && !maySee)) {
      throw new DomainError('BorrowNotFound', m.till_no_such_borrow());
    }
    const { fineAmount, fineDue } = borrow;
    const paid = (groszeOf(fineAmount) - groszeOf(fineDue)) / 100;
    return { borrowId: id, charged: fineAmount, paid, due: fineDue };
  }
}
