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
  usePageTitle('Registration Successful');
  const [params] = useSearchParams();
  const username = params.get('username') ?? '';
  const resend = useCall(resendConfirmation, {
    // Said by this screen: a refusal that names a field has no field here to stand under.
    meta: { inPlace: true },
    onError: (error) => notify.error(firstWordsOf(error)),
    onSuccess: () => notify.success(m.common_confirmation_resent()),
  });
  return (
    <FormCard
      title={m.common_registration_successful()}
      lead="We have sent you a confirmation email. Open the link in it to confirm your address, then sign in."
    >
      <div className="flex flex-wrap gap-3 mt-2 to-480:[&>*]:flex-1">
        {username !== '' && (
          <Button busy={resend.isPending} onClick={() => resend.mutate({ body: { username } })}>
            {m.common_resend_confirmation()}
          </Button>
        )}
        <ButtonLink to="/login" look="plain">
          To sign in
        </ButtonLink>
      </div>
    </FormCard>
  );
}
