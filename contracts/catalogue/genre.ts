import { z } from 'zod';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { MAX_PAGE_SIZE, pageQuery, pagedSchema } from '../paging.js';
import { editedVersionSchema, requiredLines, requiredText } from './authority.js';

export const GENRES_PAGE_SIZE = 10;

/** A genre (specification, section 3). */
export const genreSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  version: z.int(),
});
export type Genre = z.infer<typeof genreSchema>;
export const genreListSchema = z.array(genreSchema).max(MAX_PAGE_SIZE);
export const genrePageSchema = pagedSchema(genreSchema);

/** The genre dialog, and the body of `POST Genre/add`. */
export const genreBodySchema = z.object({
  name: requiredText(2, 50, 'Name is required (2-50 characters).'),
  description: requiredLines(10, 500, 'Description is required (10-500 characters).'),
});
export type GenreBody = z.infer<typeof genreBodySchema>;

/** The body of `PUT Genre/{id}`: the full object. */
export const genreEditSchema = genreBodySchema.extend({ version: editedVersionSchema });

export const genreSortSchema = z.enum(['NameA-Z', 'NameZ-A']);
export type GenreSort = z.infer<typeof genreSortSchema>;

/** `GET Genre/paginated` */
export const genreListQuerySchema = z.object({
  SortBy: z.preprocess(emptyAsUndefined, genreSortSchema.default('NameA-Z')),
  SearchTerm: z.string().max(200).default(''),
  ...pageQuery(GENRES_PAGE_SIZE),
});
