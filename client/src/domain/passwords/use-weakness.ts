import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { passwordSchema, type CheckPasswordBody } from '#contracts/accounts/account-requests.js';
import { passwordCheckSchema, type PasswordCheck } from '#contracts/accounts/account-views.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../query-keys.js';

/** Milliseconds without another letter after which the server is asked. */
const PAUSE_MS = 500;

/**
 * Why a password that is about to be chosen is easy to guess, as the server's list knows it. Nothing while it is
 * against the rules anyhow, and where the server does not say.
 */
export function useWeakness({ password, username, email }: CheckPasswordBody): string | undefined {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(password), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [password]);
  const asked = settled === password && passwordSchema.safeParse(password).success;
  const owner = { ...(username && { username }), ...(email && { email }) };
  const check = useQuery({
    queryKey: queryKeys.passwordCheck({ password: settled, ...owner }),
    queryFn: ({ signal }) =>
      request(passwordCheckSchema, 'Account/check-password', {
        method: 'POST',
        body: { password: settled, ...owner },
        signal,
      }),
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
  return `${weakness} ${refused ? 'It will not be accepted.' : 'Somebody could guess it: another one is safer.'}`;
}
