import * as m from '#words/messages.js';
import { Controller, Headers, Inject, Req } from '@nestjs/common';
import type { Request } from 'express';
import Stripe from 'stripe';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { receiveWebhook } from '#contracts/payments/payment.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { correlationId } from '../../http/correlation.js';
import { Serves, type Asked } from '../../http/serves.js';
import { RequestInvalid, valid } from '../../http/validation.js';
import { PaymentLedger } from '../payment-ledger.js';
import { PaymentProvider } from '../payment-provider.js';
import { Settlement } from '../settlement.js';

/** As far as it is read here. */
const eventSchema = z.object({
  type: z.string(),
  data: z.object({ object: z.object({ id: z.string().optional() }) }),
});
type ProviderEvent = z.output<typeof eventSchema>;

/** Seconds that the signature's time may differ from ours, to either side. */
const TOLERANCE = 300;

/**
 * Stripe's webhook. The signature proves the sender; the payment's status is still queried, so events may come twice,
 * late, or in any order. After an unsuccessful response Stripe retries.
 */
@Controller()
export class StripeWebhookController {
  constructor(
    private readonly ledger: PaymentLedger,
    private readonly provider: PaymentProvider,
    private readonly settlement: Settlement,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Serves(receiveWebhook)
  async receive(
    _asked: Asked<typeof receiveWebhook>,
    @Req() request: Request,
    @Headers('stripe-signature') signature: string | undefined,
  ): Promise<{ received: true }> {
    const event = this.read(request.body, signature);
    const reference = sessionOf(event);
    if (reference !== undefined) {
      const payment = await this.ledger.findByReference(this.provider.name, reference);
      // Another application may share the account.
      if (payment) await this.settlement.settle(payment, correlationId());
    }
    return { received: true };
  }

  /**
   * @throws DomainError NotAllowed unless Stripe signed these very bytes within five minutes of now
   * @throws RequestInvalid for what is signed and no event
   */
  private read(body: unknown, signature: string | undefined): ProviderEvent {
    const text = this.signed(body, signature);
    let event: unknown;
    try {
      event = JSON.parse(text);
    } catch {
      throw new RequestInvalid({ request: [m.till_webhook_no_json()] });
    }
    return valid(eventSchema, event);
  }

  /** @throws DomainError NotAllowed */
  private signed(body: unknown, signature: string | undefined): string {
    const secret = this.settings.STRIPE_WEBHOOK_SECRET;
    try {
      if (secret === undefined) throw new Error('STRIPE_WEBHOOK_SECRET is not set');
      if (!Buffer.isBuffer(body) || signature === undefined) throw new Error('the message is not signed');
      const text = body.toString('utf8');
      if (!Stripe.webhooks.signature) throw new Error('signatures cannot be checked');
      Stripe.webhooks.signature.verifyHeader(text, signature, secret, TOLERANCE);
      // Stripe's library looks for old signatures alone.
      if (signedAt(signature) > Date.now() / 1000 + TOLERANCE)
        throw new Error('the message is of the future');
      return text;
    } catch (error) {
      const reason = error instanceof Stripe.errors.StripeSignatureVerificationError ? 'signature' : 'form';
      this.logger.warn({ reason, hasSecret: secret !== undefined }, 'a webhook call was refused');
      throw new DomainError('NotAllowed', m.till_webhook_not_signed());
    }
  }
}

/** The latest time that a signature names, in seconds since 1970. */
function signedAt(signature: string): number {
  return Math.max(...[...signature.matchAll(/(?:^|,)t=(\d+)/g)].map(([, seconds]) => Number(seconds)));
}

/** The session that an event is about, if it is about one. */
function sessionOf({ type, data }: ProviderEvent): string | undefined {
  return type.startsWith('checkout.session.') ? data.object.id : undefined;
}
