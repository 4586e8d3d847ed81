import { loginBodySchema, type LoginBody } from '#contracts/accounts/account-requests.js';
import { messagesOf, type Checked } from '../../components/form/use-light-form.js';

export function checkedLogin(typed: LoginBody): Checked<keyof LoginBody, LoginBody> {
  const { data, error } = loginBodySchema.safeParse(typed);
  return { ...(data && { body: data }), errors: messagesOf(error?.issues) };
}
