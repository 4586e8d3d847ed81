import { COPY_EVENTS, type CopyCondition, type CopyEvent } from '#contracts/copies/copy-events.js';

/** A copy of a book, folded from its events. */
export interface CopyOfLibrary {
  readonly condition: CopyCondition;
  /** `undefined`: as it came with the book; no event says it. */
  readonly shelfMark: string | null | undefined;
}

/** A copy to which nothing has happened: it came with its book, or was there before the log knew copies. */
export const IMPLIED_COPY: CopyOfLibrary = { condition: 'present', shelfMark: undefined };

/** The copy after one of its events. Every event applies to every state. */
export function evolveCopy(before: CopyOfLibrary, { type, data }: CopyEvent): CopyOfLibrary {
  const { condition } = COPY_EVENTS[type];
  return {
    condition: condition === 'unchanged' ? before.condition : condition,
    shelfMark: 'shelfMark' in data ? data.shelfMark : before.shelfMark,
  };
}

/** Whether the copy counts among those that the library can lend. */
export function isInService({ condition }: CopyOfLibrary): boolean {
  return condition === 'present';
}
