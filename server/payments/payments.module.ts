import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SandboxPaymentEntity } from '#platform/database/entities/payment.entity.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import { PayAtDeskHandler } from './desk-payment.command.js';
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

/** Fees paid at the desk, and online: by Stripe if its key is set, else in a sandbox that moves no money. */
@Module({})
export class PaymentsModule {
  static with({ STRIPE_SECRET_KEY }: ResolvedSettings): DynamicModule {
    const [provider, controller] =
      STRIPE_SECRET_KEY === undefined
        ? [SandboxProvider, SandboxController]
        : [StripeProvider, StripeWebhookController];
    return {
      module: PaymentsModule,
      imports: [CqrsModule, TypeOrmModule.forFeature([SandboxPaymentEntity]), ReadModelsModule],
      controllers: [PaymentController, controller],
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
