import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DESK } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { isRefusalByRule, type ProblemCode } from '#contracts/problem.js';
import { Clock } from '#platform/clock.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import { ChangeBorrow, type BorrowCommandResult } from '../borrowing/borrow.commands.js';
import { KeyedMutex } from '#platform/keyed-mutex.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { PaymentLedger, type PaymentTransaction } from './payment-ledger.js';
import { PaymentProvider, providerUnavailable, type ProviderPayment } from './payment-provider.js';

/** Milliseconds after which nobody waits any more for a payment that was begun, and never reached the provider or the log. */
const UNDER_WAY_FOR = 60_000;
/** Concurrent decisions per process: each holds a database connection while its event is stored. */
const LANES = 4;

/** An online payment counts as far as it is owed; one at the desk as a whole or not at all. */
type Recording = 'RecordPayment' | 'TakePayment';

/** Error codes of a payment that does not match what is owed. */
const NOT_OWED: readonly ProblemCode[] = [
  'NothingToPay',
  'WrongAmount',
  'FeeChanged',
  'NothingToRefund',
  'OwnFee',
];

/**
 * Settles a payment by what the provider reports, and by nothing else. The browser, the webhook and the reconciler all
 * call it, any number of times and concurrently; `docs/decisions/017-payments.md` describes the protocol.
 */
@Injectable()
export class Settlement {
  private readonly lanes = new KeyedMutex();

  constructor(
    private readonly ledger: PaymentLedger,
    private readonly provider: PaymentProvider,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Asks the provider about a pending payment, and acts on the answer.
   * @returns the payment afterwards
   * @throws DomainError PaymentProviderUnavailable, EventStoreUnavailable: the next call completes what is missing
   */
  async settle(payment: PaymentTransaction, correlationId: string): Promise<PaymentTransaction> {
    if (payment.status === 'undoing') return this.goOnUndoing(payment, correlationId);
    if (payment.status !== 'open' && payment.status !== 'refunding') return payment;
    // The librarian has confirmed the money: there is no provider to ask.
    if (payment.provider === DESK) {
      return this.record(payment, this.isUnderWay(payment) ? 'TakePayment' : 'RecordPayment', correlationId);
    }
    if (payment.provider !== this.provider.name) {
      throw providerUnavailable(m.till_provider_not_in_use());
    }
    if (payment.status === 'refunding') return this.giveBack(payment);
    if (payment.reference === null) {
      return this.isUnderWay(payment) ? payment : this.ledger.close(payment.id, 'failed');
    }
    return this.conclude(payment, await this.provider.look(payment.reference), correlationId);
  }

  /**
   * Records a payment at the desk if what is due is what they saw, and money that was given back there if it is owed; otherwise
   * it is `refused`, and the money can be handed back. If it was interrupted and the librarian does not retry, `settle` records what counts of it.
   * @throws DomainError EventStoreUnavailable: may be retried
   */
  takeAtDesk(payment: PaymentTransaction, correlationId: string): Promise<PaymentTransaction> {
    return this.record(payment, 'TakePayment', correlationId);
  }

  /**
   * Undoes a payment at the desk that somebody began to undo.
   * @throws DomainError why it is refused: the payment counts again
   */
  undo(
    { id, borrowId, readerId }: PaymentTransaction,
    correlationId: string,
    isNamed: boolean,
  ): Promise<BorrowCommandResult | undefined> {
    return this.lanes.run(laneOf({ id }), () =>
      this.ledger.decideUndoing(
        id,
        ({ revision, librarianId, ...identity }) =>
          this.commands.execute(
            new ChangeBorrow({
              readerId,
              change: { type: 'Undo', borrowId, readerId, revision, librarianId },
              context: { actor: librarianId, correlationId, isNamed, ...identity },
            }),
          ),
        (error) => error instanceof DomainError && isRefusalByRule(error.code),
      ),
    );
  }

  /** Nobody waits for the answer any more. */
  private async goOnUndoing(payment: PaymentTransaction, correlationId: string): Promise<PaymentTransaction> {
    try {
      await this.undo(payment, correlationId, false);
    } catch (error) {
      if (!(error instanceof DomainError) || !isRefusalByRule(error.code)) throw error;
      this.logger.warn(
        { transactionId: payment.id, code: error.code },
        'a payment could not be undone, and counts',
      );
    }
    return (await this.ledger.find(payment.id)) ?? payment;
  }

  /** Acts on the provider's status of a pending payment. */
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

  private isUnderWay({ created }: PaymentTransaction): boolean {
    return this.clock.now().getTime() - created.getTime() < UNDER_WAY_FOR;
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
   * Stores `FinePaid`, or `RefundPaid`. The transaction names the command, so a repeat returns the first result.
   * @returns its position in the log, or nothing if the fee is no longer owed
   */
  private async store(
    payment: PaymentTransaction,
    how: Recording,
    correlationId: string,
  ): Promise<bigint | undefined> {
    const { id, borrowId, readerId, kind, amount, due, provider, receivedBy } = payment;
    const actor = receivedBy ?? readerId;
    // By whichever method, it is the same payment and is recorded once.
    const of = { borrowId, amount, transactionId: id };
    const recorded =
      kind === 'refund'
        ? { type: 'PayRefund' as const, ...of, readerId, librarianId: actor }
        : { type: 'RecordPayment' as const, ...of, provider };
    const change = kind === 'refund' || how === 'RecordPayment' ? recorded : { type: how, ...of, due };
    const context = { actor, correlationId, ...commandIdentity(id, 'payments', recorded.type, recorded) };
    try {
      return (await this.commands.execute(new ChangeBorrow({ readerId, change, context }))).position;
    } catch (error) {
      if (!(error instanceof DomainError) || !NOT_OWED.includes(error.code)) throw error;
      this.logger.warn(
        { transactionId: id, borrowId, provider, kind },
        kind === 'refund'
          ? 'money that was given back at the desk is not owed to the reader'
          : 'a payment is not what is owed: the money is to be given back',
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

function laneOf({ id }: Pick<PaymentTransaction, 'id'>): string {
  return String(Number.parseInt(id.slice(-2), 16) % LANES);
}
