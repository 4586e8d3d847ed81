import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { copiesOfLabels } from '../../catalogue/copies/copy.queries.js';
import type { ReaderReason } from './reader-reasons.js';
import { refusedRow, seenBefore, type ReadRow, type Seen, type StagedRow } from './staged-rows.js';

/** A loan as it is taken over, once its row was looked at. */
export const loanSchema = z.object({
  readerId: z.string(),
  bookId: z.int(),
  copy: z.int(),
  statedDue: z.string(),
  lentOn: z.string().nullable(),
  renewals: z.int(),
});

const copyRow = z.object({
  place: z.int(),
  title: z.string().nullable(),
  in_service: z.boolean().nullable(),
  is_free: z.boolean(),
  /** Of this copy, and of any other of the title. */
  has_copy: z.boolean(),
  has_book: z.boolean(),
});

const COPIES = `
  select g.place::integer, b.title, can_be_out(g.book_id, g.copy) as in_service,
    coalesce(b.copies_available, 0) > 0 and not exists (select from copy_allocation h
      where h.book_id = g.book_id and h.copy = g.copy and h.state <> 'released' and h.scanned) as is_free,
    exists (select from copy_allocation h where h.book_id = g.book_id and h.reader_id = g.reader
      and h.state <> 'released' and h.copy = g.copy) as has_copy,
    exists (select from copy_allocation h where h.book_id = g.book_id and h.reader_id = g.reader
      and h.state <> 'released') as has_book
  from unnest($1::integer[], $2::integer[], $3::uuid[]) with ordinality g (book_id, copy, reader, place)
  left join book b on b.id = g.book_id order by g.place`;

/** What is to become of loans: their readers and copies are known, and the copies free. */
export async function matchedLoans(
  database: Database,
  rows: readonly ReadRow[],
  seen: Seen,
): Promise<StagedRow[]> {
  const refused: StagedRow[] = [];
  const copies = await copiesOfLabels(
    database,
    rows.flatMap(({ data }) => data.copy ?? []),
  );
  const known = rows.flatMap((row) => {
    const { account, data } = row;
    const { due, lentOn = null, renewals = '0' } = data;
    const copy = copies.get(data.copy ?? '');
    const reason: ReaderReason | undefined = !account
      ? { code: 'reader-unknown' }
      : data.copy === undefined
        ? { code: 'missing', field: 'copy' }
        : due === undefined
          ? { code: 'missing', field: 'due' }
          : !copy
            ? { code: 'copy-unknown', where: data.copy }
            : seenBefore(seen, row.line, [copyCode(copy)]);
    if (reason) refused.push(refusedRow(row, reason));
    if (reason || !account || !copy || due === undefined) return [];
    const loan = { readerId: account.pseudonym, ...copy, statedDue: due, lentOn, renewals: Number(renewals) };
    return [{ ...row, account, loan }];
  });
  const found = await queryRows(database, copyRow, COPIES, [
    known.map(({ loan }) => loan.bookId),
    known.map(({ loan }) => loan.copy),
    known.map(({ loan }) => loan.readerId),
  ]);
  return [
    ...refused,
    ...known.flatMap(({ account, loan, ...row }, n) => {
      const copy = found[n];
      const where = row.data.copy ?? '';
      const reason: ReaderReason | undefined = copy?.has_copy
        ? undefined
        : copy?.title === null || copy?.title === undefined
          ? { code: 'copy-unknown', where }
          : copy.in_service !== true
            ? { code: 'copy-gone', where }
            : copy.has_book
              ? { code: 'has-book', where: copy.title }
              : copy.is_free
                ? undefined
                : { code: 'copy-lent', where };
      if (reason) return refusedRow({ ...row }, reason);
      const { due = '', lentOn = '', renewals = '' } = row.data;
      const shown = { copy: `${where} · ${copy?.title}`, due, lentOn, renewals };
      const said = Object.entries(shown).filter(([, theirs]) => theirs !== '');
      return {
        ...{ line: row.line, cells: row.cells, name: account.fullname, data: loan, reason: null },
        outcome: copy?.has_copy ? ('same' as const) : ('new' as const),
        differs: Object.fromEntries(said.map(([field, theirs]) => [field, { ours: '', theirs }])),
        ...{ account_id: account.id, borrow_id: randomUUID() },
      };
    }),
  ];
}
