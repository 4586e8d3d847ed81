/** The numbers of the borrow rules. Data with a version: every charge records the version it used. */
export interface BorrowPolicy {
  version: number;
  /** Days from issue until due (specification, section 9: at most 14). */
  loanDays: number;
  /** Days that a rented borrow waits at the desk. */
  collectDays: number;
  /** How often a borrow may be renewed, `loanDays` each time. */
  maxRenewals: number;
  /** Maximum of books rented or issued at once per reader ("users should not monopolise popular books"). */
  maxBooksPerReader: number;
  /** Fee per book and started day late, in grosze. */
  finePerBookAndDay: number;
  /** Maximum fee of one borrow, in grosze. */
  fineCap: number;
}

/**
 * All versions of the rules. A version that events refer to is never changed or removed: a change of the rules is a new
 * version, so that each fee can always be explained by the rules that made it.
 */
const BORROW_POLICIES = {
  1: {
    version: 1,
    loanDays: 14,
    collectDays: 3,
    maxRenewals: 2,
    maxBooksPerReader: 10,
    finePerBookAndDay: 50,
    fineCap: 5000,
  },
} as const satisfies Record<number, BorrowPolicy>;

/** The current rules. */
export const BORROW_POLICY: BorrowPolicy = BORROW_POLICIES[1];

/** The rules of a version, `undefined` if this release does not know it. */
export function policyOfVersion(version: number): BorrowPolicy | undefined {
  return (BORROW_POLICIES as Record<number, BorrowPolicy>)[version];
}
