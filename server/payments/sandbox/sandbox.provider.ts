import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import { PaymentProvider, type PaymentOrder, type ProviderPayment } from '../payment-provider.js';

/** A payment as the sandbox's page shows it. */
export interface SandboxPayment {
  reference: string;
  /** grosze */
  amount: number;
  titles: string[];
  status: 'open' | 'paid' | 'refused' | 'expired';
  refunded: boolean;
}

/** Milliseconds for which a payment may be made. */
const OPEN_FOR = 3_600_000;

/**
 * The provider where no real one is set: it keeps books of its own, as a real one would, and moves no money. Who has
 * a payment's reference may pay or decline it.
 */
@Injectable()
export class SandboxProvider extends PaymentProvider implements OnModuleInit {
  readonly name = 'sandbox';
  readonly minimumAmount = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    if (this.settings.NODE_ENV !== 'production') return;
    this.logger.warn('no payment provider is set: fees are paid in a sandbox in which no money moves');
  }

  async open(order: PaymentOrder): Promise<{ reference: string; redirectUrl: string }> {
    const now = this.clock.now();
    await this.database.query(
      `insert into sandbox_payment (reference, transaction_id, amount, titles, status, created, expires)
       values ($1, $2, $3, $4, 'open', $5, $6) on conflict (transaction_id) do nothing`,
      [
        randomBytes(32).toString('base64url'),
        order.transactionId,
        order.amount,
        JSON.stringify(order.titles),
        now,
        new Date(now.getTime() + OPEN_FOR),
      ],
    );
    const { rows } = await this.database.query<{ reference: string }>(
      'select reference from sandbox_payment where transaction_id = $1',
      [order.transactionId],
    );
    const reference = rows[0]?.reference ?? '';
    return { reference, redirectUrl: pageOf(reference) };
  }

  async look(reference: string): Promise<ProviderPayment> {
    const payment = await this.find(reference);
    if (!payment) throw new Error('the sandbox knows nothing of a payment in the ledger');
    const { status, amount } = payment;
    return {
      standing: status,
      amount,
      currency: 'PLN',
      ...(status === 'open' && { redirectUrl: pageOf(reference) }),
    };
  }

  async expire(reference: string): Promise<ProviderPayment> {
    await this.database.query(
      `update sandbox_payment set status = 'expired' where reference = $1 and status = 'open'`,
      [reference],
    );
    return this.look(reference);
  }

  async refund(reference: string): Promise<void> {
    const { rowCount } = await this.database.query(
      `update sandbox_payment set refunded_at = coalesce(refunded_at, $2) where reference = $1 and status = 'paid'`,
      [reference, this.clock.now()],
    );
    if (rowCount !== 1) throw new Error('the sandbox was asked to give back what it never took');
  }

  /** The payment of this reference, ended where its time is over. */
  async find(reference: string): Promise<SandboxPayment | undefined> {
    await this.database.query(
      `update sandbox_payment set status = 'expired' where reference = $1 and status = 'open' and expires <= $2`,
      [reference, this.clock.now()],
    );
    const { rows } = await this.database.query<SandboxPayment>(
      `select reference, amount, titles, status, refunded_at is not null as refunded
       from sandbox_payment where reference = $1`,
      [reference],
    );
    return rows[0];
  }

  /**
   * What the buttons of the page do; a payment at its end is left as it is.
   * @returns the payment then, or nothing for a reference that is none of ours
   */
  async choose(reference: string, choice: 'pay' | 'decline'): Promise<SandboxPayment | undefined> {
    const now = this.clock.now();
    await this.database.query(
      `update sandbox_payment set status = $2, charged_at = $3
       where reference = $1 and status = 'open' and expires > $4`,
      choice === 'pay' ? [reference, 'paid', now, now] : [reference, 'refused', null, now],
    );
    return this.find(reference);
  }
}

function pageOf(reference: string): string {
  return `/dev/pay/${reference}`;
}
