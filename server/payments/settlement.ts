import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import { ChangeBorrow } from '../borrowing/borrow.commands.js';
import { KeyedQueue } from '../borrowing/keyed-queue.js';
import { commandIdentity } from '../borrowing/reader-streams.js';
import { PaymentLedger, type PaymentTransaction } from './payment-ledger.js';
import { PaymentProvider, providerUnavailable, type ProviderPayment } from './payment-provider.js';

/** Milliseconds after which a payment that the provider never took is given up. */
const OFFERED_WITHIN = 60_000;
/** Payments decided at once in a process: each holds a database connection while its event is stored. */
const LANES = 4;

/**
 * Brings a payment to its end, by what the provider says of it and by nothing else. Everybody who hears of a
 * payment ends up here (the browser, the webhook, the reconciler), any number of times and at once; the protocol
 * is written down in `docs/decisions/007-payments.md`.
 */
@Injectable()
export class Settlement {
  private readonly lanes = new KeyedQueue();

  constructor(
    private readonly ledger: PaymentLedger,
    private readonly provider: PaymentProvider,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Asks the provider where the payment is not at its end, and acts on the answer.
   * @returns the payment as it is then
   * @throws DomainError PaymentProviderUnavailable, EventStoreUnavailable: what is missing is done next time
   */
  async settle(payment: PaymentTransaction, correlationId: string): Promise<PaymentTransaction> {
    if (payment.status !== 'open' && payment.status !== 'refunding') return payment;
    if (payment.provider !== this.provider.name) {
      throw providerUnavailable('The payment provider of this payment is not in use at the moment.');
    }
    if (payment.status === 'refunding') return this.giveBack(payment);
    if (payment.reference === null) {
      const age = this.clock.now().getTime() - payment.created.getTime();
      return age < OFFERED_WITHIN ? payment : this.ledger.close(payment.id, 'failed');
    }
    return this.conclude(payment, await this.provider.look(payment.reference), correlationId);
  }

  /** Acts on what the provider says of a payment under way. */
  async conclude(
    payment: PaymentTransaction,
    said: ProviderPayment,
    correlationId: string,
  ): Promise<PaymentTransaction> {
    switch (said.standing) {
      case 'open':
      case 'processing':
        return payment;
      case 'refused':
      case 'expired':
        return this.ledger.close(payment.id, said.standing);
      case 'paid': {
        const decided = await this.lanes.run(laneOf(payment), () =>
          this.ledger.decide(payment.id, (locked) => this.store(locked, said, correlationId)),
        );
        return decided.status === 'refunding' ? this.giveBack(decided) : decided;
      }
    }
  }

  /**
   * Stores `FinePaid`. The command is named by the transaction, so doing so again gives the first answer.
   * @returns its position in the log, or nothing where the fee is not owed any more
   */
  private async store(
    { id, borrowId, readerId, amount, currency, provider }: PaymentTransaction,
    said: ProviderPayment,
    correlationId: string,
  ): Promise<bigint | undefined> {
    if (said.amount !== amount || said.currency !== currency) {
      this.logger.error({ transactionId: id }, 'a provider took another amount than was asked for');
      return undefined;
    }
    const change = {
      type: 'RecordPayment' as const,
      borrowId,
      amount,
      transactionId: id,
      provider,
    };
    const context = {
      actor: readerId,
      correlationId,
      ...commandIdentity(id, 'payments', change.type, change),
    };
    try {
      return (await this.commands.execute(new ChangeBorrow(readerId, change, context))).position;
    } catch (error) {
      const owesLess =
        error instanceof DomainError && (error.code === 'NothingToPay' || error.code === 'WrongAmount');
      if (!owesLess) throw error;
      this.logger.warn({ transactionId: id }, 'a fee that is owed no more was paid: it is given back');
      return undefined;
    }
  }

  private async giveBack(payment: PaymentTransaction): Promise<PaymentTransaction> {
    if (payment.reference === null) throw new Error(`the payment ${payment.id} has no reference`);
    await this.provider.refund(payment.reference, payment.id);
    return this.ledger.refunded(payment.id);
  }
}

function laneOf({ id }: PaymentTransaction): string {
  return String(Number.parseInt(id.slice(-2), 16) % LANES);
}
