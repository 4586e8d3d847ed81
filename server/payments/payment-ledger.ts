import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database, type Queryable } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';

export type PaymentStatus = 'open' | 'paid' | 'refunding' | 'refunded' | 'refused' | 'expired' | 'failed';

/** A payment of a fee, as the ledger has it. */
export interface PaymentTransaction {
  id: string;
  borrowId: string;
  readerId: string;
  /** grosze */
  amount: number;
  currency: string;
  provider: string;
  /** The librarian who took it at the desk; none of a payment online. */
  receivedBy: string | null;
  /** None until the provider has answered; without it nobody was ever sent to pay. The desk has none. */
  reference: string | null;
  status: PaymentStatus;
  /** Where `FinePaid` is in the log; none unless it is paid. */
  logPosition: bigint | null;
  created: Date;
}

interface Row {
  id: string;
  borrow_id: string;
  reader_id: string;
  amount: number;
  currency: string;
  provider: string;
  received_by: string | null;
  provider_reference: string | null;
  status: PaymentStatus;
  log_position: string | null;
  created: Date;
}

const COLUMNS =
  'id, borrow_id, reader_id, amount, currency, provider, received_by, provider_reference, status, log_position, created';

/** The table `payment_transaction`. Every change names the status that it starts from, so none happens twice. */
@Injectable()
export class PaymentLedger {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(id: string): Promise<PaymentTransaction | undefined> {
    return this.one(this.database, `select ${COLUMNS} from payment_transaction where id = $1`, [id]);
  }

  async findByReference(provider: string, reference: string): Promise<PaymentTransaction | undefined> {
    return this.one(
      this.database,
      `select ${COLUMNS} from payment_transaction where provider = $1 and provider_reference = $2`,
      [provider, reference],
    );
  }

  /** The payment of a borrow's fee that is under way. */
  async openOf(borrowId: string, provider: string): Promise<PaymentTransaction | undefined> {
    return this.one(
      this.database,
      `select ${COLUMNS} from payment_transaction where borrow_id = $1 and provider = $2 and status = 'open'`,
      [borrowId, provider],
    );
  }

  /**
   * Writes down a payment that is about to be offered, or to be recorded where it was taken at the desk; gives nothing
   * where another one is under way, or this one is written down already.
   */
  async begin(
    wanted: Pick<PaymentTransaction, 'id' | 'borrowId' | 'readerId' | 'amount' | 'provider' | 'receivedBy'>,
  ): Promise<PaymentTransaction | undefined> {
    const { id, borrowId, readerId, amount, provider, receivedBy } = wanted;
    return this.one(
      this.database,
      `insert into payment_transaction
         (id, borrow_id, reader_id, amount, provider, received_by, status, created, updated)
       values ($1, $2, $3, $4, $5, $6, 'open', $7, $7) on conflict do nothing returning ${COLUMNS}`,
      [id, borrowId, readerId, amount, provider, receivedBy, this.clock.now()],
    );
  }

  /**
   * Keeps what the provider calls a payment.
   * @returns whether it is still under way, and may be handed out
   */
  async offered(id: string, reference: string): Promise<boolean> {
    const { rowCount } = await this.database.query(
      `update payment_transaction set provider_reference = $2, updated = $3
       where id = $1 and status = 'open' and coalesce(provider_reference, $2) = $2`,
      [id, reference, this.clock.now()],
    );
    return rowCount === 1;
  }

  /** Ends a payment under way that was not made. */
  async close(
    id: string,
    status: Extract<PaymentStatus, 'refused' | 'expired' | 'failed'>,
  ): Promise<PaymentTransaction> {
    await this.database.query(
      `update payment_transaction set status = $2, updated = $3 where id = $1 and status = 'open'`,
      [id, status, this.clock.now()],
    );
    return this.existing(id);
  }

  /**
   * Decides once, whoever asks at the same time, whether a payment that was made is kept.
   * @param otherwise what becomes of it where it is not
   * @param store stores the payment in the log and gives its position; gives nothing where it is not owed
   */
  async decide(
    id: string,
    otherwise: Extract<PaymentStatus, 'refunding' | 'refused'>,
    store: (payment: PaymentTransaction) => Promise<bigint | undefined>,
  ): Promise<PaymentTransaction> {
    await inTransaction(this.database, async (transaction) => {
      const locked = await this.one(
        transaction,
        `select ${COLUMNS} from payment_transaction where id = $1 for update`,
        [id],
      );
      if (locked?.status !== 'open') return;
      const position = await store(locked);
      await transaction.query(
        'update payment_transaction set status = $2, log_position = $3, updated = $4 where id = $1',
        [id, position === undefined ? otherwise : 'paid', position?.toString() ?? null, this.clock.now()],
      );
    });
    return this.existing(id);
  }

  async refunded(id: string): Promise<PaymentTransaction> {
    await this.database.query(
      `update payment_transaction set status = 'refunded', updated = $2 where id = $1 and status = 'refunding'`,
      [id, this.clock.now()],
    );
    return this.existing(id);
  }

  /**
   * Payments that are not at their end, in the order of their ids.
   * @param before those begun earlier
   * @param after the id to go on from
   */
  async unsettled(
    provider: string,
    before: Date,
    after: string,
    most: number,
  ): Promise<PaymentTransaction[]> {
    const { rows } = await this.database.query<Row>(
      `select ${COLUMNS} from payment_transaction
       where provider = $1 and status in ('open', 'refunding') and created < $2 and id > $3
       order by id limit $4`,
      [provider, before, after, most],
    );
    return rows.map(transactionOf);
  }

  private async existing(id: string): Promise<PaymentTransaction> {
    const found = await this.find(id);
    if (!found) throw new Error(`the payment ${id} is gone from the ledger`);
    return found;
  }

  private async one(
    database: Queryable,
    text: string,
    values: unknown[],
  ): Promise<PaymentTransaction | undefined> {
    const { rows } = await database.query<Row>(text, values);
    return rows[0] && transactionOf(rows[0]);
  }
}

function transactionOf(row: Row): PaymentTransaction {
  return {
    id: row.id,
    borrowId: row.borrow_id,
    readerId: row.reader_id,
    amount: row.amount,
    currency: row.currency,
    provider: row.provider,
    receivedBy: row.received_by,
    reference: row.provider_reference,
    status: row.status,
    logPosition: row.log_position === null ? null : BigInt(row.log_position),
    created: row.created,
  };
}
