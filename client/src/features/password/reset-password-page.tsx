import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { newPasswordFormSchema } from '#contracts/accounts/account-requests.js';
import { Button } from '../../components/button.js';
import { Field } from '../../components/field.js';
import { FormCard } from '../../components/form-card.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { notify } from '../../lib/notify.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import styles from './password.module.css';
import { useResetPassword } from './reset-password.js';
import { useResetLink, type ResetLink } from './use-reset-link.js';

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
  const { errors } = form.formState;
  const submit = form.handleSubmit(({ newPassword }) =>
    reset.mutate(
      { ...link, newPassword },
      {
        onSuccess: () => void navigate('/login', { replace: true }),
        onError: (error) => void showFieldErrors(form, error, ['newPassword']),
      },
    ),
  );

  return (
    <FormCard title="Reset password" lead={`Choose a new password for the account of ${link.email}.`}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!reset.isPending) void submit(event);
        }}
      >
        {/* For password managers: which account the new password belongs to. */}
        <input type="email" autoComplete="username" value={link.email} readOnly hidden />
        <Field
          label="New password"
          errors={[errors.newPassword?.message]}
          hint="At least 6 characters, with a number, a lowercase letter, an uppercase letter and a special character."
        >
          {(control) => (
            <input
              {...control}
              {...form.register('newPassword')}
              type="password"
              autoComplete="new-password"
            />
          )}
        </Field>
        <Button type="submit" look="primary" disabled={reset.isPending}>
          {reset.isPending ? 'Resetting...' : 'Reset Password'}
        </Button>
      </form>
    </FormCard>
  );
}
