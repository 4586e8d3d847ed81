/** Which books are exported; all of them unless something is said. */
export interface Selection {
  bookIds?: readonly number[] | undefined;
  /** Whose record or copies changed since. */
  changedSince?: Date | undefined;
}

/** The condition on `book b`, with two values from the place on. */
export const selected = (place: number): string =>
  `($${place}::integer[] is null or b.id = any($${place})) and ($${place + 1}::timestamptz is null or b.changed_at >= $${place + 1})`;

export const selectionValues = ({ bookIds, changedSince }: Selection): unknown[] => [
  bookIds ?? null,
  changedSince ?? null,
];
