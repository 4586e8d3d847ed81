import * as m from '#words/messages.js';
import { DomainError } from '#contracts/domain-error.js';
import { localDay, startOfDay } from '#contracts/local-day.js';
import type { RuleEvent } from '#contracts/rules/rule-events.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import { ruleSetOf, type RuleBook } from './rule-book.js';

/**
 * Milliseconds between a change and its beginning, at least: in that time every process learns of it or stops deciding
 * (`RULES_MAX_AGE`), so nothing is decided by rules that are over.
 */
export const MIN_LEAD_TIME = 120_000;
/** Milliseconds for which a process that has read the rules decides by them. */
export const RULES_MAX_AGE = 60_000;

/** `at` is the instant of the command, ISO 8601 in UTC. */
export type RulesCommand =
  | {
      type: 'ChangeRules';
      rules: RuleSet;
      /** The day of the library on which they begin; null for as soon as may be. */
      from: string | null;
      /** The latest version that was known to whoever changes them. */
      after: number;
      changedBy: string;
      at: string;
    }
  | { type: 'WithdrawRules'; version: number; withdrawnBy: string; at: string };

/** @throws DomainError RulesChangedMeanwhile, RulesUnchanged, RulesTooSoon; RulesNotFound, RulesInForce */
export function decideRules(book: RuleBook, command: RulesCommand, timeZone: string): RuleEvent[] {
  return command.type === 'ChangeRules' ? change(book, command, timeZone) : withdraw(book, command);
}

function change(
  book: RuleBook,
  { rules, from: day, after, changedBy, at }: Extract<RulesCommand, { type: 'ChangeRules' }>,
  timeZone: string,
): RuleEvent[] {
  if (after !== book.latest) {
    throw new DomainError('RulesChangedMeanwhile', m.rules_changed_since({ version: book.latest }));
  }
  const earliest = Date.parse(at) + MIN_LEAD_TIME;
  const beginning = day === null ? earliest : startOfDay(day, timeZone);
  if (beginning < earliest) {
    throw new DomainError('RulesTooSoon', m.rules_past_after({ today: localDay(at, timeZone) }));
  }
  const from = new Date(beginning).toISOString();
  if (isSame(ruleSetOf(book.inForceAt(from)), rules)) {
    throw new DomainError('RulesUnchanged', m.rules_unchanged());
  }
  const version = book.latest + 1;
  return [{ type: 'RulesChanged', data: { version, from, rules, changedBy, changedAt: at } }];
}

function withdraw(
  book: RuleBook,
  { version, withdrawnBy, at }: Extract<RulesCommand, { type: 'WithdrawRules' }>,
): RuleEvent[] {
  const changed = book.changes.find(({ policy }) => policy.version === version);
  if (!changed) {
    const detail = book.policyOf(version)
      ? m.rules_version_from_start({ version })
      : m.rules_version_unknown({ version });
    throw new DomainError(book.policyOf(version) ? 'RulesInForce' : 'RulesNotFound', detail);
  }
  if (changed.withdrawn) return [];
  if (Date.parse(changed.from) - Date.parse(at) < MIN_LEAD_TIME) {
    throw new DomainError('RulesInForce', m.rules_version_begun({ version }));
  }
  return [{ type: 'RulesWithdrawn', data: { version, withdrawnBy, withdrawnAt: at } }];
}

function isSame(one: RuleSet, other: RuleSet): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** The same whatever the order in which it was typed. */
function sorted(rules: RuleSet): unknown {
  return {
    ...Object.fromEntries(Object.entries(rules).sort(([one], [other]) => (one < other ? -1 : 1))),
    exceptions: rules.exceptions
      .map(({ reader, book, numbers }) => [
        reader,
        book,
        Object.entries(numbers).sort(([one], [other]) => (one < other ? -1 : 1)),
      ])
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    closedDays: rules.closedDays.map(({ from, to }) => `${from} ${to}`).sort(),
    week: rules.week?.map((day) => day && `${day.opens} ${day.closes}`) ?? null,
  };
}
