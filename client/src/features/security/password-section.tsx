import * as m from '#words/messages.js';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import { changePassword } from '#contracts/accounts/account-calls.js';
import {
  type ChangePasswordBody,
  changePasswordBodySchema,
  passwordSchema,
} from '#contracts/accounts/account-requests.js';
import { readProfile } from '#contracts/accounts/readers.js';
import { Button } from '../../components/form/button.js';
import { Form } from '../../components/form/form.js';
import { PasswordField } from '../../components/form/password-field.js';
import { PASSWORD_HINT, useWeakness } from '../../domain/passwords/use-weakness.js';
import { queryKeys } from '../../domain/query-keys.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { queryOf, useCall } from '../../lib/api/send.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { notify } from '../../lib/notify.js';
import { useUser } from '../../lib/session.js';
import { Notice } from '../../components/dialog/notice.js';

const EMPTY = { currentPassword: '', newPassword: '' };

/** Changes the password by the present one. */
export function PasswordSection() {
  const user = useUser();
  const client = useQueryClient();
  // A password should not contain the address. Where it does not come the form does without.
  const email = useQuery({ ...queryOf(readProfile), meta: { inPlace: true } }).data?.email;
  const change = useCall(changePassword, {
    meta: { inPlace: true },
    onSuccess: ({ message }) => {
      notify.success(message);
      void client.invalidateQueries({ queryKey: queryKeys.sessions });
    },
  });
  const form = useForm<ChangePasswordBody>({
    resolver: zodResolver(changePasswordBodySchema),
    mode: 'onTouched',
    defaultValues: EMPTY,
  });
  const password = useWatch({ control: form.control, name: 'newPassword' });
  const weakness = useWeakness(
    { password, username: user?.username, email },
    passwordSchema.safeParse(password).success,
  );
  const submit = (body: ChangePasswordBody) =>
    change.mutate(
      { body },
      {
        onSuccess: () => form.reset(EMPTY),
        onError: (error) => void showFieldErrors(form, error, ['currentPassword', 'newPassword']),
      },
    );
  const { errors } = form.formState;
  const isShown = errors.currentPassword?.type === 'server' || errors.newPassword?.type === 'server';
  return (
    <section
      className="flex flex-col gap-4 p-6 border border-line double-rule bg-surface to-560:p-4"
      aria-labelledby="password"
    >
      <h2 id="password">{m.password_field()}</h2>
      <p className="max-w-measure text-ink-soft">{m.password_change_lead()}</p>
      <div className="max-w-104 to-560:[&>form>button]:w-full">
        <Form form={form} busy={change.isPending} onSubmit={submit}>
          {change.isError && !isShown && <Notice>{sentenceOf(change.error)}</Notice>}
          {/* For password managers: whose password it is. */}
          <input type="text" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
          <PasswordField<ChangePasswordBody>
            name="currentPassword"
            label={m.password_current()}
            autoComplete="current-password"
          />
          <PasswordField<ChangePasswordBody>
            name="newPassword"
            label={m.password_new()}
            hint={PASSWORD_HINT}
            warning={weakness}
            autoComplete="new-password"
          />
          <div>
            <Button type="submit" look="primary" busy={change.isPending}>
              {m.password_change()}
            </Button>
          </div>
        </Form>
      </div>
    </section>
  );
}
