import { z } from 'zod';
import { borrowViewSchema } from '../borrowing/borrow-views.js';

/** Of a number as long as a card can have. */
const MAX_BARS = 300;

export const cardSchema = z.object({
  number: z.string(),
  /** The widths of its bars and spaces as Code 128, in modules, bars first. */
  bars: z.array(z.int().min(1)).max(MAX_BARS),
  issuedAt: z.iso.datetime(),
  blockedAt: z.iso.datetime().nullable(),
  /** Whether it has a PIN, which devices may ask for. */
  hasPin: z.boolean(),
});
export type Card = z.infer<typeof cardSchema>;

const count = z.int().min(0);

/** A borrow that is not over, and what a renewal would do to it. */
const openBorrowSchema = z.object({
  borrow: borrowViewSchema,
  /** The new due date, or the reason why there is none; null where the books are not with the reader. */
  renewal: z.union([z.object({ until: z.iso.datetime() }), z.object({ refusal: z.string() })]).nullable(),
});
export type OpenBorrow = z.infer<typeof openBorrowSchema>;

/** Borrows of one reader that are not over: as many as the rules may allow books. */
export const OPEN_BORROWS_SHOWN = 1_000;

/** How a reader stands: what they have and owe. */
export const readerStandingSchema = z.object({
  /**
   * What is not over: waiting for them, with them, not paid, or paid for a book that was found, so that it is owed to them; what is
   * due first comes first.
   */
  borrows: z.array(openBorrowSchema).max(OPEN_BORROWS_SHOWN),
  /** In PLN. */
  owes: z.number().min(0),
  /** What the library owes them, in PLN. */
  refund: z.number().min(0),
  /** Books that they have or that wait for them, and how many they may. */
  books: z.object({ have: count, most: count }),
  /** What they are told of why they may not rent now, whatever the book; null where they may. */
  block: z.string().nullable(),
});
export type ReaderStanding = z.infer<typeof readerStandingSchema>;

/** How a reader stands, with their card, without what librarians wrote for each other. */
export const ownCardSchema = z.object({
  card: cardSchema,
  ...readerStandingSchema.shape,
});
export type OwnCard = z.infer<typeof ownCardSchema>;
