import { money } from '../money.js';
import type { PaymentTerms } from './payment.js';

/** Why a fee cannot be paid online, for its reader. */
export function paidAtDesk({ online, minimumAmount }: PaymentTerms): string {
  if (!online) return 'Fees are paid at the desk: this library takes no payments online.';
  return `Fees below ${money(minimumAmount)} are paid at the desk.`;
}
