import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { DomainError } from '#contracts/domain-error.js';
import { currency, type Currency } from '#contracts/currency.js';
import type { Logger } from '#platform/logging.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { millisecondsLeft } from '#platform/deadline.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { TimeoutError, withTimeout } from '#platform/with-timeout.js';
import {
  PaymentProvider,
  providerUnavailable,
  type PaymentOrder,
  type ProviderPayment,
} from '../payment-provider.js';

/** Timeout of a call to Stripe, in milliseconds; retried once when the connection fails. Whoever waits for a page may have less. */
const TIMEOUT = 10_000;
/** Milliseconds until a payment expires. Stripe allows half an hour to a day. */
const OPEN_FOR = 3_600_000;
/** Stripe's minimum, in hundredths. An account that is paid out in another currency may have a slightly higher one. */
const MINIMUM_AMOUNT: Record<Currency, number> = {
  ...{ PLN: 200, AUD: 50, CAD: 50, CHF: 50, CZK: 1500, DKK: 250, EUR: 50 },
  ...{ GBP: 30, NOK: 300, NZD: 50, RON: 200, SEK: 300, USD: 50 },
};

type Session = Stripe.Checkout.Session;

/**
 * Payments on Stripe's own page (Checkout). Stripe receives ids and an amount, never a name, an address or a title.
 * The Stripe account sets which payment methods it offers.
 */
@Injectable()
export class StripeProvider extends PaymentProvider {
  readonly name = 'stripe';
  private readonly stripe: Stripe;
  private readonly library: string;

  constructor(
    @Inject(SETTINGS) settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
    this.library = publicUrl(settings);
    this.stripe = new Stripe(settings.STRIPE_SECRET_KEY ?? '', {
      timeout: TIMEOUT,
      maxNetworkRetries: 1,
      telemetry: false,
      ...(settings.STRIPE_API_URL !== undefined && addressOf(new URL(settings.STRIPE_API_URL))),
    });
  }

  get minimumAmount(): number {
    return MINIMUM_AMOUNT[currency()];
  }

  async open({
    transactionId,
    borrowId,
    amount,
    currency,
    created,
  }: PaymentOrder): Promise<{ reference: string; redirectUrl: string }> {
    const ids = { transactionId, borrowId };
    const { id, url } = await this.ask(() =>
      this.stripe.checkout.sessions.create(
        {
          mode: 'payment',
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: currency.toLowerCase(),
                unit_amount: amount,
                product_data: { name: m.till_late_fee() },
              },
            },
          ],
          // The fee is recorded in the currency in which it is due.
          adaptive_pricing: { enabled: false },
          client_reference_id: transactionId,
          metadata: ids,
          payment_intent_data: { metadata: ids },
          success_url: `${this.library}/#/payment/success`,
          cancel_url: `${this.library}/#/payment/fail`,
          expires_at: Math.floor((created.getTime() + OPEN_FOR) / 1000),
        },
        { idempotencyKey: `open-${transactionId}` },
      ),
    );
    if (url === null) throw new Error('Stripe opened a payment that has no page');
    return { reference: id, redirectUrl: url };
  }

  async look(reference: string): Promise<ProviderPayment> {
    const session = await this.retrieve(reference);
    return {
      standing: standingOf(session),
      amount: session.amount_total ?? 0,
      currency: (session.currency ?? '').toUpperCase(),
      ...(session.status === 'open' && session.url !== null && { redirectUrl: session.url }),
    };
  }

  async expire(reference: string): Promise<ProviderPayment> {
    await this.ask(() =>
      this.stripe.checkout.sessions.expire(reference).catch((error: unknown) => {
        // It has ended already; the next query says how.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      }),
    );
    return this.look(reference);
  }

  async refund(reference: string, transactionId: string): Promise<void> {
    const { payment_intent: payment } = await this.retrieve(reference);
    if (payment === null) throw new Error('Stripe was asked to give back what it never took');
    const refund = await this.ask(() =>
      this.stripe.refunds
        .create(
          {
            payment_intent: typeof payment === 'string' ? payment : payment.id,
            metadata: { transactionId },
          },
          { idempotencyKey: `refund-${transactionId}` },
        )
        .catch((error: unknown) => {
          if (codeOf(error) !== 'charge_already_refunded') throw error;
          return undefined;
        }),
    );
    if (refund?.status !== 'failed' && refund?.status !== 'canceled') return;
    this.logger.error({ transactionId }, 'Stripe could not give a payment back: look at it in the dashboard');
    throw providerUnavailable(m.till_not_refunded_yet());
  }

  private retrieve(reference: string): Promise<Session> {
    return this.ask(() => this.stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent'] }));
  }

  /** Log only these parts of an error: its message may contain a part of the key. */
  private async ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    try {
      return await withTimeout(millisecondsLeft(), call(), 'Stripe did not answer in time');
    } catch (error) {
      if (error instanceof TimeoutError) throw providerUnavailable();
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      const { type, code, statusCode, requestId } = error;
      if (code === 'amount_too_small') {
        throw new DomainError('AmountTooSmall', m.till_below_minimum());
      }
      // Connection errors, Stripe's own errors, rate limits: transient. The rest is a wrong setting or a bug.
      const passes =
        error instanceof Stripe.errors.StripeConnectionError ||
        error instanceof Stripe.errors.StripeAPIError ||
        error instanceof Stripe.errors.StripeRateLimitError;
      this.logger[passes ? 'warn' : 'error'](
        { type, code, statusCode, requestId },
        'Stripe did not do what was asked',
      );
      throw providerUnavailable();
    }
  }
}

/** A session that is complete but not paid: a slow payment method is pending, or failed. */
function standingOf(session: Session): ProviderPayment['standing'] {
  if (session.status === 'open') return 'open';
  if (session.status === 'expired') return 'expired';
  if (session.payment_status === 'paid') return 'paid';
  const payment = session.payment_intent;
  const status = typeof payment === 'object' ? payment?.status : undefined;
  return status === 'requires_payment_method' || status === 'canceled' ? 'refused' : 'processing';
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Stripe.errors.StripeError ? error.code : undefined;
}

function addressOf({ protocol, hostname, port }: URL) {
  const isSecure = protocol === 'https:';
  return {
    protocol: isSecure ? ('https' as const) : ('http' as const),
    host: hostname,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
  };
}
