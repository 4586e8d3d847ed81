import * as m from '#words/messages.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { groszeOf } from '#contracts/money.js';
import { paidAtDesk } from '#contracts/payments/paid-at-desk.js';
import { Button } from '../../components/form/button.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { amountText, purposesOf } from './money.js';
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createPayment, readPaymentTerms } from '#contracts/payments/payment.js';
import { send, queryOf } from '../../lib/api/send.js';
import { paymentTransaction } from './payment-transaction.js';
import { queryKeys } from '../query-keys.js';

interface PayFeeButtonProps {
  borrow: BorrowView;
  /** Quiet where the same fee stands elsewhere on the screen. */
  look?: 'primary' | 'quiet';
}

/** For a fee that cannot be paid online, tells the reader where to pay instead of offering the button. */
export function PayFeeButton({ borrow, look = 'primary' }: PayFeeButtonProps) {
  const terms = usePaymentTerms();
  if (terms.isPending) return <Skeleton width="5rem" />;
  // Where the terms are not known the server refuses, in the same words.
  if (terms.data && !(terms.data.online && groszeOf(borrow.fineDue) >= terms.data.minimumAmount)) {
    return <p className="w-56 whitespace-normal text-ink-soft to-860:w-auto">{paidAtDesk(terms.data)}</p>;
  }
  return <PayOnline borrow={borrow} look={look} />;
}

/** Stays busy once the payment has begun: the provider's page is on its way. */
function PayOnline({ borrow, look }: Required<PayFeeButtonProps>) {
  const pay = usePayFee();
  return (
    <>
      <Button
        look={look}
        size="small"
        busy={pay.isPending || pay.isSuccess}
        aria-label={`${m.common_pay_fee_of()}${amountText(borrow.fineDue)}, ${purposesOf(borrow)}`}
        onClick={(event) => {
          if (event.detail < 2) pay.mutate(borrow.id);
        }}
      >
        {m.common_pay_fee()}
      </Button>
      {borrow.fineDue !== borrow.fineAmount && (
        <span className="block mt-1 text-not-paid">
          {m.fees_still_due({ amount: amountText(borrow.fineDue) })}
        </span>
      )}
      {pay.isError && (
        <span role="alert" className="block mt-1 text-not-paid w-56 whitespace-normal">
          {m.fees_failed({ reason: sentenceOf(pay.error, m.fees_not_started()) })}
        </span>
      )}
    </>
  );
}

/** Begins a payment, remembers it for when the person comes back, and goes to the provider's page. */
async function beginPayment(borrowId: string): Promise<void> {
  const { redirectUrl, transactionId } = await send(createPayment, { query: { borrowId } });
  const page = providerPage(redirectUrl);
  if (page === null) throw new Error('The payment provider gave an address that is not a web page.');
  paymentTransaction.store(transactionId);
  window.location.assign(page);
}

/** Pays the fee of a borrow. Errors are logged (specification, section 8) and shown where the fee is. */
function usePayFee() {
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

/**
 * The provider's page as a full address: one of the web, or of this site. Null for everything else (another
 * protocol, a script, an address that only looks like one of ours).
 */
export function providerPage(redirectUrl: string): string | null {
  if (!URL.canParse(redirectUrl, window.location.href)) return null;
  const page = new URL(redirectUrl, window.location.href);
  const ofTheWeb = /^https?:\/\//i.test(redirectUrl);
  return ofTheWeb || page.origin === window.location.origin ? page.href : null;
}

/** What can be paid online; it changes with the installation's settings alone. */
function usePaymentTerms() {
  return useQuery({
    ...queryOf(readPaymentTerms),
    staleTime: Infinity,
    meta: { inPlace: true },
  });
}
