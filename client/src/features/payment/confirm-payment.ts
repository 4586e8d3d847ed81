import { useQuery, useQueryClient } from '@tanstack/react-query';
import { confirmPayment } from '#contracts/payments/payment.js';
import { keyOf, send } from '../../lib/api/send.js';
import { paymentTransaction } from '../../domain/fees/payment-transaction.js';
import { queryKeys } from '../../domain/query-keys.js';

/**
 * Confirms a payment as soon as the page is opened. Asked as a query, so that the page being drawn twice asks once;
 * confirming again changes nothing. A confirmed payment is removed from the browser's storage.
 */
export function useConfirmPayment(transactionId: string | null) {
  const client = useQueryClient();
  const query = { transactionId: transactionId ?? '' };
  return useQuery({
    queryKey: keyOf(confirmPayment, { query }),
    queryFn: async () => {
      const confirmed = await send(confirmPayment, { query });
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
