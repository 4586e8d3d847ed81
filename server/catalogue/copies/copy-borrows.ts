import { z } from 'zod';
import { ACCOUNT_REMOVED } from '#contracts/accounts/account-views.js';
import type { CopyOfBook } from '#contracts/catalogue/copy-code.js';
import type { Copy, CopyHolder } from '#contracts/copies/copy-views.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { isIssued } from './copy-rows.js';

/** Borrows of a copy that are shown. */
const MAX_BORROWS = 100;
/** Loans of a title among which the one that brings a copy is looked for. */
const MAX_CANDIDATES = 20;

const borrower = { borrow_id: z.string(), reader_id: z.string(), fullname: z.string().nullable() };
const iso = z.string().transform((time) => new Date(time).toISOString());
const pastRow = z.object({ ...borrower, issued_at: iso, returned_at: iso.nullable() });
const loanRow = z.object({ ...borrower, due_date: z.date().nullable() });

/**
 * The borrows in which a copy's label was scanned.
 * @param schema of the read model
 */
export async function borrowsOfCopy(
  database: Database,
  schema: string,
  { bookId, copy }: CopyOfBook,
): Promise<Copy['borrows']> {
  const rows = await queryRows(
    database,
    pastRow,
    // An index has borrows by what their books contain.
    `select r.borrow_id, coalesce(p.id, r.reader_id) as reader_id, p.fullname,
       k."issuedAt" as issued_at, k."returnedAt" as returned_at
     from ${schema}.borrow r
     cross join lateral jsonb_to_recordset(r.books)
       as k ("bookId" integer, copy integer, "issuedAt" text, "returnedAt" text)
     left join account p on p.pseudonym = r.reader_id
     where r.books @> $1::jsonb and k."bookId" = $2 and k.copy = $3 and k."issuedAt" is not null
     order by k."issuedAt" desc limit ${MAX_BORROWS}`,
    [JSON.stringify([{ bookId, copy }]), bookId, copy],
  );
  return rows.map((row) => ({ ...borrowerOf(row), issueDate: row.issued_at, returnDate: row.returned_at }));
}

/**
 * The loans of a title whose copies nobody scanned, the one that is presumed to have this copy first.
 * @param schema of the read model
 */
export async function unscannedLoans(
  database: Database,
  schema: string,
  { bookId, copy }: CopyOfBook,
): Promise<CopyHolder['candidates']> {
  const rows = await queryRows(
    database,
    loanRow,
    `select a.borrow_id, coalesce(p.id, a.reader_id) as reader_id, p.fullname, r.due_date
     from copy_allocation a
     join ${schema}.borrow r on r.borrow_id = a.borrow_id
     left join account p on p.pseudonym = a.reader_id
     where a.book_id = $1 and a.state <> 'released' and not a.scanned and ${isIssued('r', 'a.book_id')}
     order by (a.copy = $2) desc, r.due_date, a.borrow_id limit ${MAX_CANDIDATES}`,
    [bookId, copy],
  );
  return rows.map((row) => ({ ...borrowerOf(row), dueDate: row.due_date?.toISOString() ?? null }));
}

function borrowerOf({ borrow_id, reader_id, fullname }: z.output<z.ZodObject<typeof borrower>>) {
  return { borrowId: borrow_id, user: { id: reader_id, fullname: fullname ?? ACCOUNT_REMOVED } };
}
