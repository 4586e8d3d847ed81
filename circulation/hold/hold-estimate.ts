import { daysBetween, localDay } from '#contracts/local-day.js';
import type { BorrowRules } from '../rules/borrow.policy.js';

/** A copy that is out: with a reader until a day, or kept for one, who may then have it for the whole of a loan. */
export interface CopyOut {
  /** ISO 8601 in UTC. */
  until: string;
  isKept: boolean;
}

/**
 * In about how many days a copy may be free for somebody, if everybody brings back what they have on its last day and who stands
 * before them keeps it for the whole of a loan. What is overdue says nothing: it is left out.
 * @param out the title's copies that are out
 * @param ahead how many wait before them
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

/**
 * The fewest copies that, were they on the shelf now, would bring the estimate of who has `ahead` before them to `within` days at
 * most. Each serves one reader a loan.
 */
export function copiesNeeded(
  out: readonly CopyOut[],
  ahead: number,
  at: string,
  rules: BorrowRules,
  within: number,
): number {
  const isEnough = (more: number) => {
    const onShelf = Array.from({ length: more }, () => ({ until: at, isKept: false }));
    const days = estimateDays([...out, ...onShelf], ahead, at, rules);
    return days !== null && days <= within;
  };
  // With a copy for each, nobody waits: the fewest are found by halves, as more copies never make it longer.
  let [enough, tooFew] = [ahead + 1, -1];
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
