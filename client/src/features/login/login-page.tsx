import { labels } from '../../domain/labels.js';
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
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
import { RequestError, serverTextOr, UNREACHABLE } from '../../lib/api/request-error.js';
import { send, useCall } from '../../lib/api/send.js';
import { isAdmin, mayAudit, needsSecondFactor, session } from '../../lib/session.js';
import { NoPasskey, passkeysPossible } from '../../domain/identity/passkeys.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { proofByPasskey, SecondStep } from './second-step.js';
import { notify } from '../../lib/notify.js';
import { whenIdle } from '../../lib/when-idle.js';
import type { LoginErrors } from './login-rules.js';
import { Notice } from '../../components/dialog/notice.js';

export function LoginPage() {
  usePageTitle(labels.signIn);
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
    const page = wantedPage(state, user);
    const goesOn = page === state?.from && state.then !== undefined;
    void navigate(page, { replace: true, state: goesOn ? { then: state.then } : null });
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
    <FormCard title={labels.signIn}>
      <form ref={ref} className="flex flex-col gap-4" noValidate onSubmit={sendBy(submit, logIn.isPending)}>
        {refusal !== null && <Notice>{refusal}</Notice>}
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
          {labels.signIn}
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
            Sign in with a passkey
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
  return error instanceof NoPasskey ? error.message : serverTextOr(error, labels.signInFailed);
}

/** Back to the page that was wanted, where this person may go there; otherwise to where their day begins, or what comes first. */
function wantedPage(state: LoginState | null, user: SignedInUser): string {
  if (needsSecondFactor(user)) return '/profile/security';
  const home = isAdmin(user) ? '/admin/dashboard' : mayAudit(user) ? '/audit' : '/profile';
  const from = state?.from ?? '';
  if (!from.startsWith('/') || from.startsWith('/login')) return home;
  if (from.startsWith('/admin')) return isAdmin(user) ? from : home;
  if (from.startsWith('/audit')) return mayAudit(user) ? from : home;
  return from;
}

type Field = keyof LoginBody;

const loadRules = () => import('./login-rules.js');

/**
 * The two fields of the login. The library of the other forms is a tenth of what a visitor would wait for here, and the rules
 * come once the page is drawn. As there, a field is checked when it is left, and from then on while it is typed in.
 */
export function useLoginForm() {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<LoginErrors>({});
  const left = useRef(new Set<Field>());
  const checking = useRef(false);
  // Tried again when they are asked for; only then does a failure matter.
  useEffect(() => whenIdle(() => void loadRules().catch(() => undefined)), []);

  const elementOf = (field: Field) => form.current?.querySelector<HTMLInputElement>(`[name="${field}"]`);
  const focus = (field: Field) => {
    elementOf(field)?.focus();
    elementOf(field)?.select();
  };
  const check = async () => {
    // As it is in the fields: a browser may have filled them in.
    const typed = {
      username: elementOf('username')?.value ?? '',
      password: elementOf('password')?.value ?? '',
    };
    return (await loadRules()).checkedLogin(typed);
  };
  const recheck = (field: Field) => {
    if (!left.current.has(field)) return;
    check().then(
      (found) => setErrors((before) => ({ ...before, [field]: found.errors[field] })),
      // Rules that cannot be loaded are asked for again when the form is sent.
      () => undefined,
    );
  };
  const show = (found: LoginErrors) => {
    setErrors(found);
    const first = (['username', 'password'] as const).find((field) => found[field] !== undefined);
    if (first) elementOf(first)?.focus();
    return first !== undefined;
  };

  const submit = async (onSubmit: (body: LoginBody) => void) => {
    checking.current = true;
    left.current = new Set(['username', 'password']);
    try {
      const { body, errors: found } = await check();
      if (!show(found) && body) onSubmit(body);
    } catch {
      notify.error(UNREACHABLE);
    } finally {
      checking.current = false;
    }
  };
  return {
    errors,
    focus,
    ref: form,
    /** @param busy what was sent before is on its way: nothing more is taken */
    sendBy: (onSubmit: (body: LoginBody) => void, busy: boolean) => (event: FormEvent) => {
      event.preventDefault();
      if (!busy && !checking.current) void submit(onSubmit);
    },
    inputOf: (field: Field) => ({
      name: field,
      onBlur: () => {
        left.current.add(field);
        recheck(field);
      },
      onChange: () => recheck(field),
    }),
    /** Shows the server's messages under their fields. False when the refusal names none of them. */
    showRefusal: (error: unknown): boolean => {
      const named = error instanceof RequestError ? error.fieldErrors : undefined;
      return show({ username: named?.['username']?.[0], password: named?.['password']?.[0] });
    },
  };
}
