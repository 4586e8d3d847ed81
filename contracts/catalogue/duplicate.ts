import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { pageQuery, pagedSchema } from '../paging.js';
import { MERGE_KINDS } from './merge.js';

/** Why some are proposed as the same. */
export const DUPLICATE_REASONS = [
  /** Names that differ by dots, blanks, capitals or accents alone. */
  'spelling',
  /** The same words in another order, as "Rowling, J. K.". */
  'order',
  /** The same but for "Inc.", "Ltd" or "& Co.". */
  'company',
  /** Singular and plural. */
  'plural',
  /** One ISBN, with ten digits and with thirteen. */
  'isbn',
  /** Title, author and year. */
  'title',
  /** Title and author, of different years: perhaps editions. */
  'edition',
] as const;
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number];

/** How many of one proposal are shown. */
export const MAX_MEMBERS = 50;
const MAX_PROPOSALS = 50;

/** One of those that may be merged, and what tells it from the others. */
export const candidateSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** What else is known: a nationality, an address; of a book its author, year, publisher and ISBN. */
  note: z.string(),
  /** How many books it has; null for a book. */
  books: z.int().min(0).nullable(),
  /** Copies in service; null for what is no book. */
  copies: z.int().min(0).nullable(),
  /** How often its books were borrowed. */
  borrows: z.int().min(0),
});
export type Candidate = z.infer<typeof candidateSchema>;

/** Some that may be the same. */
const duplicateSchema = z.object({
  reason: z.enum(DUPLICATE_REASONS),
  /** Whether they are the same as far as a name can say it. */
  sure: z.boolean(),
  members: z.array(candidateSchema).min(2).max(MAX_MEMBERS),
});
export type Duplicate = z.infer<typeof duplicateSchema>;

const kind = z.enum(MERGE_KINDS, {
  error: () => m.catalogue_merge_kind_wrong({ kinds: MERGE_KINDS.join(', ') }),
});
const idSchema = z.int().positive().max(2_147_483_647);

const duplicateQuerySchema = z.object({
  Kind: kind,
  /** Where the page before ended, as its answer said; none for the first page. */
  After: z.string().max(400).optional(),
  pageSize: z.coerce.number().int().min(1).max(MAX_PROPOSALS).default(20),
});
export type DuplicateQuery = z.infer<typeof duplicateQuerySchema>;

const duplicatePageSchema = z.object({
  items: z.array(duplicateSchema).max(MAX_PROPOSALS),
  /** Where the next page begins; null after the last one. */
  next: z.string().nullable(),
});
export type DuplicatePage = z.infer<typeof duplicatePageSchema>;

const compareQuerySchema = z.object({
  Kind: kind,
  ids: z
    .string()
    .regex(/^\d{1,10}(,\d{1,10})*$/, { error: m.catalogue_ids_wrong })
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .pipe(
      z
        .array(idSchema)
        .max(MAX_MEMBERS, { error: () => m.catalogue_too_many_compared({ most: MAX_MEMBERS }) }),
    ),
});
export type CompareQuery = z.infer<typeof compareQuerySchema>;

/** Of these, each is another one. */
const notTheSameBodySchema = z.object({
  kind,
  ids: z
    .array(idSchema)
    .min(2, { error: m.catalogue_choose_two })
    .max(MAX_MEMBERS, { error: () => m.catalogue_too_many_at_once({ most: MAX_MEMBERS }) })
    .refine((ids) => new Set(ids).size === ids.length, { error: m.catalogue_named_twice }),
});
/** How many pairs are not proposed any more. */
const notTheSameAnswerSchema = z.object({ pairs: z.int().min(0) });

const named = z.object({ id: z.int(), name: z.string() });
/** Two that somebody found not to be the same. */
const distinctPairSchema = z.object({
  kind,
  one: named,
  other: named,
  /** Null where the account is gone. */
  saidBy: z.string().nullable(),
  saidAt: z.iso.datetime(),
});
export type DistinctPair = z.infer<typeof distinctPairSchema>;
export const DISTINCT_PAIRS_PAGE_SIZE = 20;

const staff = { may: ['duplicates'] } as const;

/** What of the catalogue may be there twice. */
export const findDuplicates = call('GET Duplicate', {
  ...staff,
  query: duplicateQuerySchema,
  answer: duplicatePageSchema,
});

/** Some side by side: `?Kind=author&ids=4,17`. */
export const compareCandidates = call('GET Duplicate/compare', {
  ...staff,
  query: compareQuerySchema,
  answer: z.array(candidateSchema).max(MAX_MEMBERS),
});

/** What was found not to be the same. */
export const listDistinctPairs = call('GET Duplicate/not-the-same', {
  ...staff,
  query: z.object(pageQuery(DISTINCT_PAIRS_PAGE_SIZE)),
  answer: pagedSchema(distinctPairSchema),
});

export const markDistinct = call('POST Duplicate/not-the-same', {
  ...staff,
  body: notTheSameBodySchema,
  answer: notTheSameAnswerSchema,
});

/** They may be suggested again. */
export const allowProposal = call('DELETE Duplicate/not-the-same', {
  ...staff,
  query: z.object({
    Kind: kind,
    one: z.coerce.number().pipe(idSchema),
    other: z.coerce.number().pipe(idSchema),
  }),
  answer: notTheSameAnswerSchema,
});
