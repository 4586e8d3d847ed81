import * as m from '#words/messages.js';
import { served } from './library.js';

// A page of no server has the numbers of the specification.
const servedNumber = (name: string, otherwise: number) => {
  const text = served(name);
  return /^\d+$/.test(text) ? Number(text) : otherwise;
};

/** How readers reach the library; empty where nothing is said. */
export const contact = () => served('contact');

/** How long a book may be kept, by the rules in force. */
export const loanDays = () => servedNumber('loan-days', 14);

/**
 * The library's own rules, a line each; where it has none, those of the specification (section 1), with the numbers of the rules
 * in force.
 */
export function usageRules(): readonly string[] {
  const own = served('house-rules')
    .split('\n')
    .filter((rule) => rule.trim() !== '');
  if (own.length > 0) return own;
  const ofLoans = servedNumber('renewals', 2) > 0 ? m.house_rules_loan_renewable : m.house_rules_loan;
  return [
    m.common_rule_of_thesis(),
    m.house_rules_registered(),
    m.house_rules_on_time(),
    m.house_rules_history(),
    m.house_rules_lost(),
    m.common_rule_of_development(),
    m.common_rule_of_data(),
    m.house_rules_feedback(),
    ofLoans({ count: loanDays() }),
    m.house_rules_popular(),
    m.house_rules_quiet(),
  ].filter(Boolean);
}
