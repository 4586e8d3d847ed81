import {
  roleSchema,
  signedInUserSchema,
  type Role,
  type SignedInUser,
} from '#contracts/accounts/account-views.js';
import { readStored, writeStored, createStore, useStore } from './store.js';

/** The key under which the signed-in user is kept (specification, section 4). */
const USER_KEY = 'user';

function restore(): SignedInUser | null {
  const stored = readStored(USER_KEY);
  if (stored === null) return null;
  try {
    const user = signedInUserSchema.safeParse(JSON.parse(stored));
    if (user.success && Date.parse(user.data.expiresAt) > Date.now()) return user.data;
  } catch {
    // Not ours, or of another time.
  }
  writeStored(USER_KEY, null);
  return null;
}

const store = createStore<SignedInUser | null>(restore());

// Signing in or out in one tab counts for all of them.
window.addEventListener('storage', (event) => {
  if (event.key === USER_KEY || event.key === null) store.set(restore());
});

/** The signed-in user, outside components. */
export const session = {
  current: store.get,
  subscribe: store.subscribe,
  begin(user: SignedInUser) {
    writeStored(USER_KEY, JSON.stringify(user));
    store.set(user);
  },
  /** An admin gave or took a role; the token stays what it was, since the server looks at the account. */
  changeRoles(roles: readonly Role[], mustAddSecondFactor = false) {
    const user = store.get();
    if (!user) return;
    const sameRoles = roleSchema.options.every((role) => user.roles.includes(role) === roles.includes(role));
    if (sameRoles && mustAddSecondFactor === needsSecondFactor(user)) return;
    session.begin({ ...user, roles: [...roles], mustAddSecondFactor });
  },
  /** The server said whether the account needs a second factor before anything else. */
  setNeedsSecondFactor(mustAddSecondFactor: boolean) {
    const user = store.get();
    if (!user || mustAddSecondFactor === needsSecondFactor(user)) return;
    session.begin({ ...user, mustAddSecondFactor });
  },
  end() {
    writeStored(USER_KEY, null);
    store.set(null);
  },
};

/** The signed-in user; null for a guest. */
export function useUser(): SignedInUser | null {
  return useStore(store);
}

/** Whether the account needs a second factor before it may do anything else. */
export function needsSecondFactor(user: SignedInUser | null): boolean {
  return user?.mustAddSecondFactor ?? false;
}

/** A user is an admin only if the roles include Admin (specification, section 6). */
export function isAdmin(user: SignedInUser | null): boolean {
  return user?.roles.includes('Admin') ?? false;
}

/** Auditors and admins may replay the history of any reader. */
export function mayAudit(user: SignedInUser | null): boolean {
  return user?.roles.some((role) => role === 'Auditor' || role === 'Admin') ?? false;
}
