import * as m from '#words/messages.js';
import { money } from '../money.js';
import type { PaymentTerms } from './payment.js';

/** Why a fee cannot be paid online, for its reader. */
export function paidAtDesk({ online, minimumAmount }: PaymentTerms): string {
  if (!online) return m.till_no_payments_online();
  return m.till_small_fees_at_desk({ amount: money(minimumAmount) });
}
