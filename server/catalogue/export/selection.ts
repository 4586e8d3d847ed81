import type { Connection, Database } from '#platform/database/database.js';

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

/** Rows of books, page by page by their numbers, as of one moment. @param read one page, of the books behind a number */
export async function* pagesOfBooks<Row extends { id: number }>(
  database: Database,
  read: (connection: Connection, last: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  const connection = await database.connect();
  let isBroken = true;
  try {
    await connection.query('begin isolation level repeatable read read only');
    for (let last: number | undefined = 0; last !== undefined;) {
      const rows = await read(connection, last);
      if (rows.length > 0) yield rows;
      last = rows.at(-1)?.id;
    }
    await connection.query('commit');
    isBroken = false;
  } finally {
    // Left early, it is in the middle of its transaction: such a connection is not for the next one.
    connection.release(isBroken);
  }
}
