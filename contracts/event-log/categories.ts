import type { z } from 'zod';
import { BORROW_EVENTS, BORROW_STREAM_PREFIX } from '../borrowing/borrow-events.js';
import { COPY_EVENTS, COPY_STREAM_PREFIX } from '../copies/copy-events.js';
import { HOLD_EVENTS } from '../holds/hold-events.js';
import type { EventEntry } from '../event-entry.js';
import { RULE_EVENTS, RULE_STREAM_PREFIX } from '../rules/rule-events.js';
import { STREAM_DECISIONS } from './skipped-events.js';

/**
 * The categories of streams in the event log. A stream is named by its category's prefix and its key. Another kind of
 * stream is another entry here; who follows the log says which categories.
 */
export const CATEGORIES = {
  /** Everything that one reader borrowed and waited for. The key is their pseudonym. */
  borrows: {
    prefix: BORROW_STREAM_PREFIX,
    events: { ...BORROW_EVENTS, ...HOLD_EVENTS, ...STREAM_DECISIONS },
  },
  /** What happened to one copy of a book outside borrows. The key is its code. */
  copies: { prefix: COPY_STREAM_PREFIX, events: { ...COPY_EVENTS, ...STREAM_DECISIONS } },
  /** The rules of the library, in one stream. Every process reads it, and nothing is projected from it. */
  rules: { prefix: RULE_STREAM_PREFIX, events: { ...RULE_EVENTS, ...STREAM_DECISIONS } },
} satisfies Record<string, { prefix: string; events: Record<string, EventEntry> }>;

export type CategoryName = keyof typeof CATEGORIES;

/** The categories that the read model is made of, and that its checkpoint counts. */
export const PROJECTED: readonly CategoryName[] = ['borrows', 'copies'];

type Entries<Category extends CategoryName> = (typeof CATEGORIES)[Category]['events'];

/** An event of a category: its type and its data. */
export type EventOf<Category extends CategoryName = CategoryName> = Category extends CategoryName
  ? {
      [Type in keyof Entries<Category>]: {
        type: Type;
        data: Entries<Category>[Type] extends { data: infer Data } ? z.infer<Data> : never;
      };
    }[keyof Entries<Category>]
  : never;

/** The name of a stream. */
export function streamOf(category: CategoryName, key: string): string {
  return `${CATEGORIES[category].prefix}${key}`;
}

/** The category and the key of a stream; nothing where it is of none of ours. */
export function streamNamed(stream: string): { category: CategoryName; key: string } | undefined {
  for (const category of Object.keys(CATEGORIES) as CategoryName[]) {
    const { prefix } = CATEGORIES[category];
    if (stream.startsWith(prefix)) return { category, key: stream.slice(prefix.length) };
  }
  return undefined;
}
