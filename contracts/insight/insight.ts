import * as m from '#words/messages.js';
import { z } from 'zod';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { call } from '../call.js';
import { daysBetween } from '../local-day.js';
import { pageQuery, pagedSchema } from '../paging.js';
import { BOOK_KINDS } from '../rules/kinds.js';

/**
 * What the log can be asked:
 * - `titles`, `genres`: how often books were lent, and what of it came to one copy
 * - `idle`: which books nobody borrowed
 * - `wanted`: which titles are waited for, and how many copies more would do
 * - `hours`: at which hours of the day books were rented, issued and returned
 */
export const INSIGHTS = ['titles', 'genres', 'idle', 'wanted', 'hours'] as const;
export type Insight = (typeof INSIGHTS)[number];

/** How many titles a list shows; its file has all of them. */
export const TITLES_SHOWN = 100;
/** How many genres; their file has all of them too. */
export const GENRES_SHOWN = 200;

const FIRST_DAY = '1970-01-01';
const LAST_DAY = '2999-12-31';
const MAX_DAYS = 3_660;

const day = z.iso
  .date()
  .refine((text) => text >= FIRST_DAY && text <= LAST_DAY, { error: () => m.common_span_too_early() });

/** Days of the library's calendar, the last one included. */
const span = { from: day, to: day };

function inOrder({ from, to }: { from: string; to: string }, context: z.core.$RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['to'], message });
  if (from > to) refuse(m.common_span_out_of_order());
  else if (daysBetween(from, to) >= MAX_DAYS) refuse(m.common_span_too_long());
}

const insightQuerySchema = z.object(span).superRefine(inOrder);
export type InsightQuery = z.infer<typeof insightQuerySchema>;

/** Days that nobody is to wait longer, where none are named. */
export const USUAL_WAIT = 14;
const within = z.coerce.number().int().min(1).max(365).default(USUAL_WAIT);

const wantedQuerySchema = z.object({ ...span, within }).superRefine(inOrder);
export type WantedQuery = z.infer<typeof wantedQuerySchema>;

/** `within` is for `wanted`. */
const insightFileQuerySchema = z.object({ of: z.enum(INSIGHTS), ...span, within }).superRefine(inOrder);
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
  items: z.array(lentTitleSchema).max(TITLES_SHOWN),
});
export type TitlesInsight = z.infer<typeof titlesInsightSchema>;

/** Stands for books that have no genre, or are no longer in the catalogue. */
export const NO_GENRE = 0;

/** The genres there are today, the one lent most first, `GENRES_SHOWN` of them. A book counts in each of its genres. */
export const genresInsightSchema = z.object({
  /** Of all books, each counted once. */
  loans: count,
  /** Genres, and `NO_GENRE`. */
  totalCount: count,
  items: z
    .array(
      z.object({
        genreId: count,
        /** Empty for `NO_GENRE`. */
        name: z.string(),
        /** In the catalogue as it is now. */
        titles: count,
        copies: count,
        loans: count,
      }),
    )
    .max(GENRES_SHOWN),
});
export type GenresInsight = z.infer<typeof genresInsightSchema>;

/**
 * Books that have copies, were there before the first day, and were with no reader in all those days: those lent longest ago
 * first, `TITLES_SHOWN` of them.
 */
export const idleInsightSchema = z.object({
  totalCount: count,
  copies: count,
  items: z
    .array(
      z.object({
        bookId: z.int(),
        title: z.string(),
        copies: count,
        addedAt: z.iso.datetime(),
        /** When it was issued last, before the span; null: never. */
        lastLoan: z.iso.datetime().nullable(),
      }),
    )
    .max(TITLES_SHOWN),
});
export type IdleInsight = z.infer<typeof idleInsightSchema>;

/** What became of holds in the span. */
export const HOLD_OUTCOMES = ['Reserved', 'Cancelled', 'NotCollected', 'NotNeeded'] as const;
export type HoldOutcome = (typeof HOLD_OUTCOMES)[number];
const outcomes = { Reserved: count, Cancelled: count, NotCollected: count, NotNeeded: count };

/** The titles that somebody waits for now, those that lack the most copies first, `TITLES_SHOWN` of them. */
export const wantedInsightSchema = z.object({
  /** When it was counted: what is said of now is of this instant. */
  at: z.iso.datetime(),
  /** Readers' holds on all titles that wait for a copy now, those that pause with them. */
  waiting: count,
  totalCount: count,
  /** For all titles. */
  copiesToBuy: count,
  /** Of all titles, those for which nobody waits any more with them. */
  ...outcomes,
  items: z
    .array(
      z.object({
        bookId: z.int(),
        title: z.string(),
        kind: z.enum(BOOK_KINDS),
        /** That can be lent: neither lost nor damaged nor withdrawn; none of what is for the reading room only. */
        copies: count,
        waiting: count,
        paused: count,
        /** When the hold was placed that is the first in the queue. */
        firstSince: z.iso.datetime(),
        /** In about how many days the last one who does not pause may have a copy; null where nobody can say. */
        lastInDays: count.nullable(),
        /** The fewest copies more with which that would be `within` days at most; of what is for the reading room only, none. */
        copiesToBuy: count,
        ...outcomes,
      }),
    )
    .max(TITLES_SHOWN),
});
export type WantedInsight = z.infer<typeof wantedInsightSchema>;
export type WantedTitle = WantedInsight['items'][number];

/** What happened to a book of a borrow. */
export const ACTIVITIES = ['Rented', 'Issued', 'Returned'] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** All 24 hours of the library's clock, with the books to which it happened in each. */
export const hoursInsightSchema = z.object({
  timeZone: z.string(),
  items: z.array(z.object({ hour: count, Rented: count, Issued: count, Returned: count })).max(24),
});
export type HoursInsight = z.infer<typeof hoursInsightSchema>;

/** What happened to a hold; `Waiting`: it was placed whenever, and waits now. */
export const HOLD_ACTIVITIES = ['Waiting', ...HOLD_OUTCOMES] as const;
export type HoldActivity = (typeof HOLD_ACTIVITIES)[number];

export const ACTIVITIES_PAGE_SIZE = 20;

const absent = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(emptyAsUndefined, schema.optional());

/** What a figure counts, the latest first. */
const activitiesQuerySchema = z
  .object({
    ...span,
    /** Absent: whatever happened to the books of borrows. */
    what: absent(z.enum([...ACTIVITIES, ...HOLD_ACTIVITIES])),
    bookId: absent(z.coerce.number().int().min(1).max(2_147_483_647)),
    /** `NO_GENRE` for none. */
    genreId: absent(z.coerce.number().int().min(0).max(2_147_483_647)),
    /** Of the library's clock. */
    hour: absent(z.coerce.number().int().min(0).max(23)),
    ...pageQuery(ACTIVITIES_PAGE_SIZE),
  })
  .superRefine(inOrder);
export type ActivitiesQuery = z.infer<typeof activitiesQuerySchema>;

/** It names no person: who may see whose borrow or hold it was opens that, and only then is it a look at somebody. */
const happeningSchema = z.object({
  at: z.iso.datetime(),
  what: z.enum([...ACTIVITIES, ...HOLD_OUTCOMES]),
  /** Of what happened to a borrow. */
  borrowId: z.uuid().nullable(),
  /** Of what happened to a hold. */
  holdId: z.uuid().nullable(),
  bookId: z.int(),
  /** As it was when the book was rented, or reserved. */
  title: z.string(),
});
export const activitiesPageSchema = pagedSchema(happeningSchema);
export type ActivitiesPage = z.infer<typeof activitiesPageSchema>;

/** No answer names a person, so none of these is a look at somebody. Each has a deadline of its own. */
const staff = { may: ['insight'], takesLong: true } as const;
const ofSpan = { ...staff, query: insightQuerySchema } as const;

/** Each sort of figures, by its name. */
export const readTitles = call('GET Insight/titles', { ...ofSpan, answer: titlesInsightSchema });
export const readGenres = call('GET Insight/genres', { ...ofSpan, answer: genresInsightSchema });
export const readIdle = call('GET Insight/idle', { ...ofSpan, answer: idleInsightSchema });
export const readHours = call('GET Insight/hours', { ...ofSpan, answer: hoursInsightSchema });
export const readWanted = call('GET Insight/wanted', {
  ...staff,
  query: wantedQuerySchema,
  answer: wantedInsightSchema,
});

/** What a figure counts. */
export const readActivities = call('GET Insight/events', {
  ...staff,
  query: activitiesQuerySchema,
  answer: activitiesPageSchema,
});

/** The whole of a list. */
export const fetchInsight = call('GET Insight/file', {
  ...staff,
  query: insightFileQuerySchema,
  answer: 'text/csv',
});
