import { useEffect, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import type { LoginState } from '../lib/app-navigation.js';
import { notify } from '../lib/notify.js';
import { isAdmin, mayAudit, useUser } from '../lib/session.js';

/** Keeps everybody but admins out of the admin area (specification, section 6). */
export function RequireAdmin({ children }: { children: ReactNode }) {
  return <Admitted admitted={isAdmin(useUser())}>{children}</Admitted>;
}

/** Keeps everybody but auditors and admins out of the audit; in the same words. */
export function RequireAuditor({ children }: { children: ReactNode }) {
  return <Admitted admitted={mayAudit(useUser())}>{children}</Admitted>;
}

function Admitted({ admitted, children }: { admitted: boolean; children: ReactNode }) {
  useEffect(() => {
    if (!admitted) notify.error('You cannot enter this area');
  }, [admitted]);
  return admitted ? children : <ToLogin />;
}

/** Sends a guest to the login page first, and back here afterwards. */
export function RequireUser({ children }: { children: ReactNode }) {
  return useUser() ? children : <ToLogin />;
}

function ToLogin() {
  const { pathname, search } = useLocation();
  const state: LoginState = { from: pathname + search };
  return <Navigate to="/login" replace state={state} />;
}
