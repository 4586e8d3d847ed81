import { DomainError } from '#contracts/domain-error.js';

/** A payment to be offered. Ids only: what else is known of the reader stays here. */
export interface PaymentOrder {
  transactionId: string;
  borrowId: string;
  /** grosze */
  amount: number;
  /** The titles of the books, for a page of our own; never handed to anybody else. */
  titles: readonly string[];
  created: Date;
}

/** A payment as the provider has it. */
export interface ProviderPayment {
  /**
   * open: may still be paid. processing: paid, but the money is on its way. refused: declined for good. expired:
   * can no longer be paid, and was not.
   */
  standing: 'open' | 'processing' | 'paid' | 'refused' | 'expired';
  /** In the smallest unit of the currency. */
  amount: number;
  /** As ISO 4217 has it, in capital letters. */
  currency: string;
  /** The provider's page, while it is open; a path where the page is our own. */
  redirectUrl?: string;
}

/**
 * Who takes the money. Every call may be repeated: it then changes nothing further. Each throws DomainError
 * PaymentProviderUnavailable where the provider does not answer, and then what was asked may have been done.
 */
export abstract class PaymentProvider {
  /** As it is kept in the ledger and in the events. */
  abstract readonly name: string;

  /** The least that it takes, in grosze; 0 where it takes any amount. */
  abstract readonly minimumAmount: number;

  /**
   * Offers a payment; the same transaction is offered once.
   * @throws DomainError AmountTooSmall where the provider takes no payment this small after all
   */
  abstract open(order: PaymentOrder): Promise<{ reference: string; redirectUrl: string }>;

  /** How a payment stands. */
  abstract look(reference: string): Promise<ProviderPayment>;

  /** Makes an open payment one that can no longer be paid; another is left as it is. Gives how it stands then. */
  abstract expire(reference: string): Promise<ProviderPayment>;

  /** Gives the whole of a payment back. */
  abstract refund(reference: string, transactionId: string): Promise<void>;
}

/** @param detail a sentence for the person at the screen */
export function providerUnavailable(
  detail = 'The payment provider does not answer at the moment. Nothing is lost: please try again shortly.',
): DomainError {
  return new DomainError('PaymentProviderUnavailable', detail);
}
