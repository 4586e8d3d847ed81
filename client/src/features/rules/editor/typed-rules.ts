import * as m from '#words/messages.js';
import type { z } from 'zod';
import { ruleSetSchema, type RuleSet } from '#contracts/rules/rule-set.js';
import { money } from '#contracts/money.js';
import { typedAmount } from '../../../lib/texts.js';
import { daysOf, spansOf } from './closed-days.js';
import { inOrder, RULE_FIELDS, type NumberName, type RuleException, type RuleField } from '../rule-texts.js';

/** The form as it is typed. */
export interface TypedRules {
  numbers: Record<NumberName, string>;
  exceptions: TypedException[];
  /** Whether opening hours are said: else it is open every day. */
  hasHours: boolean;
  /** From Monday to Sunday. */
  week: { isOpen: boolean; opens: string; closes: string }[];
  /** Every day, in order. */
  closed: string[];
}

export interface TypedException extends Pick<RuleException, 'reader' | 'book'> {
  numbers: Partial<Record<NumberName, string>>;
}

/** What is proposed where hours were never said. */
const USUAL = { opens: '09:00', closes: '18:00' };

export function typedOf(rules: RuleSet): TypedRules {
  return {
    numbers: Object.fromEntries(
      RULE_FIELDS.map((field) => [field.name, typedNumber(field, rules[field.name])]),
    ) as TypedRules['numbers'],
    exceptions: inOrder(rules.exceptions).map(({ reader, book, numbers }) => ({
      reader,
      book,
      numbers: Object.fromEntries(
        RULE_FIELDS.flatMap((field) => {
          const value = field.of === 'library' ? undefined : numbers[field.name];
          return value === undefined ? [] : [[field.name, typedNumber(field, value)]];
        }),
      ),
    })),
    hasHours: rules.week !== null,
    week: Array.from({ length: 7 }, (_, n) => {
      const day = rules.week === null ? USUAL : rules.week[n];
      return { isOpen: Boolean(day), ...(day ?? USUAL) };
    }),
    closed: daysOf(rules.closedDays),
  };
}

export function typedNumber({ unit }: RuleField, value: number | null): string {
  if (value === null) return '';
  return unit === 'money' ? typedAmount(value / 100) : String(value);
}

/** What is wrong, by the field's path in the rules: `loanDays`, `exceptions.0.numbers.loanDays`, `week.0.closes`. */
export type RuleErrors = ReadonlyMap<string, string>;
export type Read = { rules: RuleSet; errors: RuleErrors } | { rules?: never; errors: RuleErrors };

/** What was typed, as rules, or what is wrong with it. */
export function rulesOf(typed: TypedRules): Read {
  const errors = new Map<string, string>();
  const read = (field: RuleField, text: string, path: string) => {
    const value = numberOf(text, field);
    if (Number.isNaN(value))
      errors.set(path, field.unit === 'money' ? m.rules_not_an_amount() : m.rules_not_whole());
    return value;
  };
  const wanted = {
    ...Object.fromEntries(
      RULE_FIELDS.map((field) => [field.name, read(field, typed.numbers[field.name], field.name)]),
    ),
    exceptions: typed.exceptions.map(({ reader, book, numbers }, n) => ({
      reader,
      book,
      numbers: Object.fromEntries(
        RULE_FIELDS.flatMap((field) => {
          const text = numbers[field.name];
          const path = `exceptions.${n}.numbers.${field.name}`;
          return text === undefined ? [] : [[field.name, read(field, text, path)]];
        }),
      ),
    })),
    week: typed.hasHours
      ? typed.week.map(({ isOpen, opens, closes }) => (isOpen ? { opens, closes } : null))
      : null,
    closedDays: spansOf(typed.closed),
  };
  const parsed = ruleSetSchema.safeParse(wanted, { error: inPlainWords });
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = path.join('.');
    if (!errors.has(name)) errors.set(name, message);
  }
  return parsed.success && errors.size === 0 ? { rules: parsed.data, errors } : { errors };
}

function numberOf(text: string, { unit, blank }: RuleField): number | null {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return blank === undefined ? Number.NaN : null;
  if (unit === 'money')
    return /^\d{1,7}(\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : Number.NaN;
  return /^\d{1,7}$/.test(typed) ? Number(typed) : Number.NaN;
}

function inPlainWords(issue: z.core.$ZodRawIssue): string | undefined {
  const field = RULE_FIELDS.find(({ name }) => name === issue.path?.at(-1));
  const limit = (value: number | bigint) => (field?.unit === 'money' ? money(Number(value)) : String(value));
  if (issue.code === 'too_small' && issue.origin !== 'array')
    return m.rules_at_least({ least: limit(issue.minimum) });
  if (issue.code === 'too_big') {
    return issue.origin === 'array'
      ? m.rules_at_most_kept({ most: Number(issue.maximum) })
      : m.rules_at_most({ most: limit(issue.maximum) });
  }
  return undefined;
}

/** What was typed without exceptions that say nothing yet; nothing where it cannot be read. */
export function usualOf(typed: TypedRules): RuleSet | undefined {
  const exceptions = typed.exceptions.filter(({ numbers }) => Object.keys(numbers).length > 0);
  return rulesOf({ ...typed, exceptions }).rules;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What was typed on some rules, on what others have made of them since: what was not touched becomes what it is now. */
export function rebaseTyped(typed: TypedRules, base: RuleSet, since: RuleSet): TypedRules {
  const [was, is] = [typedOf(base), typedOf(since)];
  const known = new Set(was.closed);
  const mine = new Set(typed.closed);
  const kept = is.closed.filter((day) => mine.has(day) || !known.has(day));
  const own = <Key extends keyof TypedRules>(part: Key): TypedRules[Key] =>
    isSame(typed[part], was[part]) ? is[part] : typed[part];
  const ownHours = typed.hasHours !== was.hasHours || !isSame(typed.week, was.week);
  return {
    numbers: Object.fromEntries(
      RULE_FIELDS.map(({ name }) => [
        name,
        typed.numbers[name] === was.numbers[name] ? is.numbers[name] : typed.numbers[name],
      ]),
    ) as TypedRules['numbers'],
    exceptions: own('exceptions'),
    hasHours: ownHours ? typed.hasHours : is.hasHours,
    week: ownHours ? typed.week : is.week,
    closed: [...new Set([...kept, ...typed.closed.filter((day) => !known.has(day))])].sort(),
  };
}

/** A part of the form: what is typed in all of it, what is wrong, and how it is changed. */
export interface PartProps {
  typed: TypedRules;
  errors: RuleErrors;
  onEdit: (part: Partial<TypedRules>) => void;
}
