import { useMutation } from '@tanstack/react-query';
import type { ForgotPasswordBody } from '#contracts/accounts/account-requests.js';
import { messageAnswerSchema } from '#contracts/accounts/account-views.js';
import { request } from '../../lib/api/request.js';
import { notify } from '../../lib/notify.js';

function forgotPassword(body: ForgotPasswordBody) {
  return request(messageAnswerSchema, 'Account/forgot-password', { method: 'POST', body });
}

/** Requests the letter with the link. Failures are handled globally; here only the loading stops. */
export function useForgotPassword() {
  return useMutation({
    mutationFn: forgotPassword,
    onSuccess: () => notify.success('Password reset email sent successfully!'),
  });
}
