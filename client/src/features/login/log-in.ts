import { useMutation } from '@tanstack/react-query';
import { loginBodySchema, type LoginBody } from '#contracts/accounts/account-requests.js';
import { signedInUserSchema } from '#contracts/accounts/account-views.js';
import { request } from '../../lib/api/request.js';

function logIn(body: LoginBody) {
  return request(signedInUserSchema, 'Account/login', { method: 'POST', body: loginBodySchema.parse(body) });
}

/** Signs in; a refusal is shown on the form. */
export function useLogIn() {
  return useMutation({ mutationFn: logIn, meta: { inPlace: true } });
}
