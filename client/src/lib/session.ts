import { signedInUserSchema, type SignedInUser } from '#contracts/accounts/account-views.js';
import { allows, AUDITING } from '#contracts/allows.js';
import type { Call } from '#contracts/call.js';
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
  /** Somebody gave or took rights; the token stays what it was, since the server looks at the account. */
  changeRights(rights: Pick<SignedInUser, 'roles' | 'permissions'>, mustAddSecondFactor = false) {
    const user = store.get();
    if (!user) return;
    const { roles, permissions } = rights;
    const areSame = user.roles.join() === roles.join() && user.permissions.join() === permissions.join();
    if (areSame && mustAddSecondFactor === needsSecondFactor(user)) return;
    session.begin({ ...user, roles, permissions, mustAddSecondFactor });
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

/** Whether somebody works here: whether they may do anything beside what readers do. */
export function isOfStaff(user: SignedInUser | null): user is SignedInUser {
  return user !== null && user.permissions.length > 0;
}

/** Whether somebody's work is in the admin area: of an auditor it all is in theirs. */
export function worksInAdminArea(user: SignedInUser | null): boolean {
  if (!isOfStaff(user)) return false;
  const { permissions } = user;
  return !permissions.includes('audit') || permissions.some((each) => AUDITING.every((one) => one !== each));
}

/** Whether somebody may make one of these calls. Nobody is shown what they may not do. */
export function mayMake(user: SignedInUser | null, ...calls: readonly Pick<Call, 'may'>[]): boolean {
  return user !== null && calls.some(({ may }) => allows(may, user.permissions));
}

/** The same of whoever is signed in. */
export function useMay(...calls: readonly Pick<Call, 'may'>[]): boolean {
  return mayMake(useUser(), ...calls);
}

/** Whether whoever is signed in may make a call for others too. */
export function useMayForOthers({ forOthers = [] }: Pick<Call, 'forOthers'>): boolean {
  return allows(forOthers, useUser()?.permissions ?? []);
}
