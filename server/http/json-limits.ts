/** No contract nests deeper than five levels; what goes over values calls itself for each. */
const MAX_LEVELS = 32;
/** Of all lists and objects together; the longest list that a contract takes has a thousand items. */
const MAX_VALUES = 5_000;

/** What a JSON value has more of than any call takes, as a sentence. Looks at one level after the other. */
export function jsonLimitViolation(json: unknown): string | undefined {
  let level: unknown[] = [json];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) return `This is nested too deeply: at most ${MAX_LEVELS} levels are allowed.`;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
    values += level.length;
    if (values > MAX_VALUES) return `This has too many parts: at most ${MAX_VALUES} values are allowed.`;
  }
  return undefined;
}
