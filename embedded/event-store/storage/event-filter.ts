import type { RecordedEvent } from './recorded-event.js';
import { invalidArgument } from './store-error.js';

/** The fields that a filter examines. */
export type FilteredEvent = Pick<RecordedEvent, 'stream' | 'type'>;

/** Which events of the whole log a reader wants. */
export interface EventFilter {
  matches(event: FilteredEvent): boolean;
  /** If present, every match is in a stream of one of these categories (the name up to its first dash). */
  categories?: readonly string[];
  /** A checkpoint is due after this many examined events. */
  checkpointInterval: bigint;
}

/**
 * Creates a filter by a regular expression or, without one, by prefixes.
 * @throws StoreError if the expression is invalid
 */
export function eventFilter(
  on: 'stream' | 'type',
  prefixes: readonly string[],
  regex: string,
  checkpointInterval: number,
): EventFilter {
  const interval = BigInt(Math.max(1, checkpointInterval));
  if (regex === '') {
    const matches = (event: FilteredEvent) => prefixes.some((prefix) => event[on].startsWith(prefix));
    const whole = on === 'stream' && prefixes.every((prefix) => prefix.includes('-'));
    if (!whole) return { matches, checkpointInterval: interval };
    const categories = [...new Set(prefixes.map((prefix) => prefix.slice(0, prefix.indexOf('-'))))];
    return { matches, categories, checkpointInterval: interval };
  }
  const expression = parse(regex);
  return { matches: (event) => expression.test(event[on]), checkpointInterval: interval };
}

function parse(regex: string): RegExp {
  try {
    return new RegExp(regex);
  } catch {
    throw invalidArgument('The filter is not a regular expression.');
  }
}
