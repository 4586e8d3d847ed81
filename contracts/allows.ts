/** What auditors may do. */
export const AUDITING = ['till', 'audit', 'insight', 'rules'] as const;

/** Whether somebody with these permissions may make a call that `may` be made so. */
export function allows(may: readonly string[], permissions: readonly string[]): boolean {
  return may.some(
    (each) => each === 'Everybody' || each === 'SignedIn' || permissions.some((own) => own === each),
  );
}
