import * as m from '#words/messages.js';
import { z } from 'zod';
import { bookState } from '#contracts/borrowing/borrowed-book.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { availableActions } from '#circulation/borrow/borrow.decider.js';
import {
  lossCharges,
  totalCharged,
  fineDue,
  refundDue,
  type Borrow,
} from '#circulation/borrow/borrow-state.js';
import type { BorrowRules } from '#circulation/rules/borrow.policy.js';
import { READER_KINDS } from '#contracts/rules/kinds.js';
import { BORROW_FIELDS, borrowFieldsShape, borrowOf } from '#platform/database/read-model.js';
import { undoableSteps } from '#circulation/borrow/undo.decider.js';

/** A row of the read model with its reader's name, as the queries select it: such a statement is run with `ISO_TIMES`. */
export const borrowViewRow = z.object({
  ...borrowFieldsShape,
  /** The account's name; without an account, the reader's pseudonym in the log. */
  reader_id: z.string(),
  fullname: z.string().nullable(),
  /** What the reader is now. */
  reader_kind: z.enum(READER_KINDS).nullable(),
  position: z.string(),
});
export type BorrowViewRow = z.output<typeof borrowViewRow>;

/** What `toBorrowView` needs, from `read_model.borrow b left join account a`. */
export const BORROW_VIEW_COLUMNS = `coalesce(a.id, b.reader_id) as reader_id, a.fullname, a.kind as reader_kind, b.position,
  ${BORROW_FIELDS.map((name) => `b.${name}`).join(', ')}`;

/**
 * The row as the API returns it: amounts in PLN, and the actions that the borrow's state allows.
 * @param now ISO time
 */
export function toBorrowView(row: BorrowViewRow, now: string, rules: BorrowRules): BorrowView {
  const borrow = borrowOf(row);
  const { reader_id: id, fullname, reader_kind: readerKind } = row;
  return {
    ...shown(borrow, { id, fullname }, row.position),
    availableActions: availableActions({ ...borrow, ...(readerKind && { readerKind }) }, now, rules),
    undo: undoableSteps(borrow, now, rules),
  };
}

/**
 * A borrow as of some past moment. The past is read-only: no actions.
 * @param position log position of the borrow's last event until then
 */
export function toPastBorrowView(borrow: Borrow, reader: Reader, position: bigint): BorrowView {
  const { issuedAt, dueDate, returnedAt } = borrow;
  const inLog = {
    ...borrow,
    rentedAt: inFull(borrow.rentedAt),
    collectBy: inFull(borrow.collectBy),
    issuedAt: issuedAt && inFull(issuedAt),
    dueDate: dueDate && inFull(dueDate),
    returnedAt: returnedAt && inFull(returnedAt),
  };
  return { ...shown(inLog, reader, position.toString()), availableActions: [], undo: [] };
}

/** The log may have a time without milliseconds. */
export function inFull(iso: string): string {
  return new Date(iso).toISOString();
}

interface Reader {
  id: string;
  fullname: string | null;
}

function shown(
  borrow: Borrow,
  { id, fullname }: Reader,
  position: string,
): Omit<BorrowView, 'availableActions' | 'undo'> {
  return {
    id: borrow.id,
    user: { id, fullname: fullname ?? m.account_removed() },
    borrowedBooks: borrow.books.map(({ bookId, title }) => ({ bookId, title })),
    books: borrow.books.map((book) => ({
      bookId: book.bookId,
      title: book.title,
      state: bookState(book),
      issueDate: book.issuedAt === undefined ? null : inFull(book.issuedAt),
      returnDate: book.returnedAt === undefined ? null : inFull(book.returnedAt),
      ...(book.copy !== undefined && { copy: copyCode({ bookId: book.bookId, copy: book.copy }) }),
      ...(book.loss && { charged: book.loss.charged / 100 }),
    })),
    rentDate: borrow.rentedAt,
    collectBy: borrow.collectBy,
    issueDate: borrow.issuedAt,
    dueDate: borrow.dueDate,
    returnDate: borrow.returnedAt,
    status: borrow.status,
    fineAmount: totalCharged(borrow) / 100,
    lossAmount: lossCharges(borrow) / 100,
    fineWaived: borrow.waived / 100,
    finePaid: borrow.paid / 100,
    fineDue: fineDue(borrow) / 100,
    refundDue: refundDue(borrow) / 100,
    renewals: borrow.renewals,
    position,
  };
}
