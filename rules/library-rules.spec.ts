import { jest } from '@jest/globals';
import { PROBLEMS } from '#contracts/problem.js';
import type { RuleEvent } from '#contracts/rules/rule-events.js';
import { BORROW_POLICY } from '#circulation/rules/borrow.policy.js';
import { ruleSetOf } from '#circulation/rules/rule-book.js';
import { RULES_MAX_AGE } from '#circulation/rules/rules.decider.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { LibraryRules } from './library-rules.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';

const AT = '2026-11-23T09:00:00.000Z';
const CHANGED: RuleEvent = {
  type: 'RulesChanged',
  data: {
    ...{ version: 2, from: '2026-11-23T08:00:00.000Z', changedAt: '2026-11-23T07:00:00.000Z' },
    ...{
      rules: { ...ruleSetOf(BORROW_POLICY), loanDays: 7 },
      changedBy: '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11',
    },
  },
};

describe('the rules in a process', () => {
  let now = 1_000_000;
  beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => now));
  afterEach(() => jest.restoreAllMocks());

  it('are decided by for a minute after the last look at the log, and shown on; the next look makes them known again', async () => {
    let stored: RuleEvent[] | undefined = [];
    const readStream = async () => {
      if (!stored) throw new Error('the log is away');
      return stored.map((event) => ({ id: 'x', event }));
    };
    const log = { readStream } as unknown as EventLog;
    const rules = new LibraryRules(new LibraryTimeZone('Europe/Warsaw'), log);
    const unknown = expect.objectContaining({ code: 'RulesUnknown' }) as Error;
    // Before the first look nothing is decided: there may be rules that nobody here has read.
    expect(() => rules.at(AT)).toThrow(unknown);
    await rules.look();
    expect(rules.at(AT)).toMatchObject({ version: 1, loanDays: 14 });

    stored = undefined;
    now += RULES_MAX_AGE;
    await rules.look();
    expect(rules.at(AT).version).toBe(1);
    now += 1;
    expect(() => rules.at(AT)).toThrow(unknown);
    expect(rules.shownAt(AT).version).toBe(1);
    expect(PROBLEMS.RulesUnknown).toBe(503);

    stored = [CHANGED];
    await rules.look();
    expect(rules.at(AT)).toMatchObject({ version: 2, loanDays: 7 });
  });
});
