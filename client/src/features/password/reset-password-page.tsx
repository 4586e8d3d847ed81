import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import type { z } from 'zod';
import { newPasswordFormSchema } from '#contracts/accounts/account-requests.js';
import { Button } from '../../components/form/button.js';
import { Form } from '../../components/form/form.js';
import { PasswordField } from '../../components/form/password-field.js';
import { FormCard } from '../../components/form/form-card.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { notify } from '../../lib/notify.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { PASSWORD_HINT } from '../../domain/passwords/password-hint.js';
import { useWeakness } from '../../domain/passwords/use-weakness.js';
import { useResetPassword } from './reset-password.js';
import { useResetLink, type ResetLink } from './use-reset-link.js';

type NewPasswordForm = z.infer<typeof newPasswordFormSchema>;

export function ResetPasswordPage() {
  usePageTitle('Reset password');
  const navigate = useNavigate();
  const link = useResetLink();
  const usable = link !== null;

  useEffect(() => {
    if (usable) return;
    notify.error('Invalid or expired link.');
    void navigate('/login', { replace: true });
  }, [usable, navigate]);

  return link && <NewPassword link={link} />;
}

function NewPassword({ link }: { link: ResetLink }) {
  const navigate = useNavigate();
  const reset = useResetPassword();
  const form = useForm({
    resolver: zodResolver(newPasswordFormSchema),
    mode: 'onTouched',
    defaultValues: { newPassword: '' },
  });
  const newPassword = useWatch({ control: form.control, name: 'newPassword' });
  const weakness = useWeakness({ password: newPassword, email: link.email });
  const submit = ({ newPassword }: NewPasswordForm) =>
    reset.mutate(
      { ...link, newPassword },
      {
        onSuccess: () => void navigate('/login', { replace: true }),
        onError: (error) => void showFieldErrors(form, error, ['newPassword']),
      },
    );

  return (
    <FormCard title="Reset password" lead={`Choose a new password for the account of ${link.email}.`}>
      <Form form={form} busy={reset.isPending} onSubmit={submit}>
        {/* For password managers: which account the new password belongs to. */}
        <input type="email" autoComplete="username" value={link.email} readOnly hidden />
        <PasswordField<NewPasswordForm>
          name="newPassword"
          label="New password"
          hint={PASSWORD_HINT}
          warning={weakness}
          autoComplete="new-password"
        />
        <Button type="submit" look="primary" disabled={reset.isPending}>
          {reset.isPending ? 'Resetting...' : 'Reset Password'}
        </Button>
      </Form>
    </FormCard>
  );
}
