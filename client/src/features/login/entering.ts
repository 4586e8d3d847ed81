import { useNavigate } from 'react-router-dom';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import type { LoginState } from '../../lib/app-navigation.js';
import { isOfStaff, needsSecondFactor, session } from '../../lib/session.js';

/** Begins the session of who has just signed in, and goes where they wanted to. */
export function useEntering(): (user: SignedInUser, wanted: LoginState | null) => void {
  const navigate = useNavigate();
  return (user, wanted) => {
    session.begin(user);
    void wantedPage(wanted, user).then((page) => {
      const goesOn = page === wanted?.from && wanted.then !== undefined;
      return navigate(page, { replace: true, state: goesOn ? { then: wanted.then } : null });
    });
  };
}

/** Back to the page that was wanted, where this person may go there; otherwise to where their day begins, or what comes first. */
async function wantedPage(wanted: LoginState | null, user: SignedInUser): Promise<string> {
  if (needsSecondFactor(user)) return '/profile/security';
  // Of who may go where, only staff need to know.
  const pages = isOfStaff(user) ? await import('../../domain/staff-pages.js') : undefined;
  const home = pages?.landingOf(user) ?? '/profile';
  const from = wanted?.from ?? '';
  if (!from.startsWith('/') || from.startsWith('/login')) return home;
  if (!/^\/(admin|audit)/.test(from)) return from;
  return pages?.mayEnter(from.replace(/\?.*/, ''), user) ? from : home;
}
