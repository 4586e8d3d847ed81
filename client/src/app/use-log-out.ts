import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { cart } from '../domain/cart.js';
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
    session.end();
    cart.clear();
  }, [state]);

  return () => {
    mark.current = Date.now();
    void navigate('/', { state: { logOut: mark.current } });
  };
}
