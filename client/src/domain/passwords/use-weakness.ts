import * as m from '#words/messages.js';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { checkPassword, type PasswordCheck } from '#contracts/accounts/account-calls.js';
import type { Taken } from '#contracts/call.js';
import { send } from '../../lib/api/send.js';

/** Milliseconds without another letter after which the server is asked. */
const PAUSE_MS = 500;

/**
 * Why a password that is about to be chosen is easy to guess, as the server's list knows it. Nothing while it is
 * against the rules anyhow, and where the server does not say.
 */
export function useWeakness(
  { password, username, email }: Taken<typeof checkPassword>['body'],
  isAllowed: boolean,
): string | undefined {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(password), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [password]);
  const asked = settled === password && isAllowed;
  const body = { password: settled, ...(username && { username }), ...(email && { email }) };
  const check = useQuery({
    queryKey: ['password-check', body] as const,
    queryFn: ({ signal }) => send(checkPassword, { body }, { signal }),
    enabled: asked,
    // While it is asked anew for another name, what is known of this password stays: what is below does not jump.
    placeholderData: (known, before) =>
      settled !== '' && before?.queryKey[1].password === settled ? known : undefined,
    retry: false,
    staleTime: Infinity,
    // No longer than the form is there: it is a password.
    gcTime: 0,
    meta: { inPlace: true },
  });
  return asked && check.data ? inWords(check.data) : undefined;
}

function inWords({ weakness, refused }: PasswordCheck): string | undefined {
  if (weakness === null) return undefined;
  return refused ? m.password_weak_refused({ weakness }) : m.password_weak({ weakness });
}

/** The rules of a password (specification, section 5) in one sentence. */
export const PASSWORD_HINT = m.password_hint();
