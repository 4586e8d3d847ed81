import { useMutation } from '@tanstack/react-query';
import type { ResetPasswordBody } from '#contracts/accounts/account-requests.js';
import { messageAnswerSchema } from '#contracts/accounts/account-views.js';
import { serverTextOr } from '../../lib/api/request-error.js';
import { request } from '../../lib/api/request.js';
import { notify } from '../../lib/notify.js';

function resetPassword(body: ResetPasswordBody) {
  return request(messageAnswerSchema, 'Account/reset-password', { method: 'POST', body });
}

export function useResetPassword() {
  return useMutation({
    mutationFn: resetPassword,
    meta: { inPlace: true },
    onError: (error) => notify.error(serverTextOr(error, 'An error occurred.')),
    onSuccess: () => notify.success('Password reset successfully!'),
  });
}
