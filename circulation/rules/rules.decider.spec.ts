import type { RuleSet } from '#contracts/rules/rule-set.js';
import { refusalOf } from '../../test-support/product/decider-specification.js';
import { BORROW_POLICY, borrowRules, numbersFor, numbersForBook } from './borrow.policy.js';
import { RuleBook, ruleSetOf } from './rule-book.js';
import { decideRules, MIN_LEAD_TIME, RULES_MAX_AGE, type RulesCommand } from './rules.decider.js';

const ADMIN = 'c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a22';
const AT = '2026-11-23T09:00:00.000Z';
const DEFAULT = ruleSetOf(BORROW_POLICY);
const dearer = (finePerBookAndDay: number): RuleSet => ({ ...DEFAULT, finePerBookAndDay });
const change = (rules: RuleSet, from: string | null = null, after = 1, at = AT): RulesCommand => ({
  ...{ type: 'ChangeRules', rules, from, after, changedBy: ADMIN, at },
});
const withdraw = (version: number, at = AT): RulesCommand => ({
  ...{ type: 'WithdrawRules', version, withdrawnBy: ADMIN, at },
});
function after(...commands: RulesCommand[]): RuleBook {
  let book = RuleBook.empty;
  for (const command of commands) {
    for (const event of decideRules(book, command, 'Europe/Warsaw')) book = book.with(event);
  }
  return book;
}
const refusal = (...commands: RulesCommand[]) => refusalOf(() => after(...commands))?.code;
const later = (milliseconds: number) => new Date(Date.parse(AT) + milliseconds).toISOString();

describe('changing the rules', () => {
  it('gives them the next number, and lets them begin when every process knows them', () => {
    const book = after(change(dearer(75)));
    expect(book.changes).toMatchObject([
      { policy: { version: 2, finePerBookAndDay: 75 }, from: later(MIN_LEAD_TIME) },
    ]);
    expect(book.inForceAt(later(MIN_LEAD_TIME - 1)).version).toBe(1);
    expect(book.inForceAt(later(MIN_LEAD_TIME)).version).toBe(2);
    expect(MIN_LEAD_TIME).toBeGreaterThan(RULES_MAX_AGE);
  });
  it('can be prepared for a day to come, which begins at its midnight in the library', () => {
    const book = after(change(dearer(75), '2026-12-01'));
    expect(book.inForceAt('2026-11-30T22:59:59.999Z').version).toBe(1);
    expect(book.inForceAt('2026-11-30T23:00:00.000Z').version).toBe(2);
  });
  it('leaves what was prepared in its place: it begins on its day', () => {
    const book = after(change(dearer(75), '2026-12-01'), change(dearer(60), null, 2));
    expect(book.inForceAt('2026-11-24T09:00:00.000Z').version).toBe(3);
    expect(book.inForceAt('2026-12-02T09:00:00.000Z').version).toBe(2);
  });
  it('is refused backwards, without a change, and where somebody else changed them since', () => {
    expect(refusal(change(dearer(75), '2026-11-23'))).toBe('RulesTooSoon');
    expect(refusal(change(dearer(75), '2026-11-22'))).toBe('RulesTooSoon');
    expect(refusal(change({ ...DEFAULT, closedDays: [] }))).toBe('RulesUnchanged');
    expect(refusal(change(dearer(75)), change(dearer(80)))).toBe('RulesChangedMeanwhile');
  });
  it('is refused without a change, in whatever order the rules were typed', () => {
    const child = { reader: 'child', book: null, numbers: { loanDays: 28, maxRenewals: 5 } } as const;
    const short = { reader: null, book: 'short-loan', numbers: { loanDays: 3 } } as const;
    const [may, june] = ['05', '06'].map((month) => ({ from: `2027-${month}-01`, to: `2027-${month}-03` }));
    const week = [null, ...Array.from({ length: 6 }, () => ({ opens: '09:00', closes: '18:00' }))];
    const rules = { ...DEFAULT, week, exceptions: [child, short], closedDays: [may, june] } as RuleSet;
    const reordered = Object.entries({
      ...rules,
      exceptions: [short, { ...child, numbers: { maxRenewals: 5, loanDays: 28 } }],
      closedDays: [june, may],
    }).reverse();
    const again = (next: object) => refusal(change(rules), change(next as RuleSet, null, 2));
    expect(again(Object.fromEntries(reordered))).toBe('RulesUnchanged');
    const later = week.map((day) => day && { ...day, closes: '19:00' });
    for (const other of [{ exceptions: [child] }, { closedDays: [may] }, { week: null }, { week: later }])
      expect(again({ ...rules, ...other })).toBeUndefined();
  });
  it('can be withdrawn before it comes, and never afterwards', () => {
    const prepared = change(dearer(75), '2026-12-01');
    const book = after(prepared, withdraw(2), withdraw(2));
    expect(book.inForceAt('2026-12-02T09:00:00.000Z').version).toBe(1);
    expect(book.policyOf(2)?.finePerBookAndDay).toBe(75);
    expect(book.changes[0]?.withdrawn).toEqual({ by: ADMIN, at: AT });
    expect(refusal(prepared, withdraw(2, '2026-11-30T22:59:00.000Z'))).toBe('RulesInForce');
    expect(refusal(withdraw(1))).toBe('RulesInForce');
    expect(refusal(withdraw(2))).toBe('RulesNotFound');
    expect(after(prepared, withdraw(2), change(dearer(75), null, 2)).latest).toBe(3);
  });
});

describe('the numbers for kinds', () => {
  it('are unknown for a version that is not in the log', () => {
    expect(refusalOf(() => borrowRules('UTC').of(2))?.code).toBe('HistoryUnreadable');
    expect(borrowRules('UTC').of(undefined).version).toBe(1);
  });
  it('are what is said of both, else of the book, else of the reader, else of all', () => {
    const policy = {
      ...BORROW_POLICY,
      exceptions: [
        { reader: 'child', book: 'short-loan', numbers: { loanDays: 2 } },
        { reader: null, book: 'short-loan', numbers: { loanDays: 3, maxRenewals: 0 } },
        { reader: 'child', book: null, numbers: { loanDays: 28, finePerBookAndDay: 0, maxRenewals: 5 } },
      ] satisfies RuleSet['exceptions'],
    };
    expect(numbersFor(policy)).toMatchObject({ loanDays: 14, finePerBookAndDay: 50 });
    expect(numbersFor(policy, 'child')).toMatchObject({ loanDays: 28, finePerBookAndDay: 0 });
    expect(numbersFor(policy, 'adult', 'short-loan')).toMatchObject({ loanDays: 3, finePerBookAndDay: 50 });
    expect(numbersFor(policy, 'child', 'short-loan')).toMatchObject({
      ...{ loanDays: 2, maxRenewals: 0, finePerBookAndDay: 0 },
    });
  });
  it('are those of the first kind for a book that names none, and a limit of the reader for them whatever the book', () => {
    const exceptions: RuleSet['exceptions'] = [{ reader: null, book: 'loanable', numbers: { loanDays: 21 } }];
    const policy = { ...BORROW_POLICY, exceptions };
    expect(numbersForBook(policy).loanDays).toBe(21);
    expect(numbersForBook(policy, 'child', 'short-loan').loanDays).toBe(14);
    expect(numbersFor(policy, 'child').loanDays).toBe(14);
  });
});
