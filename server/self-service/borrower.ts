import { z } from 'zod';
import { readAnyCardNumber } from '#contracts/accounts/card-number.js';
import { LANGUAGES } from '#contracts/languages.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';

export const borrowerRow = z.object({
  accountId: z.string(),
  /** What the log calls them. */
  pseudonym: z.string(),
  firstname: z.string(),
  fullname: z.string(),
  /** In which they read; null where they never chose. */
  language: z.enum(LANGUAGES).nullable(),
});
/** The reader for whom a device acts. */
export type Borrower = z.output<typeof borrowerRow>;
/** Of an account `a`. */
export const BORROWER = 'a.id as "accountId", a.pseudonym, a.firstname, a.fullname, a.language' as const;

const cardRow = borrowerRow.extend({ isReplaced: z.boolean(), isBlocked: z.boolean() });

/** Whose card has this number, of this system or of an earlier one. */
export async function borrowerOfCard(
  database: Database,
  scan: string,
): Promise<z.output<typeof cardRow> | undefined> {
  const number = readAnyCardNumber(scan);
  if (number === undefined) return undefined;
  return queryRow(database, cardRow, {
    name: 'borrower-of-card',
    text: `select ${BORROWER}, c.replaced_at is not null as "isReplaced", c.blocked_at is not null as "isBlocked"
      from reader_card c join account a on a.id = c.account_id where c.number = $1`,
    values: [number],
  });
}
