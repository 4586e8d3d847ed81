import * as m from '#words/messages.js';
import { moneyUnit } from '../money.js';
import { z } from 'zod';
import { call } from '../call.js';
import { oneLine, plainText } from '../plain-text.js';
import { MAX_AUTHORS, MAX_GENRES, bookIdSchema, bookParamsSchema } from './book-views.js';
import { publishedSchema } from './published.js';
import { deletedSchema, editedVersionSchema, variantsSchema } from './authorities.js';
import { lenient } from '../stored-fields.js';
import { canonicalLanguage } from './language.js';
import { BOOK_KINDS } from '../rules/kinds.js';

const ISBN = { error: m.book_form_isbn_invalid };

/** An ISBN as typed, without the hyphens and blanks that it may be printed with; these do not count as characters. */
export const isbnSchema = z
  .string(ISBN)
  .transform((text) => text.replace(/[\s\u00ad\u2010-\u2015-]/g, ''))
  .pipe(z.string().min(10, ISBN).max(13, ISBN));

const ref = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });
const MAX_COPIES = 10_000;
/** As an empty multipart field arrives. */
const count = (error: () => string, least: number) =>
  z.preprocess(
    (value) => (value === '' || value === null ? undefined : value),
    z.coerce
      .number({ error })
      .int({ error })
      .min(least, { error })
      .max(MAX_COPIES, { error: () => m.book_form_too_many_copies({ most: MAX_COPIES }) }),
  );

/** A yes or no, as a form says it or as JSON does. */
const flag = z
  .enum(['true', 'false'])
  .or(z.boolean())
  .default(false)
  .transform((value) => value === true || value === 'true');

const PRICE = { error: () => m.book_form_price_invalid({ currency: moneyUnit() }) };

/** An amount in the library's currency, as typed or as JSON has it; in grosze then. Blank: there is none. */
export const priceSchema = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value === '' ? null : value),
  z
    .string(PRICE)
    .trim()
    .regex(/^\d{1,6}(?:[.,]\d{1,2})?$/, PRICE)
    .transform((text) => Math.round(Number(text.replace(',', '.')) * 100))
    .nullable(),
);

const tooLong = (most: number) => ({ error: () => m.catalogue_too_long({ most }) });

/** Blank: there is none. */
const optionalText = (longest: number) =>
  oneLine(z.string().trim().max(longest, tooLong(longest))).transform((text) => text || null);

/** A code of ISO 639, as the catalogue keeps it. Blank: nobody knows it. */
const languageSchema = z
  .string()
  .trim()
  .refine((code) => code === '' || canonicalLanguage(code) !== undefined, {
    error: m.catalogue_language_wrong,
  })
  .transform((code) => canonicalLanguage(code) ?? null);

const TITLE = { error: m.book_form_title_required };
const DESCRIPTION = { error: m.book_form_description_required };
const AUTHORS = { error: m.book_form_author_required };
const GENRES = { error: m.book_form_genre_required };

/** The fields of the book form (specification, sections 2 and 5). */
export const bookFormSchema = z.object({
  isbn: isbnSchema,
  title: oneLine(z.string(TITLE).trim().min(1, TITLE).max(500, tooLong(500))),
  description: plainText(z.string(DESCRIPTION).trim().min(1, DESCRIPTION).max(20_000, tooLong(20_000))),
  authors: z
    .array(ref, AUTHORS)
    .min(1, AUTHORS)
    .max(MAX_AUTHORS, { error: () => m.book_form_too_many_authors({ most: MAX_AUTHORS }) }),
  genres: z
    .array(ref, GENRES)
    .min(1, GENRES)
    .max(MAX_GENRES, { error: () => m.book_form_too_many_genres({ most: MAX_GENRES }) }),
  publisher: z.object(ref.shape, { error: m.book_form_publisher_required }),
  /** A day; or a year or a month, where nobody knows it more exactly. */
  publicationDate: publishedSchema,
  copiesAvailable: count(m.book_form_copies_required, 1),
  /** Left out, it stays as it is. */
  originalTitle: optionalText(500).optional(),
  otherTitles: variantsSchema,
  /** What a lost one costs. Left out, it stays as it is. */
  price: priceSchema.optional(),
  /** Left out, it stays as it is, and so does the volume. */
  series: optionalText(200).optional(),
  volume: optionalText(40).optional(),
  /** Left out, it stays as it is. */
  language: languageSchema.optional(),
  /** Left out, it stays as it is; of a new book it is the first. */
  kind: z
    .enum(BOOK_KINDS, { error: () => m.book_form_kind_wrong({ kinds: BOOK_KINDS.join(', ') }) })
    .optional(),
});
export type BookForm = z.infer<typeof bookFormSchema>;

/** @returns false for a volume without its series */
export function isVolumeOfSeries({ series, volume }: Pick<BookForm, 'series' | 'volume'>): boolean {
  return typeof volume !== 'string' || typeof series === 'string';
}
export const VOLUME_ALONE = { path: ['volume'], error: m.book_form_volume_alone };

/**
 * A book to be saved, as the multipart form says it once its field names
 * (`publisher.id`, `authors[0].id`, `genres[0].id`) are read. Beside the specification's own fields it may have:
 * - `version`, as for every edited record;
 * - `copiesBefore`, the copies available that the form was opened with: only the difference is then applied, so
 *   that a copy lent while the form was open is not brought back by saving, and a book whose copies are all lent
 *   (0 before and after) can still be edited;
 * - `isbnConfirmed`, where a wrong check digit is really printed in the book;
 * - `removeCover`, to be without a cover again; a new cover in the same form replaces the old one all the same.
 */
const bookBody = bookFormSchema.extend({
  copiesAvailable: count(m.book_form_copies_required, 0),
  copiesBefore: count(m.book_form_copies_before_wrong, 0).optional(),
  version: editedVersionSchema,
  isbnConfirmed: flag,
  removeCover: flag,
});
const checked = (schema: typeof bookBody) =>
  schema
    .refine((body) => body.copiesAvailable >= 1 || body.copiesBefore === 0, {
      path: ['copiesAvailable'],
      error: m.book_form_copies_required,
    })
    .refine(isVolumeOfSeries, VOLUME_ALONE);
export const bookBodySchema = checked(bookBody);
export type BookBody = z.infer<typeof bookBodySchema>;

/** What a new book has to have, and one that an import brought may lack. */
export const lackableSchema = bookFormSchema.pick({
  ...{ description: true, authors: true, genres: true, publisher: true, publicationDate: true },
});

/** The multipart field of the cover's file. */
export const COVER_FIELD = 'bookcover';

const savedBookSchema = z.object({ id: z.int(), version: z.int() });
export type SavedBook = z.infer<typeof savedBookSchema>;

const staff = { may: ['books'] } as const;
const saved = {
  ...staff,
  body: bookBodySchema,
  upload: COVER_FIELD,
  answer: savedBookSchema,
  takesLong: true,
} as const;

export const addBook = call('POST Book', { ...saved, status: 201 });
/** What the book lacks may be lacking still. */
export const changeBook = call('PUT Book/:id', {
  ...saved,
  body: checked(bookBody.extend(lenient(lackableSchema).shape)),
  params: bookParamsSchema,
});

const MAX_DELETED = 100;
/** All of them, or none. */
export const deleteBooks = call('DELETE Book/delete-multiple', {
  ...staff,
  body: z
    .array(bookIdSchema)
    .min(1, { error: m.catalogue_no_book_chosen })
    .max(MAX_DELETED, { error: () => m.catalogue_too_many_books({ most: MAX_DELETED }) }),
  answer: deletedSchema,
});

export const deleteBook = call('DELETE Book/:id', {
  ...staff,
  params: bookParamsSchema,
  answer: deletedSchema,
});
