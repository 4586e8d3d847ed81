import { z } from 'zod';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { openEnum } from '../open-enum.js';
import { MAX_PAGE_SIZE, pageQuery, pagedSchema } from '../paging.js';
import { BORROW_ACTIONS, UNDOABLE } from './borrow-events.js';
import { BORROW_PARTS } from './borrow-part.js';
import { borrowStatusSchema } from './borrow-status.js';
import { BOOK_STATES, neverWas } from './borrowed-book.js';

/** The actions that a borrow allows now; the server decides, the screen only shows them. */
const borrowActionSchema = openEnum(z.enum(BORROW_ACTIONS));

/** One request names at most so many: half of them by their numbers, half by the codes of copies. */
export const MAX_BOOKS_PER_BORROW = 100;
/** More is not done to one borrow in the minutes in which it can be undone; else the latest are offered. */
export const MAX_UNDOABLE = 500;

/** A row of the librarian's queue and of a reader's history (specification, section 3, "Borrow record"). */
export const borrowViewSchema = z.object({
  id: z.uuid(),
  user: z.object({ id: z.uuid(), fullname: z.string() }),
  borrowedBooks: z.array(z.object({ bookId: z.int(), title: z.string() })).max(MAX_BOOKS_PER_BORROW),
  /** The same books with what each of them is: parts of a borrow are issued and come back. */
  books: z
    .array(
      z.object({
        bookId: z.int(),
        title: z.string(),
        /** A server never says `other`: it stands for what this release does not know. */
        state: openEnum(z.enum([...BOOK_STATES, 'other']), 'other'),
        issueDate: z.iso.datetime().nullable(),
        returnDate: z.iso.datetime().nullable(),
        /** The code of the copy that was handed over, where its label was scanned. */
        copy: z.string().optional(),
        /** What was charged for it, where it is lost or damaged, in PLN. */
        charged: z.number().min(0).optional(),
      }),
    )
    .max(MAX_BOOKS_PER_BORROW),
  /** ISO times in UTC; null where it has not happened. */
  rentDate: z.iso.datetime(),
  /** Until when a rented borrow waits at the desk. */
  collectBy: z.iso.datetime(),
  issueDate: z.iso.datetime().nullable(),
  dueDate: z.iso.datetime().nullable(),
  returnDate: z.iso.datetime().nullable(),
  status: borrowStatusSchema,
  /** All fees charged on this borrow, those for lost and damaged books included, in PLN (0.5 is fifty grosze). */
  fineAmount: z.number().min(0),
  /** What of that is for lost and damaged books, in PLN. */
  lossAmount: z.number().min(0),
  /** The part that was waived, in PLN. */
  fineWaived: z.number().min(0),
  /** What the reader has paid and not got back, in PLN. */
  finePaid: z.number().min(0),
  /** The part that is still unpaid, in PLN. */
  fineDue: z.number().min(0),
  /** What the reader has paid for a book that was found again, in PLN, and did not get back yet: the library owes it to them. */
  refundDue: z.number().min(0),
  renewals: z.int().min(0),
  availableActions: z.array(borrowActionSchema).max(BORROW_ACTIONS.length),
  /** What a librarian can undo now, the latest first: the revision that `Borrow/undo` takes, and until when it does. */
  undo: z
    .array(
      z.object({
        revision: z.int().min(0),
        what: openEnum(z.enum(UNDOABLE), 'other'),
        until: z.iso.datetime(),
        /** The books that it is about; none where it is about money alone. */
        bookIds: z.array(z.int()).max(MAX_BOOKS_PER_BORROW),
      }),
    )
    .max(MAX_UNDOABLE),
  /** Log position of the last event of this borrow, a decimal number too large for a double. */
  position: z.string(),
});
export type BorrowView = z.infer<typeof borrowViewSchema>;

export const borrowPageSchema = pagedSchema(borrowViewSchema).extend({
  /** The books of all borrows in the list, where it is the one behind a counter of books (`RentedLastMonth`). */
  totalBooks: z.int().min(0).optional(),
});
export const borrowHistorySchema = z.array(borrowViewSchema).max(MAX_PAGE_SIZE);

/** The status filter that `SortBy` carries (specification, section 7, "Borrows"). */
export const borrowFilterSchema = z.enum(['All', ...borrowStatusSchema.options]);
export type BorrowFilter = z.infer<typeof borrowFilterSchema>;

/** Whether a list has a borrow. "Rented" has whatever waits at the desk, the rest of a rent that was collected in part too. */
export function isListedAs(
  filter: BorrowFilter,
  { status, books }: Pick<BorrowView, 'status'> & { books: readonly { state: string }[] },
): boolean {
  if (filter === 'Rented' && books.some(({ state }) => state === 'reserved')) return true;
  if (filter === 'Expired' && neverWas(books)) return false;
  return filter === 'All' || filter === status;
}

/** Sort keys of the queue (section 9); `BorrowDate` is the issue date. */
export const borrowOrderSchema = z.enum(['RentDate', 'BorrowDate', 'DueDate', 'ReturnDate']);
export type BorrowOrder = z.infer<typeof borrowOrderSchema>;

export const BORROWS_PAGE_SIZE = 20;

/**
 * `GET Borrow`. `OrderBy`, `Direction` and `Only` are ours: the specification's own call sorts one page in the browser.
 */
export const borrowListQuerySchema = z.object({
  Only: z.preprocess(emptyAsUndefined, z.enum(BORROW_PARTS).optional()),
  SortBy: z.preprocess(emptyAsUndefined, borrowFilterSchema.default('All')),
  SearchTerm: z.string().max(200).default(''),
  OrderBy: borrowOrderSchema.default('RentDate'),
  Direction: z.enum(['Ascending', 'Descending']).default('Descending'),
  ...pageQuery(BORROWS_PAGE_SIZE),
});
export type BorrowListQuery = z.infer<typeof borrowListQuerySchema>;

/** A page of a reader's own history. `SearchTerm` is a day or month of rent, or words of titles. */
export const historyPageQuerySchema = borrowListQuerySchema.pick({
  SearchTerm: true,
  OrderBy: true,
  Direction: true,
  pageNumber: true,
  pageSize: true,
});
export type HistoryPageQuery = z.infer<typeof historyPageQuerySchema>;

/** The answer to a borrow command. */
export const commandAnswerSchema = z.object({
  borrowId: z.uuid(),
  /** Log position of the stored events. */
  position: z.string(),
});
export type CommandAnswer = z.infer<typeof commandAnswerSchema>;

/** The answer to return-books and take-back-books. */
export const takenBackSchema = commandAnswerSchema.extend({
  /** For whom copies are that came back: whoever waited first for the title. */
  keptFor: z
    .array(
      z.object({
        bookId: z.int(),
        holdId: z.uuid(),
        user: z.object({ id: z.uuid(), fullname: z.string() }),
        /** Null until the reader has been told, which takes a moment. */
        collectBy: z.iso.datetime().nullable(),
        copy: z.object({ code: z.string(), shelfMark: z.string().nullable() }),
      }),
    )
    .max(MAX_BOOKS_PER_BORROW),
});
export type TakenBack = z.infer<typeof takenBackSchema>;

/** The answer to lend; `id` is the new borrow's too. */
export const lentAnswerSchema = commandAnswerSchema.extend({ id: z.uuid() });
export type LentAnswer = z.infer<typeof lentAnswerSchema>;
