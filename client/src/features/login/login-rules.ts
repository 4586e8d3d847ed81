import { loginBodySchema, type LoginBody } from '#contracts/accounts/account-requests.js';

export type LoginErrors = Partial<Record<keyof LoginBody, string | undefined>>;

/** What is to be sent, or what is wrong with it: of each field the first fault. */
export function checkedLogin(typed: LoginBody): { body?: LoginBody; errors: LoginErrors } {
  const { success, data, error } = loginBodySchema.safeParse(typed);
  if (success) return { body: data, errors: {} };
  const faultOf = (field: keyof LoginBody) => error.issues.find(({ path }) => path[0] === field)?.message;
  return { errors: { username: faultOf('username'), password: faultOf('password') } };
}
