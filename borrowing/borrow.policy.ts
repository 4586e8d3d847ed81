/** The numbers of the borrow rules. Data with a version: every charge records the version it used. */
export interface BorrowPolicy {
  version: number;
  /** Days from issue until due (specification, section 9: at most 14). */
  loanDays: number;
  /** Days that a rented borrow waits at the desk. */
  collectDays: number;
  /** How often a borrow may be renewed. */
  maxRenewals: number;
  /** Maximum of books rented or issued at once per reader ("users should not monopolise popular books"). */
  maxBooksPerReader: number;
  /** Fee per book and day late, in grosze. */
  finePerBookAndDay: number;
  /** Maximum fee of one borrow, in grosze. */
  fineCap: number;
  /** Minutes in which what was done at the desk can be undone; not above `RECENT_FOR`. Absent: not at all. */
  undoMinutes?: number;
  /** What is charged for a lost or damaged book that has no price, in grosze. Absent: nothing. */
  lossPrice?: number;
  /** What is charged for one beside its price, for the work with another copy, in grosze. Absent: nothing. */
  lossFee?: number;
  /** Maximum of places that a reader has in the queues of titles. Absent: none. */
  maxHolds?: number;
  /** Days late that cost nothing; who is later than that pays for all of them. Absent: none. */
  graceDays?: number;
}

/** A policy in the library that follows it. */
export interface BorrowRules extends BorrowPolicy {
  /** By whose midnight days begin. */
  timeZone: string;
}

/**
 * All versions of the rules. A version that events refer to is never changed or removed: a change of the rules is a new
 * version, so that each fee can always be explained by the rules that made it.
 * Version 1 counted a day every 24 hours from the due instant, version 2 counts those of the library's calendar. Up to version
 * 2 a renewal added `loanDays` to the due day; by version 3 books are due `loanDays` after the day of the renewal, and never
 * earlier than they were. Before version 3 nothing could be undone, and nothing was charged for lost books. Before version 4
 * nobody could wait for a title.
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
  2: {
    version: 2,
    loanDays: 14,
    collectDays: 3,
    maxRenewals: 2,
    maxBooksPerReader: 10,
    finePerBookAndDay: 50,
    fineCap: 5000,
  },
  3: {
    version: 3,
    loanDays: 14,
    collectDays: 3,
    maxRenewals: 2,
    maxBooksPerReader: 10,
    finePerBookAndDay: 50,
    fineCap: 5000,
    undoMinutes: 10,
    lossPrice: 4000,
    lossFee: 1000,
  },
  4: {
    version: 4,
    loanDays: 14,
    collectDays: 3,
    maxRenewals: 2,
    maxBooksPerReader: 10,
    finePerBookAndDay: 50,
    fineCap: 5000,
    undoMinutes: 10,
    lossPrice: 4000,
    lossFee: 1000,
    maxHolds: 10,
    graceDays: 0,
  },
} as const satisfies Record<number, BorrowPolicy>;

/** The current version. */
export const BORROW_POLICY: BorrowPolicy = BORROW_POLICIES[4];

/** The current rules, in a library of this time zone. */
export function borrowRules(timeZone: string): BorrowRules {
  return { ...BORROW_POLICY, timeZone };
}

/** The rules of a version, `undefined` if this release does not know it. */
export function policyOfVersion(version: number): BorrowPolicy | undefined {
  return (BORROW_POLICIES as Record<number, BorrowPolicy>)[version];
}
