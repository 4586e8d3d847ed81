import { RULE_EVENTS, type RuleEvent } from '#contracts/rules/rule-events.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import {
  BORROW_POLICY,
  policyOfVersion,
  rulesIn,
  type BorrowPolicy,
  type BorrowRules,
} from './borrow.policy.js';

/** A version of the rules that the log has. Times are ISO 8601 in UTC. */
export interface ChangedRules {
  readonly policy: BorrowPolicy;
  readonly from: string;
  readonly changedBy: string;
  readonly changedAt: string;
  readonly withdrawn?: { readonly by: string; readonly at: string };
}

/**
 * All versions of the rules, and which is in force when. Of those that have begun it is the one that began last, so what was
 * prepared for a day begins on it, whatever was changed since it was prepared.
 */
export class RuleBook {
  static readonly empty = new RuleBook([]);
  private rules: { timeZone: string; of: Map<number, BorrowRules> } | undefined;

  private constructor(readonly changes: readonly ChangedRules[]) {}

  static of(events: Iterable<RuleEvent>): RuleBook {
    let book = RuleBook.empty;
    for (const event of events) book = book.with(event);
    return book;
  }

  with({ type, data }: RuleEvent): RuleBook {
    if (type === 'RulesWithdrawn') {
      const withdrawn = { by: data.withdrawnBy, at: data.withdrawnAt };
      return new RuleBook(
        this.changes.map((each) => (each.policy.version === data.version ? { ...each, withdrawn } : each)),
      );
    }
    const { version, rules, from, changedBy, changedAt } = data;
    return new RuleBook([...this.changes, { policy: { version, ...rules }, from, changedBy, changedAt }]);
  }

  /** The highest number that a version has. */
  get latest(): number {
    return this.changes.at(-1)?.policy.version ?? BORROW_POLICY.version;
  }

  /** The rules of a version, withdrawn or not; `undefined` of one that never was. */
  policyOf(version: number): BorrowPolicy | undefined {
    return policyOfVersion(version) ?? this.changes.find(({ policy }) => policy.version === version)?.policy;
  }

  /** @param at an instant, ISO 8601 in UTC */
  inForceAt(at: string): BorrowPolicy {
    if (this.changes.length === 0) return BORROW_POLICY;
    const now = Date.parse(at);
    let [last, policy] = [-Infinity, BORROW_POLICY];
    for (const each of this.changes) {
      const from = Date.parse(each.from);
      if (each.withdrawn || from > now || from < last) continue;
      [last, policy] = [from, each.policy];
    }
    return policy;
  }

  /** The rules in force at an instant, in a library of this time zone. */
  rulesAt(at: string, timeZone: string): BorrowRules {
    const known =
      this.rules?.timeZone === timeZone ? this.rules : { timeZone, of: new Map<number, BorrowRules>() };
    this.rules = known;
    const policy = this.inForceAt(at);
    let rules = known.of.get(policy.version);
    if (!rules) {
      rules = rulesIn(timeZone, policy, (version) => this.policyOf(version));
      known.of.set(policy.version, rules);
    }
    return rules;
  }
}

/** A policy as an admin sets it. */
export function ruleSetOf({ version: _, ...rules }: BorrowPolicy): RuleSet {
  return rules;
}

/** Of the stream of the rules, without decisions to skip events. */
export function isRuleEvent(event: { type: string; data: unknown }): event is RuleEvent {
  return Object.hasOwn(RULE_EVENTS, event.type);
}
