import * as m from '#words/messages.js';
import { randomUUID } from 'node:crypto';
import { Command, CommandBus, CommandHandler, QueryBus, type ICommandHandler } from '@nestjs/cqrs';
import { DESK } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { isRefusalByRule } from '#contracts/problem.js';
import type { Queryable } from '#platform/database/database.js';
import {
  keyReused,
  lockCommand,
  RefusedCommands,
  type CommandIdentity,
} from '../idempotency/refused-commands.js';
import { notOwnFee } from '#circulation/borrow/borrow.rules.js';
import { AccrueFee, type BorrowFee } from '../borrowing/accrue-fee.command.js';
import { ReaderOfBorrow } from '../borrowing/past-borrows.queries.js';
import { feeChanged, nothingToRefund, refundChanged } from '#circulation/borrow/money.decider.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { PaymentLedger, type PaymentTransaction } from './payment-ledger.js';
import { Settlement } from './settlement.js';

/** Record that a reader has paid the fee of a borrow at the desk, or got back there what they had paid for a book that was found. */
export class PayAtDesk extends Command<PaidAtDesk> {
  /**
   * @param amount that the librarian saw and received, or handed back, in grosze
   * @param due all that was due when they looked, in grosze
   * @param key the same for a repeat of the same command
   */
  constructor(
    readonly librarianId: string,
    readonly borrowId: string,
    readonly amount: number,
    readonly key: string | undefined,
    readonly correlationId: string,
    readonly kind: PaymentTransaction['kind'] = 'fee',
    readonly due: number = amount,
  ) {
    super();
  }
}

export interface PaidAtDesk {
  transactionId: string;
  /** Log position of `FinePaid` or `RefundPaid`. */
  position: bigint;
}

/** Attempts when others change the same fee. */
const MAX_TRIES = 4;

@CommandHandler(PayAtDesk)
export class PayAtDeskHandler implements ICommandHandler<PayAtDesk> {
  constructor(
    private readonly ledger: PaymentLedger,
    private readonly settlement: Settlement,
    private readonly refused: RefusedCommands,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * The key names the transaction, so a repeat continues the existing one, or gets its refusal. Late days are charged
   * first: the payment covers today, and nothing is given back that is owed by now.
   * @throws DomainError BorrowNotFound, OwnFee, NothingToPay, NothingToRefund, IdempotencyKeyReused; FeeChanged if another amount is due than they saw;
   *   ConcurrentChange if others keep changing it; EventStoreUnavailable: it may have been recorded, retry with the
   *   same key
   */
  async execute(command: PayAtDesk): Promise<PaidAtDesk> {
    const { librarianId, borrowId, amount, due, key, kind } = command;
    const request = { borrowId, amount, due };
    const type = kind === 'fee' ? 'PayAtDesk' : 'PayRefund';
    const identity = commandIdentity(key ?? randomUUID(), librarianId, type, request);
    // By the lists, which may be behind: not to be remembered.
    const readerId = await this.queries.execute(new ReaderOfBorrow({ borrowId }));
    notOwnFee(readerId, librarianId, OWN[kind]);
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      try {
        const paid = await this.attempt(command, identity, readerId);
        if (paid) return paid;
      } catch (error) {
        if (key === undefined || !(error instanceof DomainError) || !isRefusalByRule(error.code)) throw error;
        const answer = await this.refused.refuse(identity, error, (connection) =>
          this.ledger.isBegun(identity.commandId, connection),
        );
        // Without one, another attempt has begun this payment since: go on with it.
        if (answer) throw answer;
      }
    }
    throw new DomainError('ConcurrentChange', m.till_paid_elsewhere());
  }

  /** @returns nothing if others have changed the fee meanwhile */
  private async attempt(
    command: PayAtDesk,
    identity: CommandIdentity,
    readerId: string,
  ): Promise<PaidAtDesk | undefined> {
    const { librarianId: receivedBy, borrowId, amount, due, correlationId, kind } = command;
    const { commandId: id } = identity;
    const fee = await this.commands.execute(new AccrueFee({ readerId, borrowId, correlationId }));
    // Read after the fee: if this payment has settled it, it is there.
    const known = await this.ledger.find(id);
    if (known) sameRequest(known, command);
    if (!known || known.status === 'refused') mustBeOwed(fee, command);
    if (known?.status === 'refused') await this.admit(identity);
    const wanted = { id, borrowId, readerId, amount, due, provider: DESK, receivedBy, kind };
    const payment =
      known ??
      (await this.ledger.begin(wanted, async (connection) => {
        await lockCommand(connection, identity);
        await this.admit(identity, connection);
      }));
    if (!payment) {
      // Another librarian was faster, or was interrupted: their payment is recorded first.
      const other = await this.ledger.openOf(borrowId, DESK);
      if (other && other.id !== id) await this.settlement.settle(other, correlationId);
      return undefined;
    }
    const { status, logPosition } =
      payment.status === 'open' ? await this.settlement.takeAtDesk(payment, correlationId) : payment;
    // One that was undone since was recorded nevertheless: that is the answer to its key.
    return logPosition === null || status === 'refused'
      ? undefined
      : { transactionId: id, position: logPosition };
  }

  /** @throws DomainError the earlier refusal, or IdempotencyKeyReused */
  private async admit(identity: CommandIdentity, connection?: Queryable): Promise<void> {
    const answer = await this.refused.admit(identity, connection);
    if (answer) throw answer;
  }
}

/** What nobody does with their own fee. */
const OWN = { fee: m.borrow_own_payment, refund: m.borrow_own_refund };

function mustBeOwed({ due, refund }: BorrowFee, { amount, due: seen, kind }: PayAtDesk): void {
  if (kind === 'refund') {
    if (refund <= 0) throw nothingToRefund();
    if (refund !== amount) throw refundChanged(refund);
    return;
  }
  if (due <= 0) throw new DomainError('NothingToPay', m.till_nothing_owed());
  if (due !== seen) throw feeChanged(due);
}

function sameRequest(
  known: PaymentTransaction,
  { librarianId, borrowId, amount, due, kind }: PayAtDesk,
): void {
  const isSameMoney = known.amount === amount && known.due === due && known.kind === kind;
  const isSame = known.borrowId === borrowId && isSameMoney;
  if (isSame && known.receivedBy === librarianId) return;
  throw keyReused();
}
