import fc from 'fast-check';
import { addDays } from '#contracts/local-day.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import { borrowRules } from '../rules/borrow.policy.js';
import { copiesNeeded, estimateDays } from './hold-estimate.js';

const TODAY = '2026-11-23';
const AT = `${TODAY}T09:00:00.000Z`;

const copiesOut = fc.array(
  fc.record({
    until: fc.integer({ min: -5, max: 40 }).map((days) => `${addDays(TODAY, days)}T12:00:00.000Z`),
    isKept: fc.boolean(),
  }),
  { maxLength: 6 },
);

describe('how many copies are lacking', () => {
  it('is the fewest with which the last one who waits waits no longer than was asked for', () => {
    forAll(
      [
        copiesOut,
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 45 }),
        fc.integer({ min: 1, max: 40 }),
      ],
      {},
      (out, ahead, within, loanDays) => {
        const rules = { ...borrowRules('UTC'), loanDays };
        const waitWith = (more: number) => {
          const onShelf = Array.from({ length: more }, () => ({ until: AT, isKept: false }));
          return estimateDays([...out, ...onShelf], ahead, AT, rules);
        };
        const found = copiesNeeded(out, ahead, AT, rules, within);
        expect(waitWith(found) ?? Infinity).toBeLessThanOrEqual(within);
        for (let fewer = 0; fewer < found; fewer += 1)
          expect(waitWith(fewer) ?? Infinity).toBeGreaterThan(within);
      },
    );
  });

  it('is one a reader where a loan takes longer than anybody is to wait', () => {
    const rules = { ...borrowRules('UTC'), loanDays: 30 };
    expect(copiesNeeded([], 2, AT, rules, 14)).toBe(3);
    const backInTenDays = { until: `${addDays(TODAY, 10)}T12:00:00.000Z`, isKept: false };
    expect(copiesNeeded([backInTenDays], 2, AT, rules, 14)).toBe(2);
  });
});
