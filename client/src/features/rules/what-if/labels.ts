import * as m from '#words/messages.js';
import { money } from '#contracts/money.js';
import type { RelaxedLimit, SimulationAnswer } from '#contracts/rules/what-if.js';
import { inGroups } from '../../../lib/texts.js';

/** Why nobody can tell what a looser limit would have allowed. */
export const RELAXED_LIMIT_LABELS: Record<RelaxedLimit, { name: string; why: string }> = {
  books: {
    name: m.what_if_relaxed_books(),
    why: m.what_if_relaxed_books_why(),
  },
  holds: {
    name: m.what_if_relaxed_holds(),
    why: m.what_if_relaxed_holds_why(),
  },
  renewals: {
    name: m.what_if_relaxed_renewals(),
    why: m.what_if_relaxed_renewals_why(),
  },
  'collect-days': {
    name: m.what_if_relaxed_collect_days(),
    why: m.what_if_relaxed_collect_days_why(),
  },
  fees: {
    name: m.what_if_relaxed_fees(),
    why: m.what_if_relaxed_fees_why(),
  },
};

export const LIMIT_NAMES = {
  books: m.what_if_limit_books(),
  holds: m.what_if_limit_holds(),
  renewals: m.what_if_limit_renewals(),
  fees: m.what_if_limit_fees(),
} as const;

const HOURS_OF_DAY = 24;

/** "6 hours", "9.5 days". */
export function waitOf(hours: number): string {
  if (hours < 2 * HOURS_OF_DAY) return m.what_if_hours({ count: Math.round(hours) });
  return m.what_if_days({ count: hours / HOURS_OF_DAY });
}

/** How a figure would have been another: "+12.50 PLN (+4 %)", "−3", "the same". */
export function difference(
  { real, simulated }: { real: number; simulated: number },
  told: (size: number) => string = inGroups,
): string {
  const by = simulated - real;
  if (by === 0) return m.what_if_no_difference();
  const sign = by > 0 ? '+' : '−';
  const share = real > 0 ? ` (${sign}${Math.round((100 * Math.abs(by)) / real)} %)` : '';
  return `${sign}${told(Math.abs(by))}${share}`;
}

export const inMoney = (grosze: number) => (grosze < 0 ? `−${money(-grosze)}` : money(grosze));

/** What it comes to, in a sentence. */
export function answerText({ fees, readers, changedReaders }: SimulationAnswer): string {
  const [was, willBe] = [inMoney(fees.real), inMoney(fees.simulated)];
  const isSame = fees.real === fees.simulated;
  if (changedReaders === 0)
    return isSame ? m.what_if_answer_same({ was }) : m.what_if_answer_other({ was, willBe });
  const changed = { changed: changedReaders, readers };
  return isSame
    ? m.what_if_answer_same_some({ ...changed, was })
    : m.what_if_answer_other_some({ ...changed, was, willBe });
}
