import { z } from 'zod';
import * as m from '#words/messages.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { copyRow, type LoggedCopy } from './copy.projection.js';
import type { ScannedCopies } from './scanned-copies.js';

/** Milliseconds for which an event of a copy may be on its way to the log and from there to the checkpoint. */
const UNDER_WAY = 120_000;

const comparedRow = copyRow.extend({ recent: z.boolean() });

/**
 * Compares the rows of copies with the log, and the numbers of what is out with the copies that there are.
 * @param logged every copy that the log speaks of, up to the checkpoint
 * @param asOf when the database was last in use, if not now
 * @returns each difference as a sentence
 */
export async function compareCopyRows(
  connection: Queryable,
  logged: ReadonlyMap<string, LoggedCopy>,
  asOf: Date | undefined,
): Promise<string[]> {
  const rows = await queryRows(
    connection,
    comparedRow,
    `select book_id, copy, condition, shelf_mark, revision,
       changed_at > coalesce($2, now()) - make_interval(secs => $1) as recent
     from copy order by book_id, copy`,
    [UNDER_WAY / 1000, asOf],
  );
  const differences: string[] = [];
  const found = new Set<string>();
  for (const row of rows) {
    const code = copyCode({ bookId: row.book_id, copy: row.copy });
    found.add(code);
    const difference = differenceOf(code, row, logged.get(code));
    if (difference !== undefined) differences.push(difference);
  }
  const missing = [...logged].filter(([code]) => !found.has(code));
  const present = await booksThere(
    connection,
    missing.map(([, { bookId }]) => bookId),
  );
  for (const [code, { bookId }] of missing) {
    if (present.has(bookId)) differences.push(m.cli_diff_copy_missing({ copy: code }));
  }
  return [...differences, ...(await compareNumbers(connection, logged))];
}

function differenceOf(
  code: string,
  row: z.output<typeof comparedRow>,
  logged: LoggedCopy | undefined,
): string | undefined {
  const expected = logged?.revision ?? -1n;
  // Written with its command, and on its way to the log.
  if (row.revision > expected) {
    const count = String(row.revision - expected);
    return row.recent ? undefined : m.cli_diff_copy_ahead({ copy: code, count });
  }
  if (row.revision < expected)
    return m.cli_diff_copy_behind({ copy: code, count: String(expected - row.revision) });
  if (!logged) return undefined;
  const { condition, shelfMark } = logged.state;
  if (row.condition !== condition)
    return m.cli_diff_copy_condition({ copy: code, found: row.condition, wanted: condition });
  if (shelfMark !== undefined && row.shelf_mark !== shelfMark) {
    const [found, wanted] = [row.shelf_mark ?? m.cli_diff_none(), shelfMark ?? m.cli_diff_none()];
    return m.cli_diff_copy_shelf_mark({ copy: code, found, wanted });
  }
  return undefined;
}

async function booksThere(connection: Queryable, ids: readonly number[]): Promise<Set<number>> {
  const rows = await queryRows(
    connection,
    z.object({ id: z.int() }),
    'select id from book where id = any($1::integer[])',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

const numberedRow = z.object({ book_id: z.int(), numbered: z.int(), added: z.int() });
const outRow = z.object({ borrow_id: z.string(), book_id: z.int(), copy: z.int().nullable() });

/** Copies that were added have the last numbers, without a gap, and what is out is a copy that can be. */
async function compareNumbers(
  connection: Queryable,
  logged: ReadonlyMap<string, LoggedCopy>,
): Promise<string[]> {
  const added = new Map<number, number>();
  for (const { bookId, copy, wasAdded } of logged.values()) {
    if (wasAdded) added.set(bookId, Math.max(copy, added.get(bookId) ?? 0));
  }
  const numbered = `b.copies_total + (
    select count(*)::integer from copy c where c.book_id = b.id and c.condition <> 'present')`;
  const short = await queryRows(
    connection,
    numberedRow,
    `select b.id as book_id, ${numbered} as numbered, g.copy as added
     from unnest($1::integer[], $2::integer[]) as g (book_id, copy) join book b on b.id = g.book_id
     where ${numbered} < g.copy`,
    [[...added.keys()], [...added.values()]],
  );
  const out = await queryRows(
    connection,
    outRow,
    `select a.borrow_id, a.book_id, a.copy from copy_allocation a join book b on b.id = a.book_id
     where a.state <> 'released' and (a.copy is null or a.copy > ${numbered} or exists (
       select from copy c where c.book_id = a.book_id and c.copy = a.copy and c.condition <> 'present'))`,
  );
  return [
    ...short.map(({ book_id, numbered: numbers, added: last }) =>
      m.cli_diff_copy_numbers({ book: book_id, numbers, last }),
    ),
    ...out.map(({ borrow_id, book_id, copy }) =>
      copy === null
        ? m.cli_diff_no_number({ borrow: borrow_id, book: book_id })
        : m.cli_diff_copy_not_out({ borrow: borrow_id, copy: copyCode({ bookId: book_id, copy }) }),
    ),
  ];
}

const bindingRow = z.object({
  borrow_id: z.string(),
  book_id: z.int(),
  copy: z.int().nullable(),
  scanned: z.boolean(),
});

/**
 * Compares the copies that open borrows have by a scan with those that the log says.
 * @param held what is out, by borrow and book, with the copy that the borrow names
 */
export async function compareBindings(
  connection: Queryable,
  { held, scanned: log }: { held: ReadonlyMap<string, number | undefined>; scanned: ScannedCopies },
  logged: ReadonlyMap<string, LoggedCopy>,
): Promise<string[]> {
  const rows = await queryRows(
    connection,
    bindingRow,
    `select borrow_id, book_id, copy, scanned from copy_allocation where state <> 'released' order by borrow_id, book_id`,
  );
  return rows.flatMap(({ borrow_id: borrowId, book_id: bookId, copy, scanned }) => {
    const key = `${borrowId} ${bookId}`;
    if (!held.has(key)) return [];
    const named = held.get(key);
    const [has, wanted] = [scanned ? (copy ?? undefined) : undefined, log.of(borrowId, bookId)];
    // What was marked lost in the moment in which it was handed over remains a presumption.
    const mayDiffer = named !== undefined && logged.get(copyCode({ bookId, copy: named }))?.wasOut === true;
    if (has === wanted || (mayDiffer && (has ?? named) === named)) return [];
    const sides = { found: worded(bookId, has), wanted: worded(bookId, wanted) };
    return [m.cli_diff_scan({ borrow: borrowId, book: bookId, ...sides })];
  });
}

function worded(bookId: number, copy: number | undefined): string {
  return copy === undefined ? m.cli_diff_no_copy() : m.cli_diff_copy({ copy: copyCode({ bookId, copy }) });
}
