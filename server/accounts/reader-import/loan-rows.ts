import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { copiesOfLabels } from '../../catalogue/copies/copy-codes.queries.js';
import type { ReaderData } from './reader-of-row.js';
import type { ReaderReason } from './reader-reasons.js';
import {
  matchedRow,
  refusedRow,
  seenBefore,
  waitingRow,
  type ReadRow,
  type Seen,
  type StagedRow,
} from './staged-rows.js';

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
  begun: z.string().nullable(),
});

const COPIES = `
  select g.place::integer, b.title, can_be_out(g.book_id, g.copy) as in_service, t.borrow_id as begun,
    t.borrow_id is not null or coalesce(b.copies_available, 0) > 0 and not exists (select from copy_allocation h
      where h.book_id = g.book_id and h.copy = g.copy and h.state <> 'released' and h.scanned) as is_free,
    t.borrow_id is null and exists (select from copy_allocation h where h.book_id = g.book_id and h.reader_id = g.reader
      and h.state <> 'released' and h.copy = g.copy) as has_copy,
    exists (select from copy_allocation h where h.book_id = g.book_id and h.reader_id = g.reader
      and h.state <> 'released' and h.borrow_id is distinct from t.borrow_id) as has_book
  from unnest($1::integer[], $2::integer[], $3::uuid[]) with ordinality g (book_id, copy, reader, place)
  left join book b on b.id = g.book_id
  -- A loan whose import was killed has its copy, and may not be stored yet: it is gone on with under its own id.
  left join lateral (select h.borrow_id from copy_allocation h
    where h.book_id = g.book_id and h.copy = g.copy and h.reader_id = g.reader and h.state = 'pending'
      and exists (select from reader_row r where r.borrow_id = h.borrow_id) limit 1) t on true
  order by g.place`;

/** What is to become of loans: their readers and copies are known, and the copies free. */
export async function matchedLoans(
  database: Queryable,
  rows: readonly ReadRow[],
  seen: Seen,
): Promise<StagedRow[]> {
  const refused: StagedRow[] = [];
  const isToCome = await readersToCome(
    database,
    rows.flatMap(({ account, data }) => (account ? [] : data)),
  );
  const copies = await copiesOfLabels(
    database,
    rows.flatMap(({ data }) => data.copy ?? []),
  );
  const known = rows.flatMap((row) => {
    const { account, data } = row;
    const { due, lentOn = null, renewals = '0' } = data;
    const copy = copies.get(data.copy ?? '');
    const reason: ReaderReason | undefined =
      !account && !isToCome(data)
        ? { code: 'reader-unknown' }
        : data.copy === undefined
          ? { code: 'missing', field: 'copy' }
          : due === undefined
            ? { code: 'missing', field: 'due' }
            : !copy
              ? { code: 'copy-unknown', where: data.copy }
              : seenBefore(seen, row.place, [copyCode(copy)]);
    if (reason) refused.push(refusedRow(row, reason));
    if (reason || !copy || due === undefined) return [];
    const loan = { ...copy, statedDue: due, lentOn, renewals: Number(renewals) };
    return [{ row, account, loan }];
  });
  const found = await queryRows(database, copyRow, COPIES, [
    known.map(({ loan }) => loan.bookId),
    known.map(({ loan }) => loan.copy),
    known.map(({ account }) => account?.pseudonym),
  ]);
  return [
    ...refused,
    ...known.map(({ row, account, loan }, n): StagedRow => {
      const copy = found[n];
      const { copy: where = '', due = '', lentOn = '', renewals = '' } = row.data;
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
      if (reason) return refusedRow(row, reason);
      const shown = { copy: `${where} · ${copy?.title}`, due, lentOn, renewals };
      const said = Object.entries(shown).filter(([, theirs]) => theirs !== '');
      const differs = Object.fromEntries(said.map(([field, theirs]) => [field, { ours: '', theirs }]));
      if (!account) return { ...waitingRow(row), differs };
      return {
        ...{ ...matchedRow(row), differs, name: account.fullname, reason: null },
        data: { ...loan, readerId: account.pseudonym },
        outcome: copy?.has_copy ? 'same' : 'new',
        ...{ account_id: account.id, borrow_id: copy?.begun ?? randomUUID() },
      };
    }),
  ];
}

const keyRow = z.object({ card: z.string().nullable(), email: z.string().nullable() });

/** Whether a row is of a reader whose own file was read, and is still to be imported. */
async function readersToCome(
  database: Queryable,
  rows: readonly ReaderData[],
): Promise<(row: ReaderData) => boolean> {
  const keysOf = ({ cardNumber, email }: ReaderData) => [cardNumber ?? '', email?.toLowerCase() ?? ''];
  const found = await queryRows(
    database,
    keyRow,
    `select r.data ->> 'cardNumber' as card, lower(r.data ->> 'email') as email
     from reader_row r join reader_import i on i.id = r.import_id
     where i.kind = 'readers' and i.state in ('staged', 'running') and r.done is null and r.outcome in ('new', 'changed')
       and (r.data ->> 'cardNumber' = any($1::text[]) or lower(r.data ->> 'email') = any($1::text[]))`,
    [rows.flatMap(keysOf).filter((key) => key !== '')],
  );
  const keys = new Set(found.flatMap(({ card, email }) => [card, email]));
  return (row) => keysOf(row).some((key) => key !== '' && keys.has(key));
}
