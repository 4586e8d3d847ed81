import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SandboxPaymentEntity } from '#platform/database/entities/payment.entity.js';
import { isDemoAidOn } from '#platform/exposure.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import { PayAtDeskHandler } from './desk-payment.command.js';
import { NoProvider, PaymentProvider } from './payment-provider.js';
import { ConfirmPaymentHandler, CreatePaymentHandler } from './payment.commands.js';
import { PaymentController } from './payment.controller.js';
import { PaymentLedger } from './payment-ledger.js';
import { PaymentReconciler } from './payment-reconciler.js';
import { PaymentsTakenHandler } from './payments-taken.queries.js';
import { SandboxController } from './sandbox/sandbox.controller.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';
import { Settlement } from './settlement.js';
import { TillController } from './till.controller.js';
import { UndoPaymentHandler } from './undo-payment.command.js';

/**
 * Fees paid at the desk, and online: by Stripe if its key is set, else in a sandbox that moves no money where that is
 * on, else not at all.
 */
@Module({})
export class PaymentsModule {
  static async with(settings: ResolvedSettings): Promise<DynamicModule> {
    const [provider, ...controllers] = await onlinePayment(settings);
    return {
      module: PaymentsModule,
      imports: [
        CqrsModule,
        TypeOrmModule.forFeature([SandboxPaymentEntity]),
        IdempotencyModule,
        ReadModelsModule,
      ],
      controllers: [PaymentController, TillController, ...controllers],
      providers: [
        PaymentLedger,
        Settlement,
        PaymentReconciler,
        CreatePaymentHandler,
        ConfirmPaymentHandler,
        PayAtDeskHandler,
        PaymentsTakenHandler,
        UndoPaymentHandler,
        provider,
        { provide: PaymentProvider, useExisting: provider },
      ],
    };
  }
}

/** The provider, with the controller of what it calls or shows. */
async function onlinePayment(settings: ResolvedSettings): Promise<[Type<PaymentProvider>, ...Type[]]> {
  if (settings.STRIPE_SECRET_KEY !== undefined) {
    // Loaded where it is used: Stripe's package is a good part of all that a server would load.
    const { StripeProvider } = await import('./stripe/stripe.provider.js');
    const { StripeWebhookController } = await import('./stripe/stripe-webhook.controller.js');
    return [StripeProvider, StripeWebhookController];
  }
  return isDemoAidOn('SANDBOX_PAYMENTS', settings) ? [SandboxProvider, SandboxController] : [NoProvider];
}
