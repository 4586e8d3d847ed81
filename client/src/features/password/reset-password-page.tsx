import * as m from '#words/messages.js';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { z } from 'zod';
import { resetPassword } from '#contracts/accounts/account-calls.js';
import { newPasswordFormSchema, passwordSchema } from '#contracts/accounts/account-requests.js';
import { Button } from '../../components/form/button.js';
import { Form } from '../../components/form/form.js';
import { PasswordField } from '../../components/form/password-field.js';
import { FormCard } from '../../components/form/form-card.js';
import { serverTextOr } from '../../lib/api/request-error.js';
import { useCall } from '../../lib/api/send.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { notify } from '../../lib/notify.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { PASSWORD_HINT, useWeakness } from '../../domain/passwords/use-weakness.js';

type NewPasswordForm = z.infer<typeof newPasswordFormSchema>;

export function ResetPasswordPage() {
  usePageTitle(m.password_reset_title());
  const navigate = useNavigate();
  const link = useResetLink();
  const usable = link !== null;

  useEffect(() => {
    if (usable) return;
    notify.error(m.password_reset_link_invalid());
    void navigate('/login', { replace: true });
  }, [usable, navigate]);

  return link && <NewPassword link={link} />;
}

function NewPassword({ link }: { link: ResetLink }) {
  const navigate = useNavigate();
  const reset = useCall(resetPassword, {
    meta: { inPlace: true },
    onError: (error) => notify.error(serverTextOr(error, m.password_reset_failed())),
    onSuccess: () => notify.success(m.common_password_reset()),
  });
  const form = useForm({
    resolver: zodResolver(newPasswordFormSchema),
    mode: 'onTouched',
    defaultValues: { newPassword: '' },
  });
  const newPassword = useWatch({ control: form.control, name: 'newPassword' });
  const weakness = useWeakness(
    { password: newPassword, email: link.email },
    passwordSchema.safeParse(newPassword).success,
  );
  const submit = ({ newPassword }: NewPasswordForm) =>
    reset.mutate(
      { body: { ...link, newPassword } },
      {
        onSuccess: () => void navigate('/login', { replace: true }),
        onError: (error) => void showFieldErrors(form, error, ['newPassword']),
      },
    );

  return (
    <FormCard title={m.password_reset_title()} lead={m.password_reset_lead({ email: link.email })}>
      <Form form={form} busy={reset.isPending} onSubmit={submit}>
        {/* For password managers: which account the new password belongs to. */}
        <input type="email" autoComplete="username" value={link.email} readOnly hidden />
        <PasswordField<NewPasswordForm>
          name="newPassword"
          label={m.password_new()}
          hint={PASSWORD_HINT}
          warning={weakness}
          autoComplete="new-password"
        />
        <Button type="submit" look="primary" disabled={reset.isPending}>
          {reset.isPending ? m.password_resetting() : m.password_reset_title()}
        </Button>
      </Form>
    </FormCard>
  );
}

/** What the letter's link carries. */
interface ResetLink {
  email: string;
  token: string;
}

/**
 * Takes the email address and the token out of the address: they are kept for this visit alone, not in the
 * history, where the next person at the machine would find them. Null where the link has not both.
 */
function useResetLink(): ResetLink | null {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const inAddress = linkIn(params);
  const [taken, setTaken] = useState(inAddress);
  // Another link, opened in the same tab.
  if (inAddress && inAddress.token !== taken?.token) setTaken(inAddress);

  const lingers = params.has('token') || params.has('email');
  useEffect(() => {
    if (lingers) void navigate('/reset-password', { replace: true });
  }, [lingers, navigate]);
  return taken;
}

function linkIn(params: URLSearchParams): ResetLink | null {
  const [email, token] = [params.get('email') ?? '', params.get('token') ?? ''];
  return email === '' || token === '' ? null : { email, token };
}
