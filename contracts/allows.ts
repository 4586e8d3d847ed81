import type { Allowed, Permission } from './permissions.js';

/** What auditors may do. */
export const AUDITING: readonly Permission[] = ['till', 'audit', 'insight', 'rules'];

/** Whether somebody with these permissions may make a call that `may` be made so. */
export function allows(may: readonly Allowed[], permissions: readonly Permission[]): boolean {
  return may.some(
    (each) => each === 'Everybody' || each === 'SignedIn' || permissions.some((own) => own === each),
  );
}
