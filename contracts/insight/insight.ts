import { z } from 'zod';
import { blankIsAbsent } from '../blank.js';
import { daysBetween } from '../local-day.js';
import { pageQuery, pagedSchema } from '../paging.js';

/**
 * What the log can be asked:
 * - `titles`, `genres`: how often books were lent, and what of it came to one copy
 * - `idle`: which books nobody borrowed
 * - `hours`: at which hours of the day books were rented, issued and returned
 */
export const INSIGHTS = ['titles', 'genres', 'idle', 'hours'] as const;
export type Insight = (typeof INSIGHTS)[number];

/** How many titles a list shows; its file has all of them. */
export const TITLES_SHOWN = 100;

const FIRST_DAY = '1970-01-01';
const LAST_DAY = '2999-12-31';
const MOST_DAYS = 3_660;

const day = z.iso
  .date()
  .refine((text) => text >= FIRST_DAY && text <= LAST_DAY, 'Please choose a day from 1970 on.');

/** Days of the library's calendar, the last one included. */
const span = { from: day, to: day };

function inOrder({ from, to }: { from: string; to: string }, context: z.core.$RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['to'], message });
  if (from > to) refuse('The last day has to be on or after the first one.');
  else if (daysBetween(from, to) >= MOST_DAYS) refuse('Please choose ten years at most.');
}

/** `GET Insight/titles`, `genres`, `idle` and `hours` */
export const insightQuerySchema = z.object(span).superRefine(inOrder);
export type InsightQuery = z.infer<typeof insightQuerySchema>;

/** `GET Insight/file`: the whole of a list, as CSV. */
export const insightFileQuerySchema = z.object({ of: z.enum(INSIGHTS), ...span }).superRefine(inOrder);
export type InsightFileQuery = z.infer<typeof insightFileQuerySchema>;

const count = z.int().min(0);

/** A title that was lent. */
const lentTitleSchema = z.object({
  bookId: z.int(),
  title: z.string(),
  /** As they are now; null for a book that is no longer in the catalogue. */
  copies: count.nullable(),
  loans: count,
});

/** The titles that were lent most, `TITLES_SHOWN` of them. */
export const titlesInsightSchema = z.object({
  /** Of all titles. */
  loans: count,
  totalCount: count,
  items: z.array(lentTitleSchema),
});
export type TitlesInsight = z.infer<typeof titlesInsightSchema>;

/** Stands for books that have no genre, or are no longer in the catalogue. */
export const NO_GENRE = 0;

/** Every genre there is today, the one lent most first. A book counts in each of its genres. */
export const genresInsightSchema = z.object({
  /** Of all books, each counted once. */
  loans: count,
  items: z.array(
    z.object({
      genreId: count,
      /** Empty for `NO_GENRE`. */
      name: z.string(),
      /** In the catalogue as it is now. */
      titles: count,
      copies: count,
      loans: count,
    }),
  ),
});
export type GenresInsight = z.infer<typeof genresInsightSchema>;

/**
 * Books that have copies, were there before the first day, and were with no reader in all those days: those lent longest ago
 * first, `TITLES_SHOWN` of them.
 */
export const idleInsightSchema = z.object({
  totalCount: count,
  copies: count,
  items: z.array(
    z.object({
      bookId: z.int(),
      title: z.string(),
      copies: count,
      addedAt: z.iso.datetime(),
      /** When it was issued last, before the span; null: never. */
      lastLoan: z.iso.datetime().nullable(),
    }),
  ),
});
export type IdleInsight = z.infer<typeof idleInsightSchema>;

/** What happened to a book of a borrow. */
export const HAPPENINGS = ['Rented', 'Issued', 'Returned'] as const;
export type Happening = (typeof HAPPENINGS)[number];

/** All 24 hours of the library's clock, with the books to which it happened in each. */
export const hoursInsightSchema = z.object({
  timeZone: z.string(),
  items: z.array(z.object({ hour: count, Rented: count, Issued: count, Returned: count })),
});
export type HoursInsight = z.infer<typeof hoursInsightSchema>;

export const HAPPENINGS_PAGE_SIZE = 20;

const absent = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(blankIsAbsent, schema.optional());

/** `GET Insight/events`: what a figure counts, the latest first. */
export const happeningsQuerySchema = z
  .object({
    ...span,
    what: absent(z.enum(HAPPENINGS)),
    bookId: absent(z.coerce.number().int().min(1).max(2_147_483_647)),
    /** `NO_GENRE` for none. */
    genreId: absent(z.coerce.number().int().min(0).max(2_147_483_647)),
    /** Of the library's clock. */
    hour: absent(z.coerce.number().int().min(0).max(23)),
    ...pageQuery(HAPPENINGS_PAGE_SIZE),
  })
  .superRefine(inOrder);
export type HappeningsQuery = z.infer<typeof happeningsQuerySchema>;

/** It names no person: who may see whose borrow it was opens that, and only then is it a look at somebody. */
const happeningSchema = z.object({
  at: z.iso.datetime(),
  what: z.enum(HAPPENINGS),
  borrowId: z.uuid(),
  bookId: z.int(),
  /** As it was when the book was rented. */
  title: z.string(),
});
export const happeningsPageSchema = pagedSchema(happeningSchema);
export type HappeningsPage = z.infer<typeof happeningsPageSchema>;
