import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createPayment } from '#contracts/payments/payment.js';
import { send } from '../../lib/api/send.js';
import { paymentTransaction } from './payment-transaction.js';
import { queryKeys } from '../query-keys.js';
import { providerPage } from './provider-page.js';

/** Begins a payment, remembers it for when the person comes back, and goes to the provider's page. */
async function beginPayment(borrowId: string): Promise<void> {
  const { redirectUrl, transactionId } = await send(createPayment, { query: { borrowId } });
  const page = providerPage(redirectUrl);
  if (page === null) throw new Error('The payment leads to an address that is not one of the web.');
  paymentTransaction.store(transactionId);
  window.location.assign(page);
}

/** Pays the fee of a borrow. Errors are logged (specification, section 8) and shown where the fee is. */
export function usePayFee() {
  const client = useQueryClient();
  const payment = useMutation({
    mutationFn: beginPayment,
    meta: { inPlace: true },
    onError: (error) => {
      window.reportError?.(error);
      void client.invalidateQueries({ queryKey: queryKeys.histories });
    },
  });

  // Back from the provider's page with this page kept alive, the button has to work again.
  const { reset } = payment;
  useEffect(() => {
    const shownAgain = (event: PageTransitionEvent) => event.persisted && reset();
    window.addEventListener('pageshow', shownAgain);
    return () => window.removeEventListener('pageshow', shownAgain);
  }, [reset]);
  return payment;
}
