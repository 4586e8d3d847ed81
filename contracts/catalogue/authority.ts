import { z } from 'zod';
import { MAX_PAGE_SIZE, pageQuery } from '../paging.js';
import { oneLine, plainText } from '../plain-text.js';

/** The kinds of records that books share. */
export type AuthorityName = 'author' | 'genre' | 'publisher';

const bounded = (least: number, most: number, message: string) =>
  z.string({ error: message }).trim().min(least, message).max(most, message);

/**
 * A text of an author, genre or publisher, on one line: trimmed, and refused with the specification's one message
 * whether it is missing, too short or too long.
 */
export const requiredText = (least: number, most: number, message: string) =>
  oneLine(bounded(least, most, message));

/** The same with as many lines as it needs. */
export const requiredLines = (least: number, most: number, message: string) =>
  plainText(bounded(least, most, message));

/**
 * The version that was being edited. With it, a change that somebody else made meanwhile is not overwritten; without
 * it (the specification's own bodies have none) the last one to save wins.
 */
export const editedVersionSchema = z.coerce.number().int().min(1).optional();

/** The id of an author, genre or publisher, in a path or a query. */
export const authorityParamsSchema = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });

/**
 * `GET Author`, `Genre` and `Publisher`: those with every word of `SearchTerm` in their names; the one whose name it is comes first,
 * then the others by name. Without a page it is the first one.
 */
export const authorityListQuerySchema = z.object({
  SearchTerm: z.string().max(200).default(''),
  ...pageQuery(MAX_PAGE_SIZE),
});
export type AuthorityListQuery = z.infer<typeof authorityListQuerySchema>;

/** The answer to a deletion: how many records were deleted. */
export const deletedSchema = z.object({ deleted: z.int().min(1) });
