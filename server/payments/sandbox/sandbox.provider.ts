import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { Clock } from '#platform/clock.js';
import { SandboxPaymentEntity } from '#platform/database/entities/payment.entity.js';
import { publicExposure } from '#platform/exposure.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { PaymentProvider, type PaymentOrder, type ProviderPayment } from '../payment-provider.js';

/** Milliseconds until a payment expires. */
const OPEN_FOR = 3_600_000;

/**
 * The provider if no real one is set. It keeps its own records, as a real one would, and moves no money. Anybody who
 * has a payment's reference may pay or decline it.
 */
@Injectable()
export class SandboxProvider extends PaymentProvider implements OnModuleInit {
  readonly name = 'sandbox';
  readonly minimumAmount = 0;

  constructor(
    @InjectRepository(SandboxPaymentEntity) private readonly payments: Repository<SandboxPaymentEntity>,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    const why = publicExposure(this.settings);
    if (why === undefined) return;
    this.logger.warn(
      `fees are paid in a sandbox in which no money moves, though ${why}: SANDBOX_PAYMENTS is on`,
    );
  }

  async open(order: PaymentOrder): Promise<{ reference: string; redirectUrl: string }> {
    const now = this.clock.now();
    const { transactionId, amount, currency, titles } = order;
    await this.payments
      .createQueryBuilder()
      .insert()
      .values({
        reference: randomBytes(32).toString('base64url'),
        transactionId,
        amount,
        currency,
        titles: [...titles],
        status: 'open',
        created: now,
        expires: new Date(now.getTime() + OPEN_FOR),
      })
      .orIgnore()
      .execute();
    const { reference } = await this.payments.findOneByOrFail({ transactionId });
    return { reference, redirectUrl: pageOf(reference) };
  }

  async look(reference: string): Promise<ProviderPayment> {
    const payment = await this.find(reference);
    if (!payment) throw new Error('the sandbox knows nothing of a payment in the ledger');
    const { status, amount, currency } = payment;
    return {
      standing: status,
      amount,
      currency,
      ...(status === 'open' && { redirectUrl: pageOf(reference) }),
    };
  }

  async expire(reference: string): Promise<ProviderPayment> {
    await this.payments.update({ reference, status: 'open' }, { status: 'expired' });
    return this.look(reference);
  }

  async refund(reference: string): Promise<void> {
    const payment = { reference, status: 'paid' as const };
    await this.payments.update({ ...payment, refundedAt: IsNull() }, { refundedAt: this.clock.now() });
    if (!(await this.payments.existsBy(payment)))
      throw new Error('the sandbox was asked to give back what it never took');
  }

  /** The payment of this reference, expired if its time is over. */
  async find(reference: string): Promise<SandboxPaymentEntity | null> {
    await this.payments.update(
      { reference, status: 'open', expires: LessThanOrEqual(this.clock.now()) },
      { status: 'expired' },
    );
    return this.payments.findOneBy({ reference });
  }

  /**
   * The actions of the page's buttons; a payment that has ended stays as it is.
   * @returns the payment afterwards, or nothing for an unknown reference
   */
  async choose(reference: string, choice: 'pay' | 'decline'): Promise<SandboxPaymentEntity | null> {
    const now = this.clock.now();
    await this.payments.update(
      { reference, status: 'open', expires: MoreThan(now) },
      choice === 'pay' ? { status: 'paid', chargedAt: now } : { status: 'refused' },
    );
    return this.find(reference);
  }
}

function pageOf(reference: string): string {
  return `/dev/pay/${reference}`;
}
