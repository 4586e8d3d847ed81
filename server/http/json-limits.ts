import * as m from '#words/messages.js';

/** No contract nests deeper than five levels; what goes over values calls itself for each. */
const MAX_LEVELS = 32;
/** Of all lists and objects together; the longest list that a contract takes has a thousand items. */
const MAX_VALUES = 5_000;

/** What a JSON value has more of than any call takes, as a sentence. Looks at one level after the other. */
export function jsonLimitViolation(json: unknown): string | undefined {
  let level: unknown[] = [json];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) return m.error_too_deep({ most: MAX_LEVELS });
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
    values += level.length;
    if (values > MAX_VALUES) return m.error_too_wide({ most: MAX_VALUES });
  }
  return undefined;
}
