import * as m from '#words/messages.js';
import { served } from './library.js';

// A page of no server has the numbers of the specification.
const servedNumber = (name: string, otherwise: number) => {
  const text = served(name);
  return /^\d+$/.test(text) ? Number(text) : otherwise;
};

/** How readers reach the library; empty where nothing is said. */
export const contact = () => served('contact');

const days = (number: number) => (number === 1 ? '1 day' : `${number} days`);

/** "14 days": how long a book may be kept, by the rules in force. */
export const loanPeriod = () => days(servedNumber('loan-days', 14));

/**
 * The library's own rules, a line each; where it has none, those of the specification (section 1), with the numbers of the rules
 * in force.
 */
export function usageRules(): readonly string[] {
  const own = served('house-rules')
    .split('\n')
    .filter((rule) => rule.trim() !== '');
  if (own.length > 0) return own;
  const renewal = servedNumber('renewals', 2) > 0 ? ', with renewal possible' : '';
  return [
    m.common_rule_of_thesis(),
    'You must be registered to borrow books.',
    'Books must be returned on time to avoid late fees and penalties.',
    'All borrowing history is tracked.',
    'Fines apply for lost or damaged books.',
    m.common_rule_of_development(),
    m.common_rule_of_data(),
    'Please report issues and feedback to the library administrator.',
    `Books can be borrowed for at most ${loanPeriod()}${renewal}.`,
    'Please do not monopolise popular books.',
    'Quiet reading, studying and group use of the spaces are encouraged.',
  ].filter(Boolean);
}
