import * as m from '#words/messages.js';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { confirmEmail } from '#contracts/accounts/account-calls.js';
import { ButtonLink } from '../../components/form/button.js';
import { FormCard } from '../../components/form/form-card.js';
import { serverTextOr } from '../../lib/api/request-error.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { send } from '../../lib/api/send.js';

/** How long the good news stays before the login page comes. */
const REDIRECT_MS = 3000;

export function ConfirmEmailPage() {
  usePageTitle(m.register_confirm_email_title());
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [token, userId] = [params.get('token') ?? '', params.get('userId') ?? ''];
  const complete = token !== '' && userId !== '';
  const confirmation = useQuery({
    // As soon as the page is opened. As a query, so that the page being drawn twice confirms it once.
    queryKey: ['confirm-email', token, userId],
    queryFn: () => send(confirmEmail, { body: { token, userId } }),
    enabled: complete,
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { inPlace: true },
  });

  useEffect(() => {
    if (!confirmation.isSuccess) return;
    const timer = window.setTimeout(() => void navigate('/login'), REDIRECT_MS);
    return () => window.clearTimeout(timer);
  }, [confirmation.isSuccess, navigate]);

  if (!complete) return <Failed message={m.register_link_invalid()} />;
  if (confirmation.isError) {
    return <Failed message={serverTextOr(confirmation.error, m.register_confirmation_failed())} />;
  }
  if (!confirmation.isSuccess)
    return <FormCard title={m.register_confirming()} lead={m.register_one_moment()} />;
  return (
    <div role="status">
      <FormCard
        title={m.register_confirmed_title()}
        lead={m.register_confirmed_lead({ confirmed: confirmation.data.message })}
      >
        <div>
          <ButtonLink to="/login" look="primary">
            {m.common_sign_in()}
          </ButtonLink>
        </div>
      </FormCard>
    </div>
  );
}

function Failed({ message }: { message: string }) {
  return (
    <div role="alert">
      <FormCard title={m.register_not_confirmed()} lead={message}>
        <div>
          <ButtonLink to="/login">{m.sign_in_go_to()}</ButtonLink>
        </div>
      </FormCard>
    </div>
  );
}
