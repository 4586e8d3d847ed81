import { BORROW_POLICY } from '#circulation/rules/borrow.policy.js';
import { ruleSetOf } from '#circulation/rules/rule-book.js';
import type { RulesVersion } from '#contracts/rules/rule-views.js';
import { before, inForceAt, latestOf } from './rule-versions.js';

const version = (number: number, from: string | null, state: RulesVersion['state']): RulesVersion => ({
  ...{ version: number, from, state, rules: ruleSetOf(BORROW_POLICY) },
  ...{ changedAt: null, changedBy: null, why: null, withdrawnAt: null, withdrawnBy: null },
});
const ALL = [
  version(8, '2026-12-15T00:00:00Z', 'coming'),
  version(7, '2026-12-20T00:00:00Z', 'withdrawn'),
  version(6, '2027-01-01T00:00:00Z', 'coming'),
  version(5, '2026-11-01T00:00:00Z', 'current'),
  version(4, null, 'past'),
  version(3, null, 'past'),
];
const at = (time: string, upTo?: number) => inForceAt(ALL, Date.parse(time), upTo)?.version;

describe('versions of the rules', () => {
  it('are in force from their beginning until another begins, in whatever order they were made', () => {
    expect(at('2026-10-31T23:59:59Z')).toBe(4);
    expect(at('2026-11-01T00:00:00Z')).toBe(5);
    expect(at('2026-12-31T00:00:00Z')).toBe(8);
    expect(at('2027-01-01T00:00:00Z')).toBe(6);
    expect(at('2026-12-31T00:00:00Z', 7)).toBe(5);
    expect(latestOf(ALL)).toBe(8);
  });

  it('are compared with what was in force until they began', () => {
    expect(ALL.map((each) => before(ALL, each)?.version)).toEqual([5, 5, 5, 4, 3, undefined]);
  });
});
