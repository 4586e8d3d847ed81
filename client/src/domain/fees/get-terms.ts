import { useQuery } from '@tanstack/react-query';
import { paymentTermsSchema } from '#contracts/payments/payment.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../query-keys.js';

/** What can be paid online; it changes with the installation's settings alone. */
export function usePaymentTerms() {
  return useQuery({
    queryKey: queryKeys.paymentTerms,
    queryFn: ({ signal }) => request(paymentTermsSchema, 'Payment/terms', { signal }),
    staleTime: Infinity,
    meta: { inPlace: true },
  });
}
