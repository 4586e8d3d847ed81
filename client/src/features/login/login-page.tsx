import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { logIn as logInCall } from '#contracts/accounts/account-calls.js';
import type { LoginBody } from '#contracts/accounts/account-requests.js';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import { logInByPasskey, type SecondFactorNeeded } from '#contracts/accounts/second-factor.js';
import { Button } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';
import { FormCard } from '../../components/form/form-card.js';
import { PasswordInput } from '../../components/form/password-input.js';
import type { LoginState } from '../../lib/app-navigation.js';
import { serverTextOr } from '../../lib/api/request-error.js';
import { send, useCall } from '../../lib/api/send.js';
import { isAdmin, mayAudit, needsSecondFactor, session } from '../../lib/session.js';
import { NoPasskey, passkeysPossible } from '../../domain/identity/passkeys.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { proofByPasskey, SecondStep } from './second-step.js';
import { useLoginForm } from './use-login-form.js';

export function LoginPage() {
  usePageTitle('Login');
  const navigate = useNavigate();
  const state = useLocation().state as LoginState | null;
  const [second, setSecond] = useState<SecondFactorNeeded['secondFactor'] | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const logIn = useCall(logInCall, { meta: { inPlace: true } });
  const byPasskey = useMutation({
    mutationFn: async () => send(logInByPasskey, { body: await proofByPasskey() }),
    meta: { inPlace: true },
  });
  const { ref, sendBy, inputOf, errors, focus, showRefusal } = useLoginForm();
  /** Who came back from the second step need not type it again. */
  const [username, setUsername] = useState('');
  const begin = (user: SignedInUser) => {
    session.begin(user);
    void navigate(wantedPage(state, user), { replace: true });
  };
  const submit = (body: LoginBody) => {
    setOver(null);
    setUsername(body.username);
    byPasskey.reset();
    logIn.mutate(
      { body },
      {
        onSuccess: (answer) => {
          if ('secondFactor' in answer) setSecond(answer.secondFactor);
          else begin(answer);
        },
        onError: (error) => {
          if (!showRefusal(error)) focus('password');
        },
      },
    );
  };
  const startOver = (reason: string | null) => {
    setSecond(null);
    setOver(reason);
  };

  if (second) return <SecondStep needed={second} onUser={begin} onStartOver={startOver} />;
  const refused = logIn.error ?? byPasskey.error;
  const refusal = refused ? refusalOf(refused) : over;
  return (
    <FormCard title="Login">
      <form ref={ref} className="flex flex-col gap-4" noValidate onSubmit={sendBy(submit, logIn.isPending)}>
        {refusal !== null && (
          <p className="p-3 rounded bg-danger-wash text-danger" role="alert">
            {refusal}
          </p>
        )}
        <Field label="Username" errors={[errors.username]}>
          {(control) => (
            <input
              {...control}
              {...inputOf('username')}
              type="text"
              defaultValue={username}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Password" errors={[errors.password]}>
          {(control) => (
            <PasswordInput {...control} {...inputOf('password')} autoComplete="current-password" />
          )}
        </Field>
        <Button type="submit" look="primary" busy={logIn.isPending}>
          Login
        </Button>
        {passkeysPossible() && (
          <Button
            busy={byPasskey.isPending}
            onClick={() => {
              logIn.reset();
              setOver(null);
              byPasskey.mutate(undefined, { onSuccess: begin });
            }}
          >
            <KeyRound size={18} aria-hidden="true" />
            Login with a passkey
          </Button>
        )}
      </form>
      <p className="text-ink-soft">
        <Link to="/forgot-password">Forgot password?</Link>
      </p>
      <p className="text-ink-soft">
        No account yet? <Link to="/register">Register</Link>
      </p>
    </FormCard>
  );
}

function refusalOf(error: Error): string {
  return error instanceof NoPasskey ? error.message : serverTextOr(error, 'Login failed. Please try again.');
}

/** Back to the page that was wanted, where this person may go there; otherwise to the profile, or what comes first. */
function wantedPage(state: LoginState | null, user: SignedInUser): string {
  if (needsSecondFactor(user)) return '/profile/security';
  const from = state?.from ?? '';
  if (!from.startsWith('/') || from.startsWith('/login')) return '/profile';
  if (from.startsWith('/admin')) return isAdmin(user) ? from : '/profile';
  if (from.startsWith('/audit')) return mayAudit(user) ? from : '/profile';
  return from;
}
