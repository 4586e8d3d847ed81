import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import {
  BORROW,
  books,
  borrowAfter,
  borrowsIn,
  but,
  charged,
  day,
  end,
  expired,
  found,
  gone,
  issue,
  issued,
  paid,
  renew,
  rented,
  renewed,
  returned,
} from '../../test-support/arbitraries/borrow-history.js';
import { casesOf } from '../../test-support/product/decider-specification.js';
import { BORROW_POLICY, borrowRules, rulesIn, type BorrowPolicy } from '../rules/borrow.policy.js';
import { availableActions } from './borrow.decider.js';

const RULES = borrowRules('UTC');
const rulesWith = (changes: Partial<BorrowPolicy>) => {
  const policy = { ...BORROW_POLICY, version: 2, ...changes };
  return rulesIn('UTC', policy, () => policy);
};
const lent = [rented(), issued()];
const late = [...lent, charged(200, 200, 2, day(18))];
const part = [rented(), issued(BORROW, [1])];
const lost = [...lent, gone('BookLost')];

describe('what a borrow allows', () => {
  // spec 4.12
  it.each<[what: string, history: BorrowEvent[], at: string, actions: string]>([
    ['rented', [rented()], day(1), 'issue cancel'],
    ['issued, on the same day', lent, day(2), 'return take-back mark-lost'],
    ['issued', lent, day(10), 'return renew take-back mark-lost'],
    ['issued, on its due day', lent, day(16), 'return renew take-back mark-lost'],
    ['issued in part', part, day(10), 'issue return renew cancel take-back mark-lost'],
    [
      'renewed twice',
      [...lent, renewed(end(24)), renewed(end(26))],
      day(14),
      'return renew-beyond take-back mark-lost',
    ],
    ['issued in part, which is back', [...part, returned(day(9), [1])], day(10), 'issue cancel'],
    ['late, not charged yet', lent, day(17), 'return take-back mark-lost'],
    ['charged', late, day(18), 'pay take-back waive mark-lost'],
    [
      'charged, in part at the desk',
      [...part, charged(100, 100, 2, day(18))],
      day(18),
      'pay cancel take-back waive mark-lost',
    ],
    ['paid', [...late, paid(200)], day(18), 'return take-back mark-lost'],
    ['expired', [rented(), expired()], day(6), ''],
    ['returned', [...lent, returned()], day(15), ''],
    ['lost in part', lost, day(10), 'pay take-back waive mark-lost mark-found'],
    ['damaged in part', [...lent, gone('BookDamaged')], day(10), 'pay take-back waive mark-lost'],
    [
      'paid for and found',
      [...lost, paid(4990), found(day(10))],
      day(10),
      'return renew take-back mark-lost refund',
    ],
  ])('%s', (_what, history, at, actions) => {
    expect(availableActions(borrowAfter(...history), at, RULES).join(' ')).toBe(actions);
  });
});

describe('renewing under other rules', () => {
  const version = { policyVersion: 2 };
  const byNewRules = [but(rented(), version), but(issued(), version)];
  const fromThirteenth = rulesWith({ renewableDaysBefore: 3 });
  const [before, from] = [day(12, '23:59:59.999'), day(13, '00:00:00.000')];
  casesOf(borrowsIn('UTC', fromThirteenth), [
    ['is refused before the day from which they allow it', byNewRules, renew(before), 'RenewalTooEarly'],
    ['is allowed from that day on', byNewRules, renew(from), [but(renewed(end(27), from), version)]],
  ]);
  it('is offered from that day on', () => {
    const borrow = borrowAfter(...byNewRules);
    expect(availableActions(borrow, before, fromThirteenth)).toContain('renew-beyond');
    expect(availableActions(borrow, from, fromThirteenth)).toContain('renew');
  });

  // The first of the two books may be kept for seven days, and renewed once.
  const kinds = rulesWith({
    exceptions: [{ reader: null, book: 'short-loan', numbers: { loanDays: 7, maxRenewals: 1 } }],
  });
  const shortLoan = { bookId: 1, title: 'Book 1', kind: 'short-loan' as const };
  const mixed = but(rented(), { books: [shortLoan, ...books(2)], ...version });
  const mixedIssued = but(issued(), { dueDate: end(9), ...version });
  const mixedLent = [mixed, mixedIssued];
  const once = but(renewed(end(16), day(9)), version);
  casesOf(borrowsIn('UTC', kinds), [
    ['of several kinds is by the shortest book', mixedLent, renew(day(9)), [once]],
    [
      'of several kinds is lent as those that are handed over',
      [mixed],
      issue([2]),
      [but(issued(BORROW, [2]), version)],
    ],
    ['of several kinds is lent as the shortest book', [mixed], issue(), [mixedIssued]],
    ['of several kinds is late as the shortest book', mixedLent, renew(day(10)), 'BorrowOverdue'],
    [
      'of several kinds is as often as the shortest book',
      [...mixedLent, once],
      renew(day(10)),
      'RenewalsUsedUp',
    ],
  ]);
});
