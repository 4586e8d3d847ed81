import { Controller, Headers, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import Stripe from 'stripe';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { Allow } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { correlationId } from '../../http/correlation.js';
import { PaymentLedger } from '../payment-ledger.js';
import { PaymentProvider } from '../payment-provider.js';
import { Settlement } from '../settlement.js';

/** The raw body, which the signature covers. */
export const STRIPE_WEBHOOK_PATH = '/api/Payment/webhook';

const receivedSchema = z.object({ received: z.literal(true) });

type SessionEvent = Extract<Stripe.Event, { type: `checkout.session.${string}` }>;

/**
 * Stripe's webhook. The signature proves the sender; the payment's status is still queried, so events may come twice,
 * late, or in any order. After an unsuccessful response Stripe retries.
 */
@Controller('Payment')
export class StripeWebhookController {
  constructor(
    private readonly ledger: PaymentLedger,
    private readonly provider: PaymentProvider,
    private readonly settlement: Settlement,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post('webhook')
  @HttpCode(200)
  @Allow('Everybody')
  @Answers(receivedSchema)
  async receive(
    @Req() request: Request,
    @Headers('stripe-signature') signature: string | undefined,
  ): Promise<{ received: true }> {
    const event = this.read(request.body, signature);
    if (isSessionEvent(event)) {
      const payment = await this.ledger.findByReference(this.provider.name, event.data.object.id);
      // Another application may share the account.
      if (payment) await this.settlement.settle(payment, correlationId());
    }
    return { received: true };
  }

  /** @throws DomainError NotAllowed unless Stripe signed these very bytes within the last five minutes */
  private read(body: unknown, signature: string | undefined): Stripe.Event {
    const secret = this.settings.STRIPE_WEBHOOK_SECRET;
    try {
      if (secret === undefined) throw new Error('STRIPE_WEBHOOK_SECRET is not set');
      if (!Buffer.isBuffer(body) || signature === undefined) throw new Error('the message is not signed');
      return Stripe.webhooks.constructEvent(body, signature, secret);
    } catch (error) {
      const reason = error instanceof Stripe.errors.StripeSignatureVerificationError ? 'signature' : 'form';
      this.logger.warn({ reason, hasSecret: secret !== undefined }, 'a webhook call was refused');
      throw new DomainError('NotAllowed', 'This call is not signed by the payment provider.');
    }
  }
}

function isSessionEvent(event: Stripe.Event): event is SessionEvent {
  return event.type.startsWith('checkout.session.');
}
