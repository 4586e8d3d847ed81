import { daysBetween, localDay } from '#contracts/local-day.js';
import type { BorrowRules } from './borrow.policy.js';

/** A copy that is out: with a reader until a day, or kept for one, who may then have it for the whole of a loan. */
export interface CopyOut {
  /** ISO 8601 in UTC. */
  until: string;
  isKept: boolean;
}

/**
 * In about how many days a copy may be free for somebody, if everybody brings back what he has on its last day and who stands
 * before him keeps it for the whole of a loan. What is overdue says nothing: it is left out.
 * @param out the title's copies that are out
 * @param ahead how many wait before him
 * @returns null where nobody can say
 */
export function estimateDays(
  out: readonly CopyOut[],
  ahead: number,
  at: string,
  { timeZone, loanDays }: BorrowRules,
): number | null {
  const today = localDay(at, timeZone);
  const free = out
    .map(({ until, isKept }) => daysBetween(today, localDay(until, timeZone)) + (isKept ? loanDays : 0))
    .filter((days) => days >= 0);
  if (free.length === 0) return null;
  for (let before = 0; before < ahead; before += 1) {
    const first = free.indexOf(Math.min(...free));
    free[first] = (free[first] ?? 0) + loanDays;
  }
  return Math.min(...free);
}
