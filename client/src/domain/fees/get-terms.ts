import { useQuery } from '@tanstack/react-query';
import { readPaymentTerms } from '#contracts/payments/payment.js';
import { queryOf } from '../../lib/api/send.js';

/** What can be paid online; it changes with the installation's settings alone. */
export function usePaymentTerms() {
  return useQuery({
    ...queryOf(readPaymentTerms),
    staleTime: Infinity,
    meta: { inPlace: true },
  });
}
