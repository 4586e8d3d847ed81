import * as m from '#words/messages.js';
import { useSearchParams } from 'react-router-dom';
import { resendConfirmation } from '#contracts/accounts/account-calls.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { FormCard } from '../../components/form/form-card.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { useCall } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';

export function EmailNotificationPage() {
  usePageTitle(m.register_successful_page());
  const [params] = useSearchParams();
  const username = params.get('username') ?? '';
  const resend = useCall(resendConfirmation, {
    // Said by this screen: a refusal that names a field has no field here to stand under.
    meta: { inPlace: true },
    onError: (error) => notify.error(firstWordsOf(error)),
    onSuccess: () => notify.success(m.common_confirmation_resent()),
  });
  return (
    <FormCard title={m.common_registration_successful()} lead={m.register_email_sent()}>
      <div className="flex flex-wrap gap-3 mt-2 to-480:[&>*]:flex-1">
        {username !== '' && (
          <Button busy={resend.isPending} onClick={() => resend.mutate({ body: { username } })}>
            {m.common_resend_confirmation()}
          </Button>
        )}
        <ButtonLink to="/login" look="plain">
          {m.sign_in_go_to()}
        </ButtonLink>
      </div>
    </FormCard>
  );
}
