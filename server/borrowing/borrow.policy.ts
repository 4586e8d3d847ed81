/** The numbers of the borrow rules. Data with a version: every charge records the version it used. */
export interface BorrowPolicy {
  version: number;
  /** Days from issue until due (specification, section 9: at most 14). */
  loanDays: number;
  /** Days that a rented borrow waits at the desk. */
  collectDays: number;
  /** How often a borrow may be renewed, `loanDays` each time. */
  maxRenewals: number;
  /** Books that one reader may have rented or issued at once ("users should not monopolise popular books"). */
  maxBooksPerReader: number;
  /** Fee per book and started day late, in grosze. */
  finePerBookAndDay: number;
  /** Most that one borrow can cost, in grosze. */
  fineCap: number;
}

export const BORROW_POLICY: BorrowPolicy = {
  version: 1,
  loanDays: 14,
  collectDays: 3,
  maxRenewals: 2,
  maxBooksPerReader: 10,
  finePerBookAndDay: 50,
  fineCap: 5000,
};
