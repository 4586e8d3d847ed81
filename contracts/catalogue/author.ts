import { z } from 'zod';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { MAX_PAGE_SIZE, pageQuery, pagedSchema } from '../paging.js';
import { editedVersionSchema, requiredLines, requiredText } from './authority.js';

export const AUTHORS_PAGE_SIZE = 10;

/** An author (specification, section 3). */
export const authorSchema = z.object({
  id: z.int(),
  firstname: z.string(),
  lastname: z.string(),
  nationality: z.string(),
  biography: z.string(),
  fullname: z.string(),
  version: z.int(),
});
export type Author = z.infer<typeof authorSchema>;
export const authorListSchema = z.array(authorSchema).max(MAX_PAGE_SIZE);
export const authorPageSchema = pagedSchema(authorSchema);

/** The author dialog, and the body of `POST Author/add`. Lengths as the messages of section 5 state them. */
export const authorBodySchema = z.object({
  firstname: requiredText(2, 50, 'Firstname is required (2-50 characters).'),
  lastname: requiredText(2, 50, 'Lastname is required (2-50 characters).'),
  nationality: requiredText(2, 50, 'Nationality is required (2-50 characters).'),
  biography: requiredLines(10, 1000, 'Biography is required (10-1000 characters).'),
});
export type AuthorBody = z.infer<typeof authorBodySchema>;

/** The body of `PUT Author/{id}`. */
export const authorEditSchema = authorBodySchema.extend({ version: editedVersionSchema });

export const authorSortSchema = z.enum(['Firstname', 'Lastname', 'Nationality']);
export type AuthorSort = z.infer<typeof authorSortSchema>;

/** `GET Author/paginated` */
export const authorListQuerySchema = z.object({
  SortBy: z.preprocess(emptyAsUndefined, authorSortSchema.default('Lastname')),
  SearchTerm: z.string().max(200).default(''),
  ...pageQuery(AUTHORS_PAGE_SIZE),
});
