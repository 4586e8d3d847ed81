import { z } from 'zod';
import { openEnum } from '../open-enum.js';
import { beyondSchema, WAIVER_REASONS } from './borrow-events.js';
import { borrowViewSchema, MAX_BOOKS_PER_BORROW } from './borrow-views.js';

/** What is told of one borrow at most: nothing goes on for so long. */
export const MAX_STEPS = 1_000;

/** Something that happened to a borrow, in the order of its log. */
export const borrowStepSchema = z.object({
  /** Of the event in the reader's stream. */
  revision: z.int().min(0),
  /** The event's type. */
  type: z.string(),
  /** The event's own time. */
  at: z.iso.datetime(),
  /** The name of the person, or the device of self-service, who did it as it is now, or of the library's job that did. */
  by: z.string(),
  /** Whether a person did it, be it by themselves at a device. */
  byPerson: z.boolean(),
  /** In PLN; null where it is not about money. */
  amount: z.number().nullable(),
  /** When the books are due from then on; null where it changes nothing about that. */
  dueDate: z.iso.datetime().nullable(),
  /** Why a fee was waived; null where none was. */
  reason: openEnum(z.enum(WAIVER_REASONS), 'other').nullable(),
  /** Beyond which limits it was done, and why; null where none was in the way. */
  beyond: beyondSchema.nullable(),
});
export type BorrowStep = z.infer<typeof borrowStepSchema>;

/** Everything that the desk shows of one borrow. */
export const borrowDetailsSchema = z.object({
  borrow: borrowViewSchema,
  /** How to reach the reader; null where the account was removed. */
  reader: z.object({ userName: z.string(), email: z.string() }).nullable(),
  /** The last ones, where there are more. */
  steps: z.array(borrowStepSchema).max(MAX_STEPS),
  /** What would be charged for each book that is with the reader, were it lost or damaged, in PLN. */
  lossCharges: z.array(z.object({ bookId: z.int(), amount: z.number().min(0) })).max(MAX_BOOKS_PER_BORROW),
});
export type BorrowDetails = z.infer<typeof borrowDetailsSchema>;
