import * as m from '#words/messages.js';
import { z } from 'zod';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { call } from '../call.js';
import { bookIdSchema } from '../catalogue/book-views.js';
import { oneLine } from '../plain-text.js';
import { borrowDetailsSchema } from './borrow-details.js';
import { LIMIT_REASONS, WAIVER_REASONS } from './borrow-events.js';
import {
  borrowListQuerySchema,
  borrowPageSchema,
  commandAnswerSchema,
  lentAnswerSchema,
  MAX_BOOKS_PER_BORROW,
  takenBackSchema,
} from './borrow-views.js';
import { LOSSES } from './borrowed-book.js';

/** Books that one request names by their numbers, and as many by the codes of copies. */
const MAX_NAMED = MAX_BOOKS_PER_BORROW / 2;

/** The codes of copies whose labels were scanned or typed. */
const codesSchema = z.array(oneLine(z.string().max(40))).max(MAX_NAMED);

/** A copy's code stands for its book, and says which copy it is. */
const deskBodySchema = z
  .object({ bookIds: z.array(bookIdSchema).max(MAX_NAMED).default([]), copies: codesSchema.default([]) })
  .refine(({ bookIds, copies }) => bookIds.length + copies.length > 0, {
    path: ['bookIds'],
    error: () => m.borrow_choose_books(),
  });
export type DeskBody = z.infer<typeof deskBodySchema>;

/** Whether a copy that is kept for another reader's hold is to be used all the same: they then wait again, at their place. */
const evenIfHeld = z.boolean().default(false);

/** Why a librarian goes beyond what refused it (`LIMITS_OF`): it is done all the same. Nobody does so for themselves. */
const beyondLimit = z.preprocess(emptyAsUndefined, z.enum(LIMIT_REASONS).optional());

const ofReader = z.preprocess(emptyAsUndefined, z.uuid().optional());

/** What a librarian does with a borrow of a reader. */
const atTheDesk = {
  may: ['desk'],
  query: z.object({ borrowId: z.uuid(), userId: z.uuid() }),
  keyed: true,
} as const;

export const rentBooks = call('POST Borrow/rent-books', {
  may: ['SignedIn'],
  body: z.object({
    bookIds: z
      .array(bookIdSchema)
      .min(1, { error: () => m.borrow_choose_books() })
      .max(MAX_NAMED),
  }),
  decidedByLog: true,
  answer: commandAnswerSchema,
  keyed: true,
});

export const issueBooks = call('POST Borrow/issue-books', {
  ...atTheDesk,
  body: z.intersection(deskBodySchema, z.object({ beyondLimit })),
  decidedByLog: true,
  answer: commandAnswerSchema,
});

/** The answer names for whom copies are kept that came back. */
export const returnBooks = call('POST Borrow/return-books', {
  ...atTheDesk,
  body: deskBodySchema,
  decidedByLog: true,
  answer: takenBackSchema,
});

/** Takes back what is brought, whatever is owed: a fee is left to be paid. */
export const takeBackBooks = call('POST Borrow/take-back-books', {
  ...atTheDesk,
  may: ['desk', 'stocktaking'],
  body: deskBodySchema,
  decidedByLog: true,
  answer: takenBackSchema,
});

/** Lends what a reader has chosen at the shelves: rents and issues in one. */
export const lendBooks = call('POST Borrow/lend', {
  may: ['desk'],
  query: z.object({ userId: z.uuid() }),
  body: z
    .intersection(deskBodySchema, z.object({ evenIfHeld, beyondLimit }))
    .refine(({ bookIds, copies, evenIfHeld: even }) => !even || bookIds.length + copies.length === 1, {
      path: ['evenIfHeld'],
      error: () => m.borrow_held_one_at_a_time(),
    }),
  decidedByLog: true,
  answer: lentAnswerSchema,
  keyed: true,
});

/** Says which copies are with the reader, where they were issued by title or as other copies. */
export const rebindCopies = call('POST Borrow/rebind-copies', {
  ...atTheDesk,
  body: z.object({ copies: codesSchema.min(1, { error: () => m.borrow_scan_copies() }) }),
  answer: commandAnswerSchema,
});

/** Gives up what was rented and not collected. Without `userId` it is the caller's own rent. */
export const cancelRent = call('POST Borrow/cancel-rent', {
  may: ['SignedIn'],
  forOthers: ['desk'],
  query: z.object({ borrowId: z.uuid(), userId: ofReader }),
  decidedByLog: true,
  answer: commandAnswerSchema,
  keyed: true,
});

/**
 * `dueDate` is the due date that the renewal extends, as the list showed it: each is extended once, and a second call gets the
 * first one's answer. Without it and without a key, a call within ten minutes of a renewal is a repeat.
 */
export const renewBorrow = call('POST Borrow/renew', {
  may: ['SignedIn'],
  forOthers: ['desk'],
  query: z.object({
    borrowId: z.uuid(),
    userId: ofReader.describe(
      'Whose borrow it is, where a librarian renews it. Without it, it is the caller’s own.',
    ),
    dueDate: z.preprocess(
      emptyAsUndefined,
      z.iso
        .datetime({ offset: true, error: () => m.borrow_due_date_as_listed() })
        .describe(
          'The due date that this renewal extends, as the list shows it. Each is extended once: a second call gets the ' +
            'first one’s answer. Without it the current one is extended; without a key as well, a call within ten minutes of ' +
            'a renewal is taken for a repeat of it.',
        )
        .optional(),
    ),
    beyondLimit,
  }),
  decidedByLog: true,
  answer: commandAnswerSchema,
  keyed: true,
});

export const waiverBodySchema = z.object({
  /** grosze */
  amount: z.int().min(1),
  reason: z.enum(WAIVER_REASONS),
  /** The reason in words, which lies beside the log and goes with the reader's or the librarian's account. */
  note: z.preprocess(emptyAsUndefined, oneLine(z.string().max(500)).optional()),
});
export type WaiverBody = z.infer<typeof waiverBodySchema>;

/** Waives a fee, in part or whole. */
export const waiveFee = call('POST Borrow/waive-fee', {
  ...atTheDesk,
  may: ['waive'],
  body: waiverBodySchema,
  answer: commandAnswerSchema,
});

/** The reader lost a book, or brought it back so damaged that nobody can borrow it: it is charged for. */
export const markLost = call('POST Borrow/mark-lost', {
  ...atTheDesk,
  body: z.object({ bookId: bookIdSchema, as: z.enum(LOSSES) }),
  answer: commandAnswerSchema,
});

/** A book that was marked lost turned up: its charge is taken back. The answer names for whom its copy is kept. */
export const markFound = call('POST Borrow/mark-found', {
  ...atTheDesk,
  body: z.object({ bookId: bookIdSchema }),
  answer: takenBackSchema,
});

/** Undoes an issue, a return, a waiver, a loss or a payment at the desk of the last minutes, as `undo` of a borrow names it. */
export const undoAtDesk = call('POST Borrow/undo', {
  ...atTheDesk,
  body: z.object({ revision: z.int().min(0), evenIfHeld }),
  answer: commandAnswerSchema,
});

export const listBorrows = call('GET Borrow', {
  may: ['queue'],
  query: borrowListQuerySchema,
  answer: borrowPageSchema,
});

/** One borrow with its reader and what happened to it. */
export const readBorrow = call('GET Borrow/details', {
  may: ['queue', 'desk'],
  query: z.object({ borrowId: z.uuid() }),
  answer: borrowDetailsSchema,
});
