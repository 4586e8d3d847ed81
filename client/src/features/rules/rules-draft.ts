import { ruleSetSchema, type RuleSet } from '#contracts/rules/rule-set.js';
import { RULE_GROUPS, type RuleField } from './rule-fields.js';

/** The form as it is typed. */
export interface RulesDraft {
  numbers: Record<RuleField['name'], string>;
  /** From Monday to Sunday. */
  week: { isOpen: boolean; opens: string; closes: string }[];
  closedDays: { from: string; to: string }[];
}

const FIELDS = RULE_GROUPS.flatMap(({ fields }) => fields);
/** As hours are, where none were ever said. */
const USUAL = { opens: '09:00', closes: '18:00' };

export function draftOf(rules: RuleSet): RulesDraft {
  const numbers = FIELDS.map(({ name, unit }) => {
    const value = rules[name];
    return [name, value === null ? '' : unit === 'PLN' ? (value / 100).toFixed(2) : String(value)];
  });
  return {
    numbers: Object.fromEntries(numbers) as RulesDraft['numbers'],
    week: Array.from({ length: 7 }, (_, n) => {
      const day = rules.week === null ? USUAL : rules.week[n];
      return { isOpen: Boolean(day), ...(day ?? USUAL) };
    }),
    closedDays: [...rules.closedDays],
  };
}

/** What was typed, as rules, or what is wrong with it, by field. */
export type Read = { rules: RuleSet; errors?: never } | { rules?: never; errors: Map<string, string> };

/** @param from what the form does not ask for */
export function rulesOf(draft: RulesDraft, from: RuleSet): Read {
  const errors = new Map<string, string>();
  const numbers = FIELDS.map((field) => {
    const value = numberOf(draft.numbers[field.name], field);
    if (Number.isNaN(value)) errors.set(field.name, WRONG[field.unit === 'PLN' ? 'PLN' : 'whole']);
    return [field.name, value];
  });
  const week = draft.week.map(({ isOpen, opens, closes }) => (isOpen ? { opens, closes } : null));
  // Hours that nobody ever said stay unsaid, as long as every day has the usual ones.
  const isUnsaid =
    from.week === null && week.every((day) => day?.opens === USUAL.opens && day.closes === USUAL.closes);
  const typed = {
    ...from,
    ...(Object.fromEntries(numbers) as object),
    week: isUnsaid ? null : week,
    closedDays: [...draft.closedDays].sort((one, other) => (one.from < other.from ? -1 : 1)),
  };
  const read = ruleSetSchema.safeParse(typed);
  if (read.success && errors.size === 0) return { rules: read.data };
  for (const { path, message } of read.error?.issues ?? []) {
    const name = path.join('.');
    if (!errors.has(name)) errors.set(name, message);
  }
  return { errors };
}

const WRONG = { PLN: 'An amount such as 0.50.', whole: 'A whole number.' };

function numberOf(text: string, { unit, blank }: RuleField): number | null {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return blank === undefined ? Number.NaN : null;
  if (unit === 'PLN')
    return /^\d{1,6}(\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : Number.NaN;
  return /^\d{1,6}$/.test(typed) ? Number(typed) : Number.NaN;
}
