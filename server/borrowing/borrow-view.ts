import { z } from 'zod';
import { ACCOUNT_REMOVED } from '#contracts/accounts/account-views.js';
import { borrowStatusSchema } from '#contracts/borrowing/borrow-status.js';
import { bookState, borrowedBookSchema, recentEventSchema } from '#contracts/borrowing/borrowed-book.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { availableActions } from '#circulation/borrow/borrow.decider.js';
import {
  chargedForLosses,
  chargedInAll,
  fineDue,
  refundDue,
  type Borrow,
} from '#circulation/borrow/borrow-state.js';
import type { BorrowRules } from '#circulation/rules/borrow.policy.js';
import { READER_KINDS } from '#contracts/rules/kinds.js';
import { undoOffers } from '#circulation/borrow/undo.decider.js';

/** ISO 8601: such a statement is run with `ISO_TIMES`. */
const time = z.string();

/** A row of the read model with its reader's name, as the queries select it. */
export const borrowViewRow = z.object({
  borrow_id: z.string(),
  /** The account's name; without an account, the reader's pseudonym in the log. */
  reader_id: z.string(),
  fullname: z.string().nullable(),
  /** What the reader is now. */
  reader_kind: z.enum(READER_KINDS).nullable(),
  books: z.array(borrowedBookSchema),
  rented_at: time,
  collect_by: time,
  issued_at: time.nullable(),
  due_date: time.nullable(),
  returned_at: time.nullable(),
  status: borrowStatusSchema,
  charged: z.int(),
  paid: z.int(),
  waived: z.int(),
  renewals: z.int(),
  recent: z.array(recentEventSchema),
  position: z.string(),
});
export type BorrowViewRow = z.output<typeof borrowViewRow>;

/** What `toBorrowView` needs, from `read_model.borrow b left join account a`. */
export const BORROW_VIEW_COLUMNS = `b.borrow_id, coalesce(a.id, b.reader_id) as reader_id, a.fullname, a.kind as reader_kind, b.books, b.rented_at, b.collect_by,
  b.issued_at, b.due_date, b.returned_at, b.status, b.charged, b.paid, b.waived, b.renewals, b.recent, b.position`;

/**
 * The row as the API returns it: amounts in PLN, and the actions that the borrow's state allows.
 * @param now ISO time
 */
export function toBorrowView(row: BorrowViewRow, now: string, rules: BorrowRules): BorrowView {
  return {
    ...shown(row),
    availableActions: availableActions(
      { ...row, dueDate: row.due_date, ...(row.reader_kind && { readerKind: row.reader_kind }) },
      now,
      rules,
    ),
    undo: undoOffers(row, now, rules),
  };
}

/**
 * A borrow as of some past moment, in the shape of a row. The past is read-only: no actions.
 * @param position log position of the borrow's last event until then
 */
export function toPastBorrowView(
  borrow: Borrow,
  reader: { id: string; fullname: string | null },
  position: bigint,
): BorrowView {
  const row: BorrowViewRow = {
    borrow_id: borrow.id,
    reader_id: reader.id,
    fullname: reader.fullname,
    reader_kind: null,
    books: [...borrow.books],
    rented_at: inFull(borrow.rentedAt),
    collect_by: inFull(borrow.collectBy),
    issued_at: borrow.issuedAt && inFull(borrow.issuedAt),
    due_date: borrow.dueDate && inFull(borrow.dueDate),
    returned_at: borrow.returnedAt && inFull(borrow.returnedAt),
    status: borrow.status,
    charged: borrow.charged,
    paid: borrow.paid,
    waived: borrow.waived,
    renewals: borrow.renewals,
    recent: [],
    position: position.toString(),
  };
  return { ...shown(row), availableActions: [], undo: [] };
}

/** The log may have a time without milliseconds. */
function inFull(iso: string): string {
  return new Date(iso).toISOString();
}

function shown(row: BorrowViewRow): Omit<BorrowView, 'availableActions' | 'undo'> {
  return {
    id: row.borrow_id,
    user: { id: row.reader_id, fullname: row.fullname ?? ACCOUNT_REMOVED },
    borrowedBooks: row.books.map(({ bookId, title }) => ({ bookId, title })),
    books: row.books.map((book) => ({
      bookId: book.bookId,
      title: book.title,
      state: bookState(book),
      issueDate: book.issuedAt === undefined ? null : inFull(book.issuedAt),
      returnDate: book.returnedAt === undefined ? null : inFull(book.returnedAt),
      ...(book.copy !== undefined && { copy: copyCode({ bookId: book.bookId, copy: book.copy }) }),
      ...(book.gone && { charged: book.gone.charged / 100 }),
    })),
    rentDate: row.rented_at,
    collectBy: row.collect_by,
    issueDate: row.issued_at,
    dueDate: row.due_date,
    returnDate: row.returned_at,
    status: row.status,
    fineAmount: chargedInAll(row) / 100,
    lossAmount: chargedForLosses(row) / 100,
    fineWaived: row.waived / 100,
    finePaid: row.paid / 100,
    fineDue: fineDue(row) / 100,
    refundDue: refundDue(row) / 100,
    renewals: row.renewals,
    position: row.position,
  };
}
