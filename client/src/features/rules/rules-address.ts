import { ruleSetSchema, type RuleSet } from '#contracts/rules/rule-set.js';
import type { Parameter } from '../../lib/use-address.js';

/** What the editor begins with; the rules in force where neither is named. */
export const EDITOR_ADDRESS = {
  draft: {
    name: 'draft',
    read: (text) => (text === null || text === '' ? null : text),
    write: (id) => id ?? '',
  } satisfies Parameter<string | null>,
  version: {
    name: 'version',
    read: (text) => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : null),
    write: (version) => (version === null ? '' : String(version)),
  } satisfies Parameter<number | null>,
} as const;

export const RULES_PAGE = '/admin/rules';
export const EDITOR = `${RULES_PAGE}/edit`;
export const WHAT_IF = `${RULES_PAGE}/what-if`;

/** The rules that were typed on another page, which led here with them; null where none were, or they are of another release. */
export function handedOver(state: unknown): RuleSet | null {
  const read = ruleSetSchema.safeParse((state as { rules?: unknown } | null)?.rules);
  return read.success ? read.data : null;
}
