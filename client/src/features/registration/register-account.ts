import { useMutation } from '@tanstack/react-query';
import type { RegisterBody } from '#contracts/accounts/account-requests.js';
import { messageAnswerSchema } from '#contracts/accounts/account-views.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { request } from '../../lib/api/request.js';
import { notify } from '../../lib/notify.js';

function register(body: RegisterBody) {
  return request(messageAnswerSchema, 'Account/register', { method: 'POST', body });
}

export function useRegister() {
  return useMutation({
    mutationFn: register,
    // The words of a refusal are a toast (specification, section 8), and stand under their field as well.
    meta: { inPlace: true },
    onError: (error) => notify.error(firstWordsOf(error)),
  });
}
