import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { pageQuery, pagedSchema } from '../paging.js';

/** What can be merged, as its calls name it. */
export const MERGE_KINDS = ['author', 'genre', 'publisher', 'book'] as const;
export type MergeKind = (typeof MERGE_KINDS)[number];

/** How many go into one at once. */
const MAX_MERGED = 50;
export const MERGES_PAGE_SIZE = 20;

const idSchema = z.int().positive().max(2_147_483_647);

/** The one that stays, and those that go. */
export const mergeBodySchema = z
  .object({
    keep: idSchema,
    merge: z
      .array(idSchema)
      .min(1, { error: m.catalogue_merge_none })
      .max(MAX_MERGED, { error: () => m.catalogue_too_many_at_once({ most: MAX_MERGED }) })
      .refine((ids) => new Set(ids).size === ids.length, { error: m.catalogue_named_twice }),
  })
  .refine(({ keep, merge }) => !merge.includes(keep), {
    path: ['merge'],
    error: m.catalogue_merge_into_itself,
  });
export type MergeBody = z.infer<typeof mergeBodySchema>;

const namedSchema = z.object({ id: z.int(), name: z.string() });

/** A merge, with the names as they were. */
export const mergeSchema = z.object({
  id: z.uuid(),
  kind: z.enum(MERGE_KINDS),
  kept: namedSchema,
  merged: z.array(namedSchema).max(MAX_MERGED),
  /** How many books show another author, genre or publisher since. */
  books: z.int().min(0),
  /** Null where the account is gone. */
  mergedBy: z.string().nullable(),
  mergedAt: z.iso.datetime(),
  undoneBy: z.string().nullable(),
  /** Null for a merge that stands. */
  undoneAt: z.iso.datetime().nullable(),
});
export type Merge = z.infer<typeof mergeSchema>;

const mergeListQuerySchema = z.object(pageQuery(MERGES_PAGE_SIZE));
export type MergeListQuery = z.infer<typeof mergeListQuerySchema>;

/** What was merged, the latest first. Each kind of authority has its own call that merges. */
export const listMerges = call('GET Merge', {
  may: ['duplicates'],
  query: mergeListQuerySchema,
  answer: pagedSchema(mergeSchema),
});

/** The same key is the same merge. */
export const mergeBooks = call('POST Book/merge', {
  may: ['duplicates'],
  body: mergeBodySchema,
  answer: mergeSchema,
  keyed: true,
  takesLong: true,
});

/** With the same key the same undoing. */
export const undoMerge = call('POST Merge/:id/undo', {
  may: ['duplicates'],
  params: z.object({ id: z.uuid() }),
  answer: mergeSchema,
  keyed: true,
  takesLong: true,
});
