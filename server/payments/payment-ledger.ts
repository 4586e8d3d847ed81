import { Injectable } from '@nestjs/common';
import { DataSource, Equal, In, IsNull, LessThan, MoreThan, Or, type Repository } from 'typeorm';
import { DESK } from '#contracts/borrowing/borrow-events.js';
import { currency } from '#contracts/currency.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Queryable } from '#platform/database/database.js';
import {
  PaymentTransactionEntity,
  type PaymentStatus,
  type UndoingPayment,
} from '#platform/database/entities/payment.entity.js';

/** A payment of a fee, as in the ledger. */
export type PaymentTransaction = PaymentTransactionEntity;

type WantedPayment = Pick<
  PaymentTransaction,
  'id' | 'borrowId' | 'readerId' | 'amount' | 'due' | 'provider' | 'receivedBy'
> & { kind?: PaymentTransaction['kind'] };

/** The table `payment_transaction`. Every change names the status it starts from, so none happens twice. */
@Injectable()
export class PaymentLedger {
  private readonly payments: Repository<PaymentTransactionEntity>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    this.payments = dataSource.getRepository(PaymentTransactionEntity);
  }

  find(id: string): Promise<PaymentTransaction | null> {
    return this.payments.findOneBy({ id });
  }

  findByReference(provider: string, reference: string): Promise<PaymentTransaction | null> {
    return this.payments.findOneBy({ provider, reference });
  }

  /** What somebody took of a reader at the desk in the last days, or has begun to take, and did not give back. */
  takenBy(receivedBy: string, readerId: string, days: number): Promise<PaymentTransaction[]> {
    return this.payments.findBy({
      ...{ provider: DESK, receivedBy, readerId },
      status: In<PaymentStatus>(['open', 'paid', 'undoing']),
      created: MoreThan(new Date(this.clock.now().getTime() - days * 86_400_000)),
    });
  }

  /** The pending payment of a borrow's fee. */
  openOf(borrowId: string, provider: string): Promise<PaymentTransaction | null> {
    return this.payments.findOneBy({ borrowId, provider, status: 'open' });
  }

  /** Whether a payment was begun that may still be recorded, or is. */
  async isBegun(id: string, connection: Queryable): Promise<boolean> {
    const text = `select 1 from payment_transaction where id = $1 and status <> 'refused'`;
    return (await connection.query(text, [id])).rowCount === 1;
  }

  /**
   * Inserts a payment before it is offered, or before it is recorded at the desk. Returns nothing if another one is
   * pending, or this one exists already.
   * @param admit runs in the same transaction; if it throws, nothing begins
   */
  async begin(
    wanted: WantedPayment,
    admit?: (connection: Queryable) => Promise<void>,
  ): Promise<PaymentTransaction | undefined> {
    const isNew = admit
      ? await inTransaction(this.dataSource, async (manager, connection) => {
          await admit(connection);
          return this.insert(manager.getRepository(PaymentTransactionEntity), wanted);
        })
      : await this.insert(this.payments, wanted);
    return isNew ? this.existing(wanted.id) : undefined;
  }

  private async insert(
    payments: Repository<PaymentTransactionEntity>,
    wanted: WantedPayment,
  ): Promise<boolean> {
    const now = this.clock.now();
    const written = await payments
      .createQueryBuilder()
      .insert()
      .values({ ...wanted, currency: currency(), status: 'open', created: now, updated: now })
      .orIgnore()
      .returning('id')
      .execute();
    return (written.raw as unknown[]).length === 1;
  }

  /**
   * Stores the provider's reference.
   * @returns whether the payment is still pending, and may be offered
   */
  async offered(id: string, reference: string): Promise<boolean> {
    const { affected } = await this.payments.update(
      { id, status: 'open', reference: Or(IsNull(), Equal(reference)) },
      { reference, updated: this.clock.now() },
    );
    return affected === 1;
  }

  /** Ends a pending payment that was not made. */
  async close(
    id: string,
    status: Extract<PaymentStatus, 'refused' | 'expired' | 'failed'>,
  ): Promise<PaymentTransaction> {
    await this.payments.update({ id, status: 'open' }, { status, updated: this.clock.now() });
    return this.existing(id);
  }

  /**
   * Decides exactly once, under concurrency, whether a completed payment is kept.
   * @param otherwise its status if it is not
   * @param store appends the payment to the log and returns its position; nothing if it is not owed
   */
  async decide(
    id: string,
    otherwise: Extract<PaymentStatus, 'refunding' | 'refused'>,
    store: (payment: PaymentTransaction) => Promise<bigint | undefined>,
  ): Promise<PaymentTransaction> {
    await inTransaction(this.dataSource, async (manager) => {
      const locked = await manager.findOne(PaymentTransactionEntity, {
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      if (locked?.status !== 'open') return;
      const logPosition = (await store(locked)) ?? null;
      const status = logPosition === null ? otherwise : 'paid';
      await manager.update(
        PaymentTransactionEntity,
        { id },
        { status, logPosition, updated: this.clock.now() },
      );
    });
    return this.existing(id);
  }

  /**
   * Begins to undo a payment at the desk, which decides nothing yet.
   * @returns nothing if it is not paid; one that is being undone already stays as it is
   */
  async beginUndoing(id: string, undoing: UndoingPayment): Promise<PaymentTransaction | undefined> {
    await this.payments.update(
      { id, provider: DESK, status: 'paid' },
      { status: 'undoing', undoing, updated: this.clock.now() },
    );
    const payment = await this.existing(id);
    return payment.status === 'undoing' ? payment : undefined;
  }

  /**
   * Decides exactly once, under concurrency, whether a payment is undone.
   * @param store appends that to the log
   * @throws what `store` throws; `isRefused` says whether the payment counts again then
   */
  async decideUndoing<Stored>(
    id: string,
    store: (undoing: UndoingPayment) => Promise<Stored>,
    isRefused: (error: unknown) => boolean,
  ): Promise<Stored | undefined> {
    const outcome = await inTransaction(this.dataSource, async (manager) => {
      const locked = await manager.findOne(PaymentTransactionEntity, {
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      if (locked?.status !== 'undoing' || !locked.undoing) return undefined;
      const settle = (status: PaymentStatus) =>
        manager.update(PaymentTransactionEntity, { id }, { status, updated: this.clock.now() });
      try {
        const stored = await store(locked.undoing);
        await settle('undone');
        return { stored };
      } catch (error) {
        if (!isRefused(error)) throw error;
        await settle('paid');
        return { error };
      }
    });
    if (outcome && 'error' in outcome) throw outcome.error;
    return outcome?.stored;
  }

  async refunded(id: string): Promise<PaymentTransaction> {
    await this.payments.update(
      { id, status: 'refunding' },
      { status: 'refunded', updated: this.clock.now() },
    );
    return this.existing(id);
  }

  /** How many payments are being given back since before then. */
  stuckRefunds(before: Date): Promise<number> {
    return this.payments.countBy({ status: 'refunding', updated: LessThan(before) });
  }

  /**
   * Pending payments, by id.
   * @param before those begun earlier
   * @param after the id to continue from
   */
  unsettled(provider: string, before: Date, after: string, most: number): Promise<PaymentTransaction[]> {
    return this.payments.find({
      where: {
        provider,
        status: In<PaymentStatus>(provider === DESK ? ['open', 'undoing'] : ['open', 'refunding']),
        created: LessThan(before),
        id: MoreThan(after),
      },
      order: { id: 'ASC' },
      take: most,
    });
  }

  private async existing(id: string): Promise<PaymentTransaction> {
    const found = await this.find(id);
    if (!found) throw new Error(`the payment ${id} is gone from the ledger`);
    return found;
  }
}
