import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Request } from 'express';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import {
  deskFeeSchema,
  deskPaymentBodySchema,
  deskPaymentQuerySchema,
  deskPaymentSchema,
  fineSchema,
  paymentConfirmationSchema,
  paymentConfirmQuerySchema,
  paymentCreateQuerySchema,
  paymentCreationSchema,
  paymentTermsSchema,
  type DeskFee,
  type DeskPayment,
  type DeskPaymentBody,
  type Fine,
  type PaymentConfirmation,
  type PaymentCreation,
  type PaymentTerms,
} from '#contracts/payments/payment.js';
import { groszeOf } from '#contracts/money.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { Allow, Caller, type SignedIn } from '../http/access.js';
import { BorrowsById } from '../borrowing/borrow.queries.js';
import { FeeNow } from '../borrowing/fees.queries.js';
import { ReaderOfBorrow } from '../borrowing/past-borrows.queries.js';
import { correlationId } from '../http/correlation.js';
import { Answers } from '../http/answers.js';
import { IdempotencyKey } from '../http/idempotency-key.js';
import { valid } from '../http/validation.js';
import { ReadModelProgress } from '../read-models/read-model-progress.js';
import { PayAtDesk } from './desk-payment.command.js';
import { ConfirmPayment, CreatePayment } from './payment.commands.js';
import { PaymentProvider } from './payment-provider.js';

const fineParametersSchema = z.object({ id: z.uuid() });

/** The payment calls (specification, section 7), and the desk's. */
@Controller()
export class PaymentController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly progress: ReadModelProgress,
    private readonly provider: PaymentProvider,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  @Post('Payment/create')
  @HttpCode(200)
  @Allow('SignedIn')
  @Answers(paymentCreationSchema)
  async create(
    @Caller() caller: SignedIn,
    @Query(valid(paymentCreateQuerySchema)) { borrowId }: z.infer<typeof paymentCreateQuerySchema>,
    @Req() request: Request,
  ): Promise<PaymentCreation> {
    const created = await this.commands.execute(
      new CreatePayment(caller.pseudonym, borrowId, correlationId()),
    );
    return { ...created, redirectUrl: new URL(created.redirectUrl, this.origin(request)).href };
  }

  @Post('Payment/confirm')
  @HttpCode(200)
  @Allow('SignedIn')
  @Answers(paymentConfirmationSchema)
  async confirm(
    @Caller() caller: SignedIn,
    @Query(valid(paymentConfirmQuerySchema)) { transactionId }: z.infer<typeof paymentConfirmQuerySchema>,
  ): Promise<PaymentConfirmation> {
    const { borrowId, amount, position } = await this.commands.execute(
      new ConfirmPayment(caller.pseudonym, transactionId, correlationId()),
    );
    return { borrowId, amount: amount / 100, upToDate: await this.progress.reached(position) };
  }

  /** What can be paid online, so that the client offers no page that would refuse. */
  @Get('Payment/terms')
  @Allow('SignedIn')
  @Answers(paymentTermsSchema)
  terms(): PaymentTerms {
    const { online, minimumAmount } = this.provider;
    return { online, minimumAmount };
  }

  /** What a reader at the desk has to pay, or gets back. */
  @Get('Payment/desk')
  @Allow('Admin')
  @Answers(deskFeeSchema)
  async deskFee(
    @Query(valid(deskPaymentQuerySchema)) { borrowId }: z.infer<typeof deskPaymentQuerySchema>,
  ): Promise<DeskFee> {
    const readerId = await this.queries.execute(new ReaderOfBorrow(borrowId));
    return this.queries.execute(new FeeNow(readerId, borrowId));
  }

  /** Records a payment at the desk: of the whole amount due, or not at all. */
  @Post('Payment/desk')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(deskPaymentSchema)
  async desk(
    @Caller() caller: SignedIn,
    @Query(valid(deskPaymentQuerySchema)) { borrowId }: z.infer<typeof deskPaymentQuerySchema>,
    @Body(valid(deskPaymentBodySchema)) { amount }: DeskPaymentBody,
    @IdempotencyKey() key?: string,
  ): Promise<DeskPayment> {
    return this.atDesk(new PayAtDesk(caller.pseudonym, borrowId, amount, key, correlationId()));
  }

  /** Records that the reader got back, at the desk, all that he had paid for a book that was found. */
  @Post('Payment/refund')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(deskPaymentSchema)
  async refund(
    @Caller() caller: SignedIn,
    @Query(valid(deskPaymentQuerySchema)) { borrowId }: z.infer<typeof deskPaymentQuerySchema>,
    @Body(valid(deskPaymentBodySchema)) { amount }: DeskPaymentBody,
    @IdempotencyKey() key?: string,
  ): Promise<DeskPayment> {
    return this.atDesk(new PayAtDesk(caller.pseudonym, borrowId, amount, key, correlationId(), 'refund'));
  }

  private async atDesk(command: PayAtDesk): Promise<DeskPayment> {
    const { transactionId, position } = await this.commands.execute(command);
    const upToDate = await this.progress.reached(position);
    return { borrowId: command.borrowId, transactionId, position: position.toString(), upToDate };
  }

  /** The fee of a borrow, for its reader, an admin or an auditor. */
  @Get('fine/:id')
  @Allow('SignedIn')
  @Answers(fineSchema)
  async fine(
    @Caller() caller: SignedIn,
    @Param(valid(fineParametersSchema)) { id }: z.infer<typeof fineParametersSchema>,
  ): Promise<Fine> {
    const [borrow] = await this.queries.execute(new BorrowsById([id]));
    const maySee = caller.roles.includes('Admin') || caller.roles.includes('Auditor');
    if (!borrow || (borrow.user.id !== caller.accountId && !maySee)) {
      throw new DomainError('BorrowNotFound', 'There is no such borrow.');
    }
    const { fineAmount, fineDue } = borrow;
    const paid = (groszeOf(fineAmount) - groszeOf(fineDue)) / 100;
    return { borrowId: id, charged: fineAmount, paid, due: fineDue };
  }

  /** The address that the caller used: a page of our own opens there. */
  private origin(request: Request): string {
    const host = request.get('host');
    if (this.settings.PUBLIC_URL !== undefined || host === undefined) return publicUrl(this.settings);
    return `${request.protocol}://${host}`;
  }
}
