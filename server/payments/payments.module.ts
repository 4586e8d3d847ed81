import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SandboxPaymentEntity } from '#platform/database/entities/payment.entity.js';
import { isOn } from '#platform/exposure.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import { PayAtDeskHandler } from './desk-payment.command.js';
import { NoProvider } from './no-provider.js';
import { ConfirmPaymentHandler, CreatePaymentHandler } from './payment.commands.js';
import { PaymentController } from './payment.controller.js';
import { PaymentLedger } from './payment-ledger.js';
import { PaymentProvider } from './payment-provider.js';
import { PaymentReconciler } from './payment-reconciler.js';
import { SandboxController } from './sandbox/sandbox.controller.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';
import { Settlement } from './settlement.js';
import { StripeProvider } from './stripe/stripe.provider.js';
import { StripeWebhookController } from './stripe/stripe-webhook.controller.js';

/**
 * Fees paid at the desk, and online: by Stripe if its key is set, else in a sandbox that moves no money where that is
 * on, else not at all.
 */
@Module({})
export class PaymentsModule {
  static with(settings: ResolvedSettings): DynamicModule {
    const [provider, ...controllers] = onlinePayment(settings);
    return {
      module: PaymentsModule,
      imports: [CqrsModule, TypeOrmModule.forFeature([SandboxPaymentEntity]), ReadModelsModule],
      controllers: [PaymentController, ...controllers],
      providers: [
        PaymentLedger,
        Settlement,
        PaymentReconciler,
        CreatePaymentHandler,
        ConfirmPaymentHandler,
        PayAtDeskHandler,
        provider,
        { provide: PaymentProvider, useExisting: provider },
      ],
    };
  }
}

/** The provider, with the controller of what it calls or shows. */
function onlinePayment(settings: ResolvedSettings): [Type<PaymentProvider>, ...Type[]] {
  if (settings.STRIPE_SECRET_KEY !== undefined) return [StripeProvider, StripeWebhookController];
  return isOn('SANDBOX_PAYMENTS', settings) ? [SandboxProvider, SandboxController] : [NoProvider];
}
