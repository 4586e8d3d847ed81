import { useQuery, useQueryClient } from '@tanstack/react-query';
import { paymentConfirmationSchema } from '#contracts/payments/payment.js';
import { request } from '../../lib/api/request.js';
import { paymentTransaction } from '../../domain/fees/payment-transaction.js';
import { queryKeys } from '../../domain/query-keys.js';

/**
 * Confirms a payment as soon as the page is opened. Asked as a query, so that the page being drawn twice asks once;
 * confirming again changes nothing. A confirmed payment is removed from the browser's storage.
 */
export function useConfirmPayment(transactionId: string | null) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ['payment', transactionId],
    queryFn: async () => {
      const confirmed = await request(paymentConfirmationSchema, 'Payment/confirm', {
        method: 'POST',
        query: { transactionId: transactionId ?? '' },
      });
      paymentTransaction.remove();
      void client.invalidateQueries({ queryKey: queryKeys.histories });
      return confirmed;
    },
    enabled: transactionId !== null,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { inPlace: true },
  });
}
