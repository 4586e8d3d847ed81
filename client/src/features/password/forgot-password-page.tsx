import * as m from '#words/messages.js';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { forgotPassword } from '#contracts/accounts/account-calls.js';
import { forgotPasswordBodySchema, type ForgotPasswordBody } from '#contracts/accounts/account-requests.js';
import { Button } from '../../components/form/button.js';
import { Form, TextField } from '../../components/form/form.js';
import { FormCard } from '../../components/form/form-card.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { useCall } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';

export function ForgotPasswordPage() {
  usePageTitle(m.password_forgot_title());
  const forgot = useCall(forgotPassword, {
    onSuccess: () => notify.success(m.common_reset_link_sent()),
  });
  const form = useForm({
    resolver: zodResolver(forgotPasswordBodySchema),
    mode: 'onTouched',
    defaultValues: { email: '' },
  });
  const { isValid } = form.formState;
  const submit = (body: ForgotPasswordBody) =>
    forgot.mutate({ body }, { onError: (error) => void showFieldErrors(form, error, ['email']) });

  return (
    <FormCard title={m.password_forgot_title()} lead={m.password_forgot_lead()}>
      <Form form={form} busy={forgot.isPending} onSubmit={submit}>
        <TextField<ForgotPasswordBody>
          name="email"
          label={m.common_email()}
          type="email"
          autoComplete="email"
          spellCheck={false}
        />
        <Button type="submit" look="primary" disabled={!isValid || forgot.isPending}>
          {forgot.isPending ? m.password_link_sending() : m.common_send_reset_link()}
        </Button>
      </Form>
      {forgot.isSuccess && (
        <p className="text-ink-soft" role="status">
          {forgot.data.message}
        </p>
      )}
      <p className="text-ink-soft">
        <Link to="/login">{m.password_back_to_sign_in()}</Link>
      </p>
    </FormCard>
  );
}
