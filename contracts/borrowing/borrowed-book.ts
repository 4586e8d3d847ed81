import { z } from 'zod';
import { BOOK_KINDS, READER_KINDS } from '../rules/kinds.js';

/** How a book can be gone for the library: nobody has it, or nobody can read it any more. */
export const LOSSES = ['lost', 'damaged'] as const;
export type Loss = (typeof LOSSES)[number];

/** A book of a borrow, as the fold and the rows keep it. What is absent has not happened. Times are ISO 8601 in UTC. */
export const borrowedBookSchema = z.object({
  bookId: z.int(),
  title: z.string(),
  /** Of the book, as it was rented; absent for one that is `loanable`. */
  kind: z.enum(BOOK_KINDS).exactOptional(),
  /** By which rules it is lent, and to which kind of reader; absent for those that were numbers in the code. */
  terms: z
    .object({ version: z.int(), reader: z.enum(READER_KINDS).exactOptional() })
    .readonly()
    .exactOptional(),
  issuedAt: z.string().exactOptional(),
  /** The reader had it from an earlier system, which said that this was its last day in time. */
  takenOver: z.iso.date().exactOptional(),
  /** The number of the copy that was handed over, where its label was scanned. */
  copy: z.int().exactOptional(),
  /** When it came back, or was said to be lost or damaged: its loan ended then. */
  returnedAt: z.string().exactOptional(),
  /** The reader lost or damaged it, and what was charged for that, in grosze. */
  loss: z
    .object({ as: z.enum(LOSSES), charged: z.int() })
    .readonly()
    .exactOptional(),
  /** When it went back to the shelf without having been collected. */
  notCollectedAt: z.string().exactOptional(),
  /** It was not collected because its rent was cancelled. */
  cancelled: z.literal(true).exactOptional(),
  /** It had been lent at the desk, and that was undone: for figures it never was. */
  undone: z.literal(true).exactOptional(),
});
export type BorrowedBook = Readonly<z.infer<typeof borrowedBookSchema>>;

/** What a book of a borrow is: waiting at the desk, with the reader, back, never collected, never lent after all, or gone. */
export const BOOK_STATES = [
  'reserved',
  'lent',
  'returned',
  'expired',
  'cancelled',
  'undone',
  ...LOSSES,
] as const;
export type BookState = (typeof BOOK_STATES)[number];

export function bookState({
  issuedAt,
  returnedAt,
  loss,
  notCollectedAt,
  cancelled,
  undone,
}: BorrowedBook): BookState {
  if (undone) return 'undone';
  if (loss !== undefined) return loss.as;
  if (returnedAt !== undefined) return 'returned';
  if (issuedAt !== undefined) return 'lent';
  if (notCollectedAt === undefined) return 'reserved';
  return cancelled ? 'cancelled' : 'expired';
}

/** Whether a borrow was lent at the desk, and that was undone: no figure counts it, and no list but that of all. */
export function neverWas(books: readonly { state: string }[]): boolean {
  return books.every(({ state }) => state === 'undone');
}
