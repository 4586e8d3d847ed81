import { money } from '#contracts/money.js';
import type { RelaxedLimit, SimulationAnswer } from '#contracts/rules/what-if.js';
import { counted, inGroups } from '../../../lib/texts.js';

/** Why nobody can tell what a looser limit would have allowed. */
export const RELAXED_LIMIT_LABELS: Record<RelaxedLimit, { name: string; why: string }> = {
  books: {
    name: 'More books at a time',
    why: 'Rents refused for exceeding the limit are not in the log.',
  },
  holds: {
    name: 'More holds at a time',
    why: 'Refused reservations are not in the log.',
  },
  renewals: {
    name: 'More renewals, or earlier ones',
    why: 'Readers who could not renew brought the book back. Whether they would have kept it is not known.',
  },
  'collect-days': {
    name: 'More days to collect',
    why: 'A book not collected in time went to somebody else. Whether it would have been collected later is not known.',
  },
  fees: {
    name: 'Lower fees, or none',
    why: 'Rents refused for an unpaid fee are not in the log.',
  },
};

export const LIMIT_NAMES = {
  books: 'Rents of too many books',
  holds: 'Reservations of too many titles',
  renewals: 'Renewals: used up, too early or too late, or with a fee owed',
  fees: 'Rents with a fee owed',
} as const;

const HOURS_OF_DAY = 24;

/** "6 hours", "9.5 days". */
export function waitOf(hours: number): string {
  if (hours < 2 * HOURS_OF_DAY) return counted(Math.round(hours), 'hour', 'hours');
  return `${(hours / HOURS_OF_DAY).toFixed(1)} days`;
}

/** How a figure would have been another: "+12.50 PLN (+4 %)", "−3", "the same". */
export function difference(
  { real, simulated }: { real: number; simulated: number },
  told: (size: number) => string = inGroups,
): string {
  const by = simulated - real;
  if (by === 0) return 'the same';
  const sign = by > 0 ? '+' : '−';
  const share = real > 0 ? ` (${sign}${Math.round((100 * Math.abs(by)) / real)} %)` : '';
  return `${sign}${told(Math.abs(by))}${share}`;
}

export const inMoney = (grosze: number) => (grosze < 0 ? `−${money(-grosze)}` : money(grosze));

/** What it comes to, in a sentence. */
export function answerText({ fees, readers, changedReaders }: SimulationAnswer): string {
  const [was, willBe] = [inMoney(fees.real), inMoney(fees.simulated)];
  const sums =
    fees.real === fees.simulated
      ? `Late fees would have come to the same, ${was}`
      : `Late fees would have come to ${willBe} instead of ${was}`;
  return changedReaders === 0
    ? `${sums}, for every reader as it was.`
    : `${sums}; ${inGroups(changedReaders)} of ${counted(readers, 'reader', 'readers')} would have had different ones.`;
}
