import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DESK } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { Jobs } from '#platform/jobs/jobs.js';
import type { Logger } from '#platform/logging.js';
import { PartProbes } from '#platform/operations/probes.js';
import { LOGGER } from '#platform/tokens.js';
import { PaymentLedger } from './payment-ledger.js';
import type { PaymentStatus } from '#platform/database/entities/payment.entity.js';
import { PaymentProvider } from './payment-provider.js';
import { Settlement } from './settlement.js';

const MINUTE = 60_000;
const BATCH = 100;
/** A refund that takes longer needs a person. */
const MAX_REFUNDING = 60 * MINUTE;
/** For so long a provider that kept silent counts as away. */
const SILENCE_COUNTS = 5 * MINUTE;
/** After this many timeouts of the provider in a row, the round fails and is retried as a job. */
const MAX_SILENCES = 3;

/** The result of a round: payments by their status after it, and those whose status is unknown. */
export type ReconcileResult = Partial<Record<PaymentStatus, number>> & { failed_to_ask: number };

/**
 * Asks the provider, every minute, about pending payments older than a minute: the browser was closed, the webhook
 * was lost, or the process died between two steps.
 */
@Injectable()
export class PaymentReconciler implements OnModuleInit {
  /** When the provider last kept silent for a whole round. */
  private silentAt: Date | undefined;

  constructor(
    private readonly jobs: Jobs,
    private readonly ledger: PaymentLedger,
    private readonly provider: PaymentProvider,
    private readonly settlement: Settlement,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly probes: PartProbes,
  ) {}

  onModuleInit(): void {
    this.jobs.repeat('upkeep', 'reconcile-payments', MINUTE, (_data, { jobId }) => this.reconcile(jobId));
    this.probes.add('payments', () => this.health());
  }

  /** Whether the provider answered lately, and how many refunds do not come about. */
  private async health(): Promise<{ ok: boolean; stuckRefunds: number }> {
    const now = this.clock.now().getTime();
    // Later rounds may be another process's.
    const isSilent = this.silentAt !== undefined && now - this.silentAt.getTime() < SILENCE_COUNTS;
    return { ok: !isSilent, stuckRefunds: await this.ledger.stuckRefunds(new Date(now - MAX_REFUNDING)) };
  }

  /** @throws DomainError PaymentProviderUnavailable when the provider keeps timing out */
  async reconcile(correlationId: string): Promise<ReconcileResult> {
    try {
      const result = await this.reconcileAll(correlationId);
      this.silentAt = undefined;
      return result;
    } catch (error) {
      if (isUnavailable(error)) this.silentAt = this.clock.now();
      throw error;
    }
  }

  private async reconcileAll(correlationId: string): Promise<ReconcileResult> {
    const result: ReconcileResult = { failed_to_ask: 0 };
    // The desk first: payments there need not wait for an unavailable provider.
    for (const provider of [DESK, this.provider.name]) await this.round(provider, result, correlationId);
    return result;
  }

  private async round(provider: string, result: ReconcileResult, correlationId: string): Promise<void> {
    const before = new Date(this.clock.now().getTime() - MINUTE);
    let [after, silences] = ['00000000-0000-0000-0000-000000000000', 0];
    for (;;) {
      const payments = await this.ledger.unsettled(provider, before, after, BATCH);
      for (const payment of payments) {
        try {
          const { status } = await this.settlement.settle(payment, correlationId);
          result[status] = (result[status] ?? 0) + 1;
          silences = 0;
        } catch (error) {
          result.failed_to_ask += 1;
          this.logger.warn({ transactionId: payment.id, error }, 'a payment could not be reconciled');
          silences = isUnavailable(error) ? silences + 1 : 0;
          if (silences >= MAX_SILENCES) throw error;
        }
      }
      const last = payments.at(-1);
      if (!last || payments.length < BATCH) return;
      after = last.id;
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'PaymentProviderUnavailable';
}
