import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { logOut } from '#contracts/accounts/account-calls.js';
import { cart } from '../domain/cart.js';
import { RequestError } from '../lib/api/request-error.js';
import { send } from '../lib/api/send.js';
import { notify } from '../lib/notify.js';
import { session } from '../lib/session.js';

/**
 * Logs out at `/` (specification, section 2): first out of any guarded page, so that leaving it is not taken for
 * being turned away. Who stays, asked about unsaved changes, stays signed in.
 */
export function useLogOut(): () => void {
  const navigate = useNavigate();
  const state = useLocation().state as { logOut?: number } | null;
  /** This log-out's own mark: one left in the history by an earlier one ends nothing. */
  const mark = useRef<number>(undefined);

  useEffect(() => {
    if (mark.current === undefined || state?.logOut !== mark.current) return;
    mark.current = undefined;
    tellServer();
    session.end();
    cart.clear();
  }, [state]);

  return () => {
    mark.current = Date.now();
    void navigate('/', { state: { logOut: mark.current } });
  };
}

/** Ends the session on the server. Here it ends whatever the server says. */
function tellServer(): void {
  send(logOut).catch((error: unknown) => {
    const hadEnded = error instanceof RequestError && error.status === 401;
    if (hadEnded) return;
    notify.error(
      'You are logged out here, but the library could not be told. The session ends by itself when it is not used; you can end it at once under "Security" when you log in again.',
    );
  });
}
