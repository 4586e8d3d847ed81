import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { LoginBody } from '#contracts/accounts/account-requests.js';
import { RequestError, UNREACHABLE } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { whenIdle } from '../../lib/when-idle.js';
import type { LoginErrors } from './login-rules.js';

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
