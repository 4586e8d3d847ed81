import { z } from 'zod';
import { bookIdSchema } from '../catalogue/book-views.js';
import { blankIsAbsent } from '../blank.js';
import { growing } from '../growing.js';
import { MAX_PAGE_SIZE, pageQuery, pagedSchema } from '../paging.js';
import { oneLine } from '../plain-text.js';
import { BORROW_ACTIONS, UNDOABLE, WAIVER_REASONS } from './borrow-events.js';
import { BORROW_PARTS } from './borrow-part.js';
import { borrowStatusSchema } from './borrow-status.js';
import { BOOK_STATES, LOSSES } from './borrowed-book.js';

/** The actions that a borrow allows now; the server decides, the screen only shows them. */
const borrowActionSchema = growing(z.enum(BORROW_ACTIONS));

/** Books that one request names by their numbers, and as many by the codes of copies. */
const MOST_NAMED = 50;
export const MOST_BOOKS_OF_A_BORROW = 2 * MOST_NAMED;
/** More is not done to one borrow in the minutes in which it can be undone; else the latest are offered. */
export const MOST_UNDOABLE = 500;

/** A row of the librarian's queue and of a reader's history (specification, section 3, "Borrow record"). */
export const borrowViewSchema = z.object({
  id: z.uuid(),
  user: z.object({ id: z.uuid(), fullname: z.string() }),
  borrowedBooks: z.array(z.object({ bookId: z.int(), title: z.string() })).max(MOST_BOOKS_OF_A_BORROW),
  /** The same books with what each of them is: parts of a borrow are issued and come back. */
  books: z
    .array(
      z.object({
        bookId: z.int(),
        title: z.string(),
        /** A server never says `other`: it stands for what this release does not know. */
        state: growing(z.enum([...BOOK_STATES, 'other']), 'other'),
        issueDate: z.iso.datetime().nullable(),
        returnDate: z.iso.datetime().nullable(),
        /** The code of the copy that was handed over, where its label was scanned. */
        copy: z.string().optional(),
        /** What was charged for it, where it is lost or damaged, in PLN. */
        charged: z.number().min(0).optional(),
      }),
    )
    .max(MOST_BOOKS_OF_A_BORROW),
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
  /** What the reader has paid for a book that was found again, in PLN, and did not get back yet: the library owes it to him. */
  refundDue: z.number().min(0),
  renewals: z.int().min(0),
  availableActions: z.array(borrowActionSchema).max(BORROW_ACTIONS.length),
  /** What a librarian can undo now, the latest first: the revision that `Borrow/undo` takes, and until when it does. */
  undo: z
    .array(
      z.object({
        revision: z.int().min(0),
        what: growing(z.enum(UNDOABLE), 'other'),
        until: z.iso.datetime(),
        /** The books that it is about; none where it is about money alone. */
        bookIds: z.array(z.int()).max(MOST_BOOKS_OF_A_BORROW),
      }),
    )
    .max(MOST_UNDOABLE),
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

/** Sort keys of the queue (section 9); `BorrowDate` is the issue date. */
export const borrowOrderSchema = z.enum(['RentDate', 'BorrowDate', 'DueDate', 'ReturnDate']);
export type BorrowOrder = z.infer<typeof borrowOrderSchema>;

export const BORROWS_PAGE_SIZE = 20;

/**
 * `GET Borrow`. `OrderBy`, `Direction` and `Only` are ours: the specification's own call sorts one page in the browser.
 */
export const borrowListQuerySchema = z.object({
  Only: z.preprocess(blankIsAbsent, z.enum(BORROW_PARTS).optional()),
  SortBy: z.preprocess(blankIsAbsent, borrowFilterSchema.default('All')),
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

/** The body of rent-books. */
export const bookIdsBodySchema = z.object({
  bookIds: z.array(bookIdSchema).min(1, 'Choose at least one book.').max(MOST_NAMED),
});
export type BookIdsBody = z.infer<typeof bookIdsBodySchema>;

/** The codes of copies whose labels were scanned or typed. */
const codesSchema = z.array(oneLine(z.string().max(40))).max(MOST_NAMED);

/** Whether a copy that is kept for another reader's hold is to be used all the same: he then waits again, at his place. */
const evenIfHeld = z.boolean().default(false);

/** The body of issue-books, return-books and take-back-books. A copy's code stands for its book, and says which copy it is. */
export const deskBodySchema = z
  .object({ bookIds: z.array(bookIdSchema).max(MOST_NAMED).default([]), copies: codesSchema.default([]) })
  .refine(({ bookIds, copies }) => bookIds.length + copies.length > 0, {
    path: ['bookIds'],
    error: 'Choose at least one book.',
  });
export type DeskBody = z.infer<typeof deskBodySchema>;

/** The body of lend. */
export const lendBodySchema = z
  .intersection(deskBodySchema, z.object({ evenIfHeld }))
  .refine(({ bookIds, copies, evenIfHeld: even }) => !even || bookIds.length + copies.length === 1, {
    path: ['evenIfHeld'],
    error: 'Lend what is kept for another reader one book at a time.',
  });
export type LendBody = z.infer<typeof lendBodySchema>;

/** The body of rebind-copies. */
export const rebindBodySchema = z.object({ copies: codesSchema.min(1, 'Scan at least one copy.') });
export type RebindBody = z.infer<typeof rebindBodySchema>;

/** The query of issue-books, return-books, take-back-books, rebind-copies, waive-fee, mark-lost, mark-found and undo. */
export const deskQuerySchema = z.object({ borrowId: z.uuid(), userId: z.uuid() });

/** The query of lend: the reader. */
export const lendQuerySchema = z.object({ userId: z.uuid() });

/** The query of cancel-rent. Without `userId` it is the caller's own rent. */
export const cancelQuerySchema = z.object({
  borrowId: z.uuid(),
  userId: z.preprocess(blankIsAbsent, z.uuid().optional()),
});

/** The body of waive-fee. */
export const waiverBodySchema = z.object({
  /** grosze */
  amount: z.int().min(1),
  reason: z.enum(WAIVER_REASONS),
  /** The reason in words, which lies beside the log and goes with the reader's or the librarian's account. */
  note: z.preprocess(blankIsAbsent, oneLine(z.string().max(500)).optional()),
});
export type WaiverBody = z.infer<typeof waiverBodySchema>;

/** The body of mark-lost: the book that the reader lost, or brought back so damaged that nobody can borrow it. */
export const lossBodySchema = z.object({ bookId: bookIdSchema, as: z.enum(LOSSES) });
export type LossBody = z.infer<typeof lossBodySchema>;

/** The body of mark-found: the lost book. */
export const foundBodySchema = lossBodySchema.pick({ bookId: true });
export type FoundBody = z.infer<typeof foundBodySchema>;

/** The body of undo: the event, by its revision in the reader's stream, as `undo` of a borrow names it. */
export const undoBodySchema = z.object({ revision: z.int().min(0), evenIfHeld });
export type UndoBody = z.infer<typeof undoBodySchema>;

/**
 * The query of renew. `dueDate` is the due date that the renewal extends, as the list showed it: each is extended once, and a
 * second call gets the first one's answer. Without it and without a key, a call within ten minutes of a renewal is a repeat.
 */
export const renewQuerySchema = z.object({
  borrowId: z.uuid(),
  userId: z
    .preprocess(blankIsAbsent, z.uuid().optional())
    .describe('Whose borrow it is, where a librarian renews it. Without it, it is the caller’s own.'),
  dueDate: z.preprocess(
    blankIsAbsent,
    z.iso
      .datetime({ offset: true, error: 'Name the due date as the list does, as 2026-11-05T10:15:00.000Z.' })
      .describe(
        'The due date that this renewal extends, as the list shows it. Each is extended once: a second call gets the ' +
          'first one’s answer. Without it the current one is extended; without a key as well, a call within ten minutes of ' +
          'a renewal is taken for a repeat of it.',
      )
      .optional(),
  ),
});

/** The answer to a borrow command. */
export const commandAnswerSchema = z.object({
  borrowId: z.uuid(),
  /** Log position of the stored events. */
  position: z.string(),
  /** False if the lists did not catch up in time; the command has succeeded nevertheless. */
  upToDate: z.boolean(),
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
    .max(MOST_BOOKS_OF_A_BORROW),
});
export type TakenBack = z.infer<typeof takenBackSchema>;

/** The answer to lend; `id` is the new borrow's too. */
export const lentAnswerSchema = commandAnswerSchema.extend({ id: z.uuid() });
export type LentAnswer = z.infer<typeof lentAnswerSchema>;
