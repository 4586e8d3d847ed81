import { useEffect, type ReactNode } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import * as m from '#words/messages.js';
import type { LoginState } from '../lib/app-navigation.js';
import { notify } from '../lib/notify.js';
import { isOfStaff, needsSecondFactor, useUser } from '../lib/session.js';
import { SECOND_FACTOR_PAGE } from './session-end.js';

interface Guarded {
  /** In place of the routes below. */
  children?: ReactNode;
}

/** Keeps readers out of the areas of staff (specification, section 6). */
export function RequireStaff({ children }: Guarded) {
  return <Admitted admitted={isOfStaff(useUser())}>{children}</Admitted>;
}

export function Admitted({ admitted, children = <Outlet /> }: Guarded & { admitted: boolean }) {
  // It may be their area once they have one.
  const hasToWait = needsSecondFactor(useUser());
  const turnedAway = !admitted && !hasToWait;
  useEffect(() => {
    if (turnedAway) notify.error(m.site_no_entry());
  }, [turnedAway]);
  if (hasToWait) return <Navigate to={SECOND_FACTOR_PAGE} replace />;
  return admitted ? children : <ToLogin />;
}

/** Sends a guest to the sign-in page first, and back here afterwards; who lacks a second factor, to where it is added. */
export function RequireUser({ children = <Outlet /> }: Guarded) {
  const user = useUser();
  const { pathname } = useLocation();
  if (needsSecondFactor(user) && pathname !== SECOND_FACTOR_PAGE)
    return <Navigate to={SECOND_FACTOR_PAGE} replace />;
  return user ? children : <ToLogin />;
}

function ToLogin() {
  const { pathname, search } = useLocation();
  const state: LoginState = { from: pathname + search };
  return <Navigate to="/login" replace state={state} />;
}
