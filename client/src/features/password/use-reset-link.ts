import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';

/** What the letter's link carries. */
export interface ResetLink {
  email: string;
  token: string;
}

/**
 * Takes the e-mail address and the token out of the address: they are kept for this visit alone, not in the
 * history, where the next person at the machine would find them. Null where the link has not both.
 */
export function useResetLink(): ResetLink | null {
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
