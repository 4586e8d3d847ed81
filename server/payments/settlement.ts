import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DESK } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';
import { Clock } from '#platform/clock.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import { ChangeBorrow } from '../borrowing/borrow.commands.js';
import { KeyedQueue } from '#platform/keyed-queue.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { PaymentLedger, type PaymentTransaction } from './payment-ledger.js';
import { PaymentProvider, providerUnavailable, type ProviderPayment } from './payment-provider.js';

/** Milliseconds after which a payment that the provider never took is given up. */
const OFFERED_WITHIN = 60_000;
/** Payments decided at once in a process: each holds a database connection while its event is stored. */
const LANES = 4;

/** Money that is taken counts as far as it is owed; money on the desk has to be the whole. */
type Recording = 'RecordPayment' | 'TakePayment';

/** The rules that say that a payment is not what is owed. */
const NOT_OWED: readonly ProblemCode[] = ['NothingToPay', 'WrongAmount', 'FeeChanged'];

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
    // A librarian has said that she has the money: there is nobody to ask.
    if (payment.provider === DESK) return this.record(payment, 'RecordPayment', correlationId);
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

  /**
   * Records money that lies on the desk, if it is the whole of what is due now: else it is `refused`, and can be handed
   * back. Where it was cut off and the librarian does not ask again, `settle` records what it is worth.
   * @throws DomainError EventStoreUnavailable: it may be asked again
   */
  takeAtDesk(payment: PaymentTransaction, correlationId: string): Promise<PaymentTransaction> {
    return this.record(payment, 'TakePayment', correlationId);
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
        const decided = await this.decide(payment, 'refunding', (locked) => {
          if (said.amount === locked.amount && said.currency === locked.currency) {
            return this.store(locked, 'RecordPayment', correlationId);
          }
          this.logger.error(
            { transactionId: locked.id },
            'a provider took another amount than was asked for',
          );
          return Promise.resolve(undefined);
        });
        return decided.status === 'refunding' ? this.giveBack(decided) : decided;
      }
    }
  }

  private record(
    payment: PaymentTransaction,
    how: Recording,
    correlationId: string,
  ): Promise<PaymentTransaction> {
    return this.decide(payment, 'refused', (locked) => this.store(locked, how, correlationId));
  }

  private decide(
    payment: PaymentTransaction,
    otherwise: 'refunding' | 'refused',
    store: (locked: PaymentTransaction) => Promise<bigint | undefined>,
  ): Promise<PaymentTransaction> {
    return this.lanes.run(laneOf(payment), () => this.ledger.decide(payment.id, otherwise, store));
  }

  /**
   * Stores `FinePaid`. The command is named by the transaction, so doing so again gives the first answer.
   * @returns its position in the log, or nothing where the fee is not owed any more
   */
  private async store(
    { id, borrowId, readerId, amount, provider, receivedBy }: PaymentTransaction,
    how: Recording,
    correlationId: string,
  ): Promise<bigint | undefined> {
    // However it is recorded it is the same payment, and is recorded once.
    const recorded = { type: 'RecordPayment' as const, borrowId, amount, transactionId: id, provider };
    const change = how === 'RecordPayment' ? recorded : { type: how, borrowId, amount, transactionId: id };
    const context = {
      actor: receivedBy ?? readerId,
      correlationId,
      ...commandIdentity(id, 'payments', recorded.type, recorded),
    };
    try {
      return (await this.commands.execute(new ChangeBorrow(readerId, change, context))).position;
    } catch (error) {
      if (!(error instanceof DomainError) || !NOT_OWED.includes(error.code)) throw error;
      this.logger.warn(
        { transactionId: id, borrowId, provider },
        'a payment is not what is owed: the money is to be given back',
      );
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
