import * as m from '#words/messages.js';
import { z } from 'zod';
import { accountDetailsSchema } from '#contracts/accounts/account-requests.js';
import { messagesOf, type Checked } from '../../components/form/use-light-form.js';

/** Step 1: the passwords are compared whatever else is still missing. */
const accountStepSchema = accountDetailsSchema
  .extend({ confirmPassword: z.string().min(1, { error: m.password_not_repeated }) })
  .refine((account) => account.password === account.confirmPassword, {
    path: ['confirmPassword'],
    error: m.password_not_repeated,
    when: () => true,
  });
export type AccountValues = z.infer<typeof accountStepSchema>;

/** Of a password everything that it still lacks, and only that it is required while there is none; of the others the first fault. */
export function checkedAccount(typed: AccountValues): Checked<keyof AccountValues, AccountValues> {
  const { username, email, password, confirmPassword } = messagesOf<keyof AccountValues>(
    accountStepSchema.safeParse(typed).error?.issues,
  );
  const errors = {
    username: username?.slice(0, 1),
    email: email?.slice(0, 1),
    password: typed.password === '' ? password?.slice(0, 1) : password,
    confirmPassword: confirmPassword?.slice(0, 1),
  };
  // As it was typed, for the way back; what is sent is parsed at the end.
  return { body: typed, errors };
}
