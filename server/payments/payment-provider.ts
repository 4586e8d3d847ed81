import * as m from '#words/messages.js';
import { DomainError } from '#contracts/domain-error.js';
import { Injectable } from '@nestjs/common';

/** A payment to offer. Ids only: personal data stays here. */
export interface PaymentOrder {
  transactionId: string;
  borrowId: string;
  /** In hundredths of the currency. */
  amount: number;
  /** ISO 4217, in capital letters. */
  currency: string;
  /** The titles of the books, for the sandbox page; never sent to a third party. */
  titles: readonly string[];
  created: Date;
}

/** A payment as the provider reports it. */
export interface ProviderPayment {
  /**
   * open: can still be paid. processing: paid, the money is on its way. refused: declined for good. expired: was not
   * paid, and can no longer be.
   */
  standing: 'open' | 'processing' | 'paid' | 'refused' | 'expired';
  /** In the smallest unit of the currency. */
  amount: number;
  /** ISO 4217, in capital letters. */
  currency: string;
  /** The provider's page, while it is open; a path if the page is our own. */
  redirectUrl?: string;
}

/**
 * A payment provider. All calls are idempotent. Each throws DomainError PaymentProviderUnavailable if the provider does
 * not answer; the request may have succeeded nevertheless.
 */
export abstract class PaymentProvider {
  /** As stored in the ledger and in the events. */
  abstract readonly name: string;

  /** Whether it takes payments at all. */
  readonly online: boolean = true;

  /** The minimum amount, in grosze; 0 for no minimum. */
  abstract readonly minimumAmount: number;

  /**
   * Offers a payment; idempotent per transaction.
   * @throws DomainError AmountTooSmall if the provider refuses an amount this small nevertheless
   */
  abstract open(order: PaymentOrder): Promise<{ reference: string; redirectUrl: string }>;

  /** The payment's current status. */
  abstract look(reference: string): Promise<ProviderPayment>;

  /** Expires an open payment; leaves any other as it is. Returns its status afterwards. */
  abstract expire(reference: string): Promise<ProviderPayment>;

  /** Refunds a payment in full. */
  abstract refund(reference: string, transactionId: string): Promise<void>;
}

/** @param detail a sentence for the person at the screen */
export function providerUnavailable(detail = m.till_provider_silent()): DomainError {
  return new DomainError('PaymentProviderUnavailable', detail);
}

/** Stands where neither Stripe nor the sandbox is on: nothing is offered, so there is nothing that it could be asked. */
@Injectable()
export class NoProvider extends PaymentProvider {
  readonly name = 'none';
  override readonly online = false;
  readonly minimumAmount = 0;

  open(): Promise<never> {
    return this.refuse();
  }

  look(): Promise<never> {
    return this.refuse();
  }

  expire(): Promise<never> {
    return this.refuse();
  }

  refund(): Promise<never> {
    return this.refuse();
  }

  private refuse(): Promise<never> {
    return Promise.reject(providerUnavailable(m.till_online_off()));
  }
}
