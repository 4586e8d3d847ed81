import * as m from '#words/messages.js';
import { z } from 'zod';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { borrowStatusSchema } from '../borrowing/borrow-status.js';
import { borrowViewSchema } from '../borrowing/borrow-views.js';
import { MAX_PAGE_SIZE } from '../paging.js';

/** A place in a reader's history: after an event, or at an instant. */
export type At = { revision: number } | { instant: string };

const instantSchema = z.iso.datetime({ offset: true });

/**
 * `at` of a query string. An instant is compared with the events' own times: the state at it is that after the
 * last event before which nothing is later than the instant. A revision is that of the last event that counts.
 */
const atSchema = z.string({ error: m.audit_at_invalid }).transform((text, context): At => {
  if (/^(-1|\d{1,15})$/.test(text)) return { revision: Number(text) };
  if (instantSchema.safeParse(text).success) return { instant: new Date(text).toISOString() };
  context.addIssue({ code: 'custom', message: m.audit_at_invalid() });
  return z.NEVER;
});

/** Absent or empty: as it is now. */
export const optionalAt = z.preprocess(emptyAsUndefined, atSchema.optional()) as z.ZodType<
  At | undefined,
  string | number | undefined
>;

/** The moment that an answer about the past describes. */
export const asOfSchema = z.object({
  /** Of the last event that counts; -1 before the first. */
  revision: z.int().min(-1),
  /** The instant asked for; of a revision, the time of that event. null before the first event. */
  at: z.iso.datetime().nullable(),
});
export type AsOf = z.infer<typeof asOfSchema>;

/** Sums over all borrows of a reader at one moment, in PLN. */
export const borrowTotalsSchema = z.object({
  borrows: z.int().min(0),
  byStatus: z.record(borrowStatusSchema, z.int().min(0)),
  charged: z.number().min(0),
  paid: z.number().min(0),
  due: z.number().min(0),
});
export type BorrowTotals = z.infer<typeof borrowTotalsSchema>;

/** A page of the borrows as they were, the newest first, without actions. */
export const pastBorrowsSchema = z.object({
  asOf: asOfSchema,
  totals: borrowTotalsSchema,
  items: z.array(borrowViewSchema).max(MAX_PAGE_SIZE),
  totalCount: z.int().min(0),
});
export type PastBorrows = z.infer<typeof pastBorrowsSchema>;

export const STATE_PAGE_SIZE = 20;

/** Null if it had not been rented yet. */
export const pastBorrowSchema = z.object({ asOf: asOfSchema, borrow: borrowViewSchema.nullable() });
export type PastBorrow = z.infer<typeof pastBorrowSchema>;
