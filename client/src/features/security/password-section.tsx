import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { changePasswordBodySchema, type ChangePasswordBody } from '#contracts/accounts/account-requests.js';
import { Button } from '../../components/form/button.js';
import { Form } from '../../components/form/form.js';
import { PasswordField } from '../../components/form/password-field.js';
import { PASSWORD_HINT } from '../../domain/passwords/password-hint.js';
import { useWeakness } from '../../domain/passwords/use-weakness.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { useUser } from '../../lib/session.js';
import { useChangePassword, useOwnEmail } from './change-password.js';

const EMPTY = { currentPassword: '', newPassword: '' };

/** Changes the password by the present one. */
export function PasswordSection() {
  const user = useUser();
  const email = useOwnEmail(user?.id ?? '');
  const change = useChangePassword();
  const form = useForm<ChangePasswordBody>({
    resolver: zodResolver(changePasswordBodySchema),
    mode: 'onTouched',
    defaultValues: EMPTY,
  });
  const password = useWatch({ control: form.control, name: 'newPassword' });
  const weakness = useWeakness({ password, username: user?.username, email });
  const submit = (body: ChangePasswordBody) =>
    change.mutate(body, {
      onSuccess: () => form.reset(EMPTY),
      onError: (error) => void showFieldErrors(form, error, ['currentPassword', 'newPassword']),
    });
  const { errors } = form.formState;
  const isShown = errors.currentPassword?.type === 'server' || errors.newPassword?.type === 'server';
  return (
    <section
      className="flex flex-col gap-4 p-6 border border-line double-rule bg-surface to-560:p-4"
      aria-labelledby="password"
    >
      <h2 id="password">Password</h2>
      <p className="max-w-measure text-ink-soft">
        A new password logs you out everywhere else, and we write to you that it was changed.
      </p>
      <div className="max-w-104 to-560:[&>form>button]:w-full">
        <Form form={form} busy={change.isPending} onSubmit={submit}>
          {change.isError && !isShown && (
            <p className="p-3 rounded bg-danger-wash text-danger" role="alert">
              {sentenceOf(change.error)}
            </p>
          )}
          {/* For password managers: whose password it is. */}
          <input type="text" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
          <PasswordField<ChangePasswordBody>
            name="currentPassword"
            label="Present password"
            autoComplete="current-password"
          />
          <PasswordField<ChangePasswordBody>
            name="newPassword"
            label="New password"
            hint={PASSWORD_HINT}
            warning={weakness}
            autoComplete="new-password"
          />
          <div>
            <Button type="submit" look="primary" busy={change.isPending}>
              Change password
            </Button>
          </div>
        </Form>
      </div>
    </section>
  );
}
