import * as m from '#words/messages.js';
import { useMutation } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { logIn as logInCall } from '#contracts/accounts/account-calls.js';
import type { LoginBody } from '#contracts/accounts/account-requests.js';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import { logInByPasskey, type SecondFactorNeeded } from '#contracts/accounts/second-factor.js';
import { Marked } from '../../components/display/marked.js';
import { Button } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';
import { FormCard } from '../../components/form/form-card.js';
import { PasswordInput } from '../../components/form/password-input.js';
import { lateRules, useLightForm } from '../../components/form/use-light-form.js';
import type { LoginState } from '../../lib/app-navigation.js';
import { RequestError, serverTextOr, UNREACHABLE } from '../../lib/api/request-error.js';
import { send, useCall } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';
import { NoPasskey, passkeysPossible } from '../../domain/identity/passkeys.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { Notice } from '../../components/dialog/notice.js';
import { useEntering } from './entering.js';
import { SignOnButtons } from './sign-on-buttons.js';

/** For those who need one: most people do not. */
const loadSecondStep = () => import('./second-step.js');
type SecondStep = Awaited<ReturnType<typeof loadSecondStep>>['SecondStep'];

const rules = lateRules(async () => (await import('./login-rules.js')).checkedLogin);

export function LoginPage() {
  usePageTitle(m.common_sign_in());
  const state = useLocation().state as LoginState | null;
  const [second, setSecond] = useState<(SecondFactorNeeded & { Step: SecondStep }) | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const logIn = useCall(logInCall, { meta: { inPlace: true } });
  const byPasskey = useMutation({
    mutationFn: async () => send(logInByPasskey, { body: await (await loadSecondStep()).proofByPasskey() }),
    meta: { inPlace: true },
  });
  /** Who came back from the second step need not type it again. */
  const [username, setUsername] = useState('');
  const enter = useEntering();
  const begin = (user: SignedInUser) => enter(user, state);
  const submit = (body: LoginBody) => {
    setOver(null);
    setUsername(body.username);
    byPasskey.reset();
    logIn.mutate(
      { body },
      {
        onSuccess: (answer) => {
          if (!('secondFactor' in answer)) return begin(answer);
          loadSecondStep().then(
            ({ SecondStep: Step }) => setSecond({ ...answer, Step }),
            () => notify.error(UNREACHABLE),
          );
        },
        onError: (error) => {
          if (!fieldErrorsOf(error)) form.focus('password');
        },
      },
    );
  };
  const form = useLightForm({
    initial: { username, password: '' },
    rules,
    refused: fieldErrorsOf(logIn.error),
    busy: logIn.isPending,
    onSubmit: submit,
  });
  const startOver = (reason: string | null) => {
    setSecond(null);
    setOver(reason);
  };

  if (second) return <second.Step needed={second.secondFactor} onUser={begin} onStartOver={startOver} />;
  const refused = logIn.error ?? byPasskey.error;
  const refusal = refused ? refusalOf(refused) : over;
  return (
    <FormCard title={m.common_sign_in()}>
      <form className="flex flex-col gap-4" {...form.props}>
        {refusal !== null && <Notice>{refusal}</Notice>}
        <Field label={m.common_username()} errors={form.errorsOf('username')}>
          {(control) => (
            <input
              {...control}
              name="username"
              type="text"
              defaultValue={username}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label={m.password_field()} errors={form.errorsOf('password')}>
          {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" />}
        </Field>
        <Button type="submit" look="primary" busy={logIn.isPending}>
          {m.common_sign_in()}
        </Button>
        {passkeysPossible() && (
          <Button
            icon={KeyRound}
            busy={byPasskey.isPending}
            onClick={() => {
              logIn.reset();
              setOver(null);
              byPasskey.mutate(undefined, { onSuccess: begin });
            }}
          >
            {m.sign_in_by_passkey()}
          </Button>
        )}
      </form>
      <SignOnButtons wanted={state} />
      <p className="text-ink-soft">
        <Link to="/forgot-password">{m.sign_in_password_forgotten()}</Link>
      </p>
      <p className="text-ink-soft">
        <Marked
          parts={m.sign_in_no_account_yet.parts()}
          as={{ link: (children) => <Link to="/register">{children}</Link> }}
        />
      </p>
    </FormCard>
  );
}

/** The server's messages, of its fields. */
function fieldErrorsOf(error: Error | null) {
  return error instanceof RequestError ? error.fieldErrors : undefined;
}

function refusalOf(error: Error): string {
  return error instanceof NoPasskey ? error.message : serverTextOr(error, m.common_sign_in_failed());
}
