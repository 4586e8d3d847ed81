import { useMutation } from '@tanstack/react-query';
import type { RegisterBody } from '#contracts/accounts/account-requests.js';
import { messageAnswerSchema } from '#contracts/accounts/account-views.js';
import { request } from '../../lib/api/request.js';

function register(body: RegisterBody) {
  return request(messageAnswerSchema, 'Account/register', { method: 'POST', body });
}

export function useRegister() {
  return useMutation({ mutationFn: register });
}
