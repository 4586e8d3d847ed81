import { z } from 'zod';
import type { EventEntry } from '../event-entry.js';
import { FIRST_VERSION } from './kinds.js';
import { ruleSetSchema } from './rule-set.js';

/**
 * The events of the library's rules. They are the only ones of their stream, so a version is decided on all before it. Why a change
 * was made is a note under the event's id, and not in the log. Times are ISO 8601 in UTC.
 */
const time = z.iso.datetime();

const version = z.int().min(FIRST_VERSION + 1);

const event = <Data extends z.ZodObject>(entry: EventEntry<Data>) => entry;

export const RULE_EVENTS = {
  /** The rules are these from an instant on, which had not come when it was stored. */
  RulesChanged: event({
    version: 1,
    data: z.object({ version, from: time, rules: ruleSetSchema, changedBy: z.uuid(), changedAt: time }),
  }),
  /** A version that had not come into force never does. */
  RulesWithdrawn: event({
    version: 1,
    data: z.object({ version, withdrawnBy: z.uuid(), withdrawnAt: time }),
  }),
};

type DataOf = { [Type in keyof typeof RULE_EVENTS]: z.infer<(typeof RULE_EVENTS)[Type]['data']> };

export type RuleEvent<Type extends keyof typeof RULE_EVENTS = keyof typeof RULE_EVENTS> = {
  [Each in Type]: { type: Each; data: DataOf[Each] };
}[Type];

export const RULE_STREAM_PREFIX = 'rules-';
/** The key of the one stream there is. */
export const LIBRARY = 'library';
