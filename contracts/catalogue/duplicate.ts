import { z } from 'zod';
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
export const duplicateSchema = z.object({
  reason: z.enum(DUPLICATE_REASONS),
  /** Whether they are the same as far as a name can say it. */
  sure: z.boolean(),
  members: z.array(candidateSchema).min(2).max(MAX_MEMBERS),
});
export type Duplicate = z.infer<typeof duplicateSchema>;

const kind = z.enum(MERGE_KINDS, `Has to be one of ${MERGE_KINDS.join(', ')}.`);
const idSchema = z.int().positive().max(2_147_483_647);

/** `GET Duplicate` */
export const duplicateQuerySchema = z.object({
  Kind: kind,
  /** Where the page before ended, as its answer said; none for the first page. */
  After: z.string().max(400).optional(),
  pageSize: z.coerce.number().int().min(1).max(MAX_PROPOSALS).default(20),
});
export type DuplicateQuery = z.infer<typeof duplicateQuerySchema>;

export const duplicatePageSchema = z.object({
  items: z.array(duplicateSchema).max(MAX_PROPOSALS),
  /** Where the next page begins; null after the last one. */
  next: z.string().nullable(),
});
export type DuplicatePage = z.infer<typeof duplicatePageSchema>;

/** `GET Duplicate/compare?Kind=author&ids=4,17` */
export const compareQuerySchema = z.object({
  Kind: kind,
  ids: z
    .string()
    .regex(/^\d{1,10}(,\d{1,10})*$/, 'Name them by their numbers, for instance 4,17.')
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .pipe(z.array(idSchema).max(MAX_MEMBERS, `At most ${MAX_MEMBERS} can be compared at once.`)),
});
export type CompareQuery = z.infer<typeof compareQuerySchema>;
export const candidatesSchema = z.array(candidateSchema).max(MAX_MEMBERS);

/** The body of `POST Duplicate/not-the-same`: of these, each is another one. */
export const notTheSameBodySchema = z.object({
  kind,
  ids: z
    .array(idSchema)
    .min(2, 'Name at least two.')
    .max(MAX_MEMBERS, `At most ${MAX_MEMBERS} at once.`)
    .refine((ids) => new Set(ids).size === ids.length, 'Name each of them once.'),
});
export type NotTheSameBody = z.infer<typeof notTheSameBodySchema>;
/** How many pairs are not proposed any more. */
export const notTheSameAnswerSchema = z.object({ pairs: z.int().min(0) });

const named = z.object({ id: z.int(), name: z.string() });
/** Two that somebody found not to be the same. */
export const distinctPairSchema = z.object({
  kind,
  one: named,
  other: named,
  /** Null where the account is gone. */
  saidBy: z.string().nullable(),
  saidAt: z.iso.datetime(),
});
export type DistinctPair = z.infer<typeof distinctPairSchema>;
export const distinctPairPageSchema = pagedSchema(distinctPairSchema);
export const DISTINCT_PAIRS_PAGE_SIZE = 20;
export const distinctPairListQuerySchema = z.object({ ...pageQuery(DISTINCT_PAIRS_PAGE_SIZE) });

/** `DELETE Duplicate/not-the-same?Kind=author&one=4&other=17`: they may be proposed again. */
export const distinctPairQuerySchema = z.object({
  Kind: kind,
  one: z.coerce.number().pipe(idSchema),
  other: z.coerce.number().pipe(idSchema),
});
