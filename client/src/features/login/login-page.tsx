import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { loginBodySchema, type LoginBody } from '#contracts/accounts/account-requests.js';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import { Button } from '../../components/button.js';
import { Form, TextField } from '../../components/form.js';
import { PasswordField } from '../../components/password-field.js';
import { FormCard } from '../../components/form-card.js';
import type { LoginState } from '../../lib/app-navigation.js';
import { serverTextOr } from '../../lib/api/request-error.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { isAdmin, mayAudit, session } from '../../lib/session.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { useLogIn } from './log-in.js';
import styles from './login-page.module.css';

export function LoginPage() {
  usePageTitle('Login');
  const navigate = useNavigate();
  const state = useLocation().state as LoginState | null;
  const logIn = useLogIn();
  const form = useForm<LoginBody>({
    resolver: zodResolver(loginBodySchema),
    mode: 'onTouched',
    defaultValues: { username: '', password: '' },
  });

  const submit = (body: LoginBody) =>
    logIn.mutate(body, {
      onSuccess: (user) => {
        session.begin(user);
        void navigate(wantedPage(state, user), { replace: true });
      },
      onError: (error) => {
        if (!showFieldErrors(form, error, ['username', 'password']))
          form.setFocus('password', { shouldSelect: true });
      },
    });

  return (
    <FormCard title="Login">
      <Form form={form} busy={logIn.isPending} onSubmit={submit}>
        {logIn.isError && (
          <p className={styles.refused} role="alert">
            {serverTextOr(logIn.error, 'Login failed. Please try again.')}
          </p>
        )}
        <TextField<LoginBody>
          name="username"
          label="Username"
          type="text"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordField<LoginBody> name="password" label="Password" autoComplete="current-password" />
        <Button type="submit" look="primary" busy={logIn.isPending}>
          Login
        </Button>
      </Form>
      <p className={styles.other}>
        <Link to="/forgot-password">Forgot password?</Link>
      </p>
      <p className={styles.other}>
        No account yet? <Link to="/register">Register</Link>
      </p>
    </FormCard>
  );
}

/** Back to the page that was wanted, where this person may go there; otherwise to the profile. */
function wantedPage(state: LoginState | null, user: SignedInUser): string {
  const from = state?.from ?? '';
  if (!from.startsWith('/') || from.startsWith('/login')) return '/profile';
  if (from.startsWith('/admin')) return isAdmin(user) ? from : '/profile';
  if (from.startsWith('/audit')) return mayAudit(user) ? from : '/profile';
  return from;
}
