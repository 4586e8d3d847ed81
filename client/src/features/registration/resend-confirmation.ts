import { useMutation } from '@tanstack/react-query';
import type { ResendConfirmationBody } from '#contracts/accounts/account-requests.js';
import { messageAnswerSchema } from '#contracts/accounts/account-views.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { request } from '../../lib/api/request.js';
import { notify } from '../../lib/notify.js';

function resendConfirmation(body: ResendConfirmationBody) {
  return request(messageAnswerSchema, 'Account/resend-confirmation-email', { method: 'POST', body });
}

export function useResendConfirmation() {
  return useMutation({
    mutationFn: resendConfirmation,
    // Said by this screen: a refusal that names a field has no field here to stand under.
    meta: { inPlace: true },
    onError: (error) => notify.error(firstWordsOf(error)),
    onSuccess: () => notify.success('Confirmation email successfully resent!'),
  });
}
