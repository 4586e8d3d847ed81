import * as m from '#words/messages.js';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { Button, ButtonLink } from '../../components/form/button.js';
import { FormCard } from '../../components/form/form-card.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { amountText } from '../../domain/fees/money.js';
import { paymentTransaction } from '../../domain/fees/payment-transaction.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { confirmPayment } from '#contracts/payments/payment.js';
import { keyOf, send } from '../../lib/api/send.js';
import { queryKeys } from '../../domain/query-keys.js';

/** How long the good news stays before the profile comes. */
const REDIRECT_MS = 3000;

/** The provider redirects here after a payment. The redirect proves nothing: the server asks the provider. */
export function PaymentSuccessPage() {
  usePageTitle(m.fees_payment());
  const navigate = useNavigate();
  const [params] = useSearchParams();
  // As it was when the page was opened: once confirmed, it is stored no longer.
  const [transactionId] = useState(() => paymentTransaction.stored() ?? params.get('transactionId'));
  const confirmation = useConfirmPayment(transactionId || null);

  useEffect(() => {
    if (!confirmation.isSuccess) return;
    const timer = window.setTimeout(() => void navigate('/profile'), REDIRECT_MS);
    return () => window.clearTimeout(timer);
  }, [confirmation.isSuccess, navigate]);

  if (!transactionId) {
    return (
      <FormCard title={m.fees_nothing_to_confirm()} lead={m.fees_nothing_begun()}>
        <ToProfile />
      </FormCard>
    );
  }
  if (confirmation.isSuccess) {
    return (
      <div role="status">
        <FormCard
          title={m.common_payment_confirmed()}
          lead={m.fees_received({ amount: amountText(confirmation.data.amount) })}
        >
          <ToProfile />
        </FormCard>
      </div>
    );
  }
  if (!confirmation.isError) return <FormCard title={m.fees_confirming()} lead={m.fees_one_moment()} />;
  return (
    <NotConfirmed
      error={confirmation.error}
      retrying={confirmation.isFetching}
      onRetry={() => void confirmation.refetch()}
    />
  );
}

interface NotConfirmedProps {
  error: Error;
  retrying: boolean;
  onRetry: () => void;
}

function NotConfirmed({ error, retrying, onRetry }: NotConfirmedProps) {
  const pending = error instanceof RequestError && error.problem?.code === 'PaymentNotCompleted';
  return (
    <div role="alert">
      <FormCard
        title={pending ? m.fees_pending() : m.fees_not_confirmed()}
        lead={pending ? m.fees_pending_detail() : sentenceOf(error)}
      >
        <div className="flex flex-wrap gap-3">
          <Button look="primary" busy={retrying} onClick={onRetry}>
            {m.common_retry()}
          </Button>
          <ToProfile />
        </div>
      </FormCard>
    </div>
  );
}

function ToProfile() {
  return (
    <div>
      <ButtonLink to="/profile">{m.fees_to_profile()}</ButtonLink>
    </div>
  );
}

/**
 * Confirms a payment as soon as the page is opened. Asked as a query, so that the page being drawn twice asks once;
 * confirming again changes nothing. A confirmed payment is removed from the browser's storage.
 */
function useConfirmPayment(transactionId: string | null) {
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
