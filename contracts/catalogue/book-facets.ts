import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { FACETS, YEAR_PATTERN } from './facet-names.js';
import { canonicalLanguage } from './language.js';

/** How many values of one facet can be chosen at once. */
const MAX_CHOSEN = 20;
const MAX_ID = 2_147_483_647;

/** A parameter that may be repeated; a blank one names nothing. */
function repeated<Value extends z.ZodType>(values: Value) {
  return z.preprocess((given) => {
    const list = (Array.isArray(given) ? given : [given]).filter(
      (value) => value !== undefined && value !== '',
    );
    return list.length === 0 ? undefined : list;
  }, values.optional());
}

const isId = (text: string) => /^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_ID;

const tooMany = () => m.catalogue_too_many_at_once({ most: MAX_CHOSEN });

function ids(wrong: () => string) {
  return repeated(
    z
      .array(z.string())
      .max(MAX_CHOSEN, { error: tooMany })
      .refine((texts) => texts.every(isId), { error: wrong })
      .transform((texts) => [...new Set(texts.map(Number))]),
  );
}

/**
 * What the books of a list are narrowed to. Several values of one facet widen it, each facet narrows the others
 * (`docs/decisions/034-facets.md`).
 */
export const bookFilterShape = {
  genre: ids(m.catalogue_filter_genre_wrong),
  author: ids(m.catalogue_filter_author_wrong),
  publisher: ids(m.catalogue_filter_publisher_wrong),
  year: repeated(
    z
      .array(z.string())
      .max(MAX_CHOSEN, { error: tooMany })
      .refine((texts) => texts.every((text) => YEAR_PATTERN.test(text)), {
        error: m.catalogue_filter_year_wrong,
      })
      .transform((texts) => [...new Set(texts)]),
  ),
  language: repeated(
    z
      .array(z.string())
      .max(MAX_CHOSEN, { error: tooMany })
      .refine((texts) => texts.every((text) => canonicalLanguage(text) !== undefined), {
        error: m.catalogue_language_wrong,
      })
      .transform((texts) => [...new Set(texts.map((text) => canonicalLanguage(text) ?? text))]),
  ),
  /** Only books of which a copy is on the shelf for everybody. */
  available: z.preprocess(
    emptyAsUndefined,
    z.literal('1', { error: m.catalogue_filter_available_wrong }).optional(),
  ),
};

const bookFilterSchema = z.object(bookFilterShape);
export type BookFilter = z.infer<typeof bookFilterSchema>;

/** Whether a list is narrowed at all. */
export function isFiltered(filter: BookFilter): boolean {
  return filter.available !== undefined || FACETS.some((facet) => filter[facet] !== undefined);
}

const facetsQuerySchema = z.object({
  SearchTerm: z.string().max(200).default(''),
  ...bookFilterShape,
});
export type FacetsQuery = z.infer<typeof facetsQuerySchema>;

/** So many values of a facet are answered, those with the most books; chosen ones are always among them. */
export const FACET_VALUES = 20;
const VALUES_ANSWERED = FACET_VALUES + MAX_CHOSEN;

const named = z
  .array(
    z.object({
      id: z.int(),
      /** Null where the record is no more in the catalogue. */
      name: z.string().nullable(),
      books: z.int().min(0),
    }),
  )
  .max(VALUES_ANSWERED);

/**
 * How many books each value would leave: of what the search and all other facets leave, those that have it. The values with the most
 * books come first.
 */
const facetsSchema = z.object({
  genre: named,
  author: named,
  publisher: named,
  /** Decades; and years that were chosen by themselves. */
  year: z.array(z.object({ value: z.string(), books: z.int().min(0) })).max(VALUES_ANSWERED),
  /** By their codes. */
  language: z.array(z.object({ value: z.string(), books: z.int().min(0) })).max(VALUES_ANSWERED),
  /** Of which a copy is on the shelf. */
  available: z.int().min(0),
});
export type Facets = z.infer<typeof facetsSchema>;

export const readFacets = call('GET Book/facets', {
  may: ['Everybody'],
  query: facetsQuerySchema,
  answer: facetsSchema,
});
