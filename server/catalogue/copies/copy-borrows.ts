import * as m from '#words/messages.js';
import { z } from 'zod';
import type { CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { COPY_BORROWS_SHOWN, type Copy } from '#contracts/copies/copy-views.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';

const iso = z.string().transform((time) => new Date(time).toISOString());
const pastRow = z.object({
  borrow_id: z.string(),
  reader_id: z.string(),
  fullname: z.string().nullable(),
  issued_at: iso,
  returned_at: iso.nullable(),
});

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
     order by k."issuedAt" desc limit ${COPY_BORROWS_SHOWN}`,
    [JSON.stringify([{ bookId, copy }]), bookId, copy],
  );
  return rows.map((row) => ({
    borrowId: row.borrow_id,
    user: { id: row.reader_id, fullname: row.fullname ?? m.account_removed() },
    issueDate: row.issued_at,
    returnDate: row.returned_at,
  }));
}
