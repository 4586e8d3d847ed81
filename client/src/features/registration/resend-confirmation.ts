import { useMutation } from '@tanstack/react-query';
import type { ResendConfirmationBody } from '#contracts/accounts/account-requests.js';
import { messageAnswerSchema } from '#contracts/accounts/account-views.js';
import { request } from '../../lib/api/request.js';
import { notify } from '../../lib/notify.js';

function resendConfirmation(body: ResendConfirmationBody) {
  return request(messageAnswerSchema, 'Account/resend-confirmation-email', { method: 'POST', body });
}

export function useResendConfirmation() {
  return useMutation({
    mutationFn: resendConfirmation,
    onSuccess: () => notify.success('Confirmation email successfully resent!'),
  });
}
