import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { pageQuery, pagedSchema } from '../paging.js';
import { bookFilterShape, isFiltered } from './book-facets.js';
import { BOOK_KINDS } from '../rules/kinds.js';

/** A book's number, as large as the database keeps it. */
export const bookIdSchema = z.int().positive().max(2_147_483_647);

/** Of one book. */
export const MAX_AUTHORS = 100;
export const MAX_GENRES = 50;
/** Other titles or names of one thing that are kept. */
export const MAX_VARIANTS = 50;

/** A book as lists show it (specification, section 3). */
export const bookListItemSchema = z.object({
  id: z.int(),
  isbn: z.string(),
  title: z.string(),
  /** Null where the book is of no series. */
  series: z.string().nullable(),
  /** Its place in the series, as it is printed: `1`, `1-3`, `0.5`. */
  volume: z.string().nullable(),
  authors: z.array(z.object({ id: z.int(), firstname: z.string(), lastname: z.string() })).max(MAX_AUTHORS),
  /** None where nobody knows any. */
  genres: z.array(z.object({ id: z.int(), name: z.string() })).max(MAX_GENRES),
  /** Null where nobody knows it. */
  publisher: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** When it came out, as exactly as anybody knows: a year, `-720` one before our era, a month or a day; null where nobody does. */
  published: z.string().nullable(),
  /** The first day of that, yyyy-MM-dd; null before our era too. */
  publicationDate: z.iso.date().nullable(),
  copiesAvailable: z.int().min(0),
  /** Copies that the library owns, lent or not. */
  copiesTotal: z.int().min(0),
  /** By which rules it is lent; what is for the reading room only is not. */
  kind: z.enum(BOOK_KINDS),
  /** Null where there is no picture: the cover is then drawn from the book itself. */
  photo: z.object({ url: z.string() }).nullable(),
});
export type BookListItem = z.infer<typeof bookListItemSchema>;

/** A book with everything that its page shows. */
export const bookSchema = bookListItemSchema.extend({
  /** ISO 639, of two letters where there is such a code; null where nobody knows it. */
  language: z.string().nullable(),
  /** Null where it is the title, or nobody knows it. */
  originalTitle: z.string().nullable(),
  otherTitles: z.array(z.string()).max(MAX_VARIANTS),
  description: z.string(),
  authors: z
    .array(
      z.object({
        id: z.int(),
        firstname: z.string(),
        lastname: z.string(),
        fullname: z.string(),
        nationality: z.string(),
        biography: z.string(),
        otherNames: z.array(z.string()).max(MAX_VARIANTS),
      }),
    )
    .max(MAX_AUTHORS),
  genres: z.array(z.object({ id: z.int(), name: z.string(), description: z.string() })).max(MAX_GENRES),
  publisher: z
    .object({
      id: z.int(),
      name: z.string(),
      adress: z.string(),
      phone: z.string(),
      website: z.string(),
    })
    .nullable(),
  /** What a lost copy costs, in PLN; null where nobody has said it. */
  price: z.number().min(0).nullable(),
  /** How many wait for a copy. */
  holds: z.int().min(0),
  /** Counts the changes of the book's record; lending a copy is none. */
  version: z.int(),
});
export type Book = z.infer<typeof bookSchema>;

/** Books of one series that are answered at most. */
export const MAX_BOOKS_PER_SERIES = 100;

/** Characters of a search, and so the most words that it may have. */
const LONGEST_SEARCH = 200;
/** The most corrections of one word; it may be right as well. */
export const MAX_SPELLINGS = 8;
/** A word that no book has, and what it was read as. */
const correctionSchema = z.object({ typed: z.string(), read: z.array(z.string()).max(MAX_SPELLINGS + 1) });
export type Correction = z.infer<typeof correctionSchema>;

/** Groups of books that have a part of what was searched for. */
export const MAX_PARTS = 8;
/** So many books that lack the same of what was searched for. */
const partialMatchesSchema = z.object({
  /** The words that they lack, as they were typed. */
  without: z.array(z.string()).max(LONGEST_SEARCH),
  books: z.int().min(1),
});
export type PartialMatches = z.infer<typeof partialMatchesSchema>;

const bookPageSchema = pagedSchema(bookListItemSchema).extend({
  /**
   * Only where few books or none have everything: the last books of the whole list have less, group by group; `totalCount`
   * counts them, and facets narrow them.
   */
  partial: z.array(partialMatchesSchema).max(MAX_PARTS).optional(),
  /** Only where nothing has the words as they were typed. */
  corrections: z.array(correctionSchema).max(LONGEST_SEARCH).optional(),
});
export type BookPage = z.infer<typeof bookPageSchema>;

/** How many of each are suggested. */
export const SUGGESTIONS_SHOWN = { books: 5, authors: 3, genres: 3 } as const;

/** What a person who types this may mean, the likeliest first. */
const suggestionsSchema = z.object({
  books: z
    .array(z.object({ id: z.int(), title: z.string(), authors: z.string(), year: z.int().nullable() }))
    .max(SUGGESTIONS_SHOWN.books),
  authors: z.array(z.object({ id: z.int(), name: z.string() })).max(SUGGESTIONS_SHOWN.authors),
  genres: z.array(z.object({ id: z.int(), name: z.string() })).max(SUGGESTIONS_SHOWN.genres),
});
export type Suggestions = z.infer<typeof suggestionsSchema>;

/** `No sorting` is none: then the best matches of a search come first, and without a search the newest. */
export const bookSortSchema = z.enum(['none', 'Title', 'ISBN', 'Copies', 'CopiesAvailable']);
export type BookSort = z.infer<typeof bookSortSchema>;

export const CATALOGUE_PAGE_SIZE = 12;
export const ADMIN_BOOKS_PAGE_SIZE = 10;

const bookListQuerySchema = z
  .object({
    SortBy: z.preprocess(emptyAsUndefined, bookSortSchema.default('none')),
    SearchTerm: z.string().max(LONGEST_SEARCH).default(''),
    /** Only the books that the dashboard's counter "New books in last month" counts. */
    Added: z.preprocess(emptyAsUndefined, z.literal('LastMonth').optional()),
    /** Only the books of this kind. */
    Kind: z.preprocess(
      emptyAsUndefined,
      z
        .enum(BOOK_KINDS, { error: () => m.catalogue_kind_wrong({ kinds: BOOK_KINDS.join(', ') }) })
        .optional(),
    ),
    ...bookFilterShape,
    ...pageQuery(CATALOGUE_PAGE_SIZE),
  })
  .refine(({ Added, SearchTerm }) => Added === undefined || SearchTerm.trim() === '', {
    path: ['Added'],
    error: m.catalogue_new_books_searched,
  })
  .refine((query) => query.Added === undefined || !isFiltered(query), {
    path: ['Added'],
    error: m.catalogue_new_books_narrowed,
  })
  .refine(
    ({ Kind, ...query }) =>
      Kind === undefined || (!query.Added && query.SearchTerm.trim() === '' && !isFiltered(query)),
    {
      path: ['Kind'],
      error: m.catalogue_kind_narrowed,
    },
  );
export type BookListQuery = z.infer<typeof bookListQuerySchema>;

/** A book's id in a path. */
export const bookParamsSchema = z.object({ id: z.coerce.number().int().positive() });

/** Enough for every cover on a screen. */
const MAX_COVERS = 100;

/** What covers are made of: a picture where there is one, otherwise the book itself. Deleted books are left out. */
const coveredBooksSchema = z
  .array(
    bookListItemSchema.pick({ id: true, isbn: true, title: true, authors: true, genres: true, photo: true }),
  )
  .max(MAX_COVERS);
export type CoveredBooks = z.infer<typeof coveredBooksSchema>;

/** What of the catalogue is public. */
const open = { may: ['Everybody'] } as const;
const ofBook = { ...open, params: bookParamsSchema } as const;

export const listBooks = call('GET Book', { ...open, query: bookListQuerySchema, answer: bookPageSchema });

export const readCovers = call('GET Book/covers', {
  ...open,
  query: z.object({
    ids: z
      .string()
      .regex(/^\d{1,10}(,\d{1,10})*$/, { error: m.catalogue_book_ids_wrong })
      .transform((text) => [...new Set(text.split(',').map(Number))])
      .pipe(
        z
          .array(bookIdSchema)
          .max(MAX_COVERS, { error: () => m.catalogue_too_many_covers({ most: MAX_COVERS }) }),
      ),
  }),
  answer: coveredBooksSchema,
});

/** For what is typed so far. */
export const suggestBooks = call('GET Book/suggest', {
  ...open,
  query: z.object({ SearchTerm: z.string().max(LONGEST_SEARCH).default('') }),
  answer: suggestionsSchema,
});

export const readBook = call('GET Book/:id', { ...ofBook, answer: bookSchema });

/** The books of its series by volume, itself among them. */
export const readSeries = call('GET Book/:id/series', {
  ...ofBook,
  answer: z.array(bookListItemSchema).max(MAX_BOOKS_PER_SERIES),
});

/** `v` is the hash of the picture: with it the picture is kept for ever. */
export const fetchCover = call('GET Book/:id/cover', { ...ofBook, answer: 'image/webp' });
