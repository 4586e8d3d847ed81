import { z } from 'zod';
import * as m from '#words/messages.js';
import { call } from '../call.js';
import { bookListItemSchema } from '../catalogue/book-views.js';
import { editedVersionSchema } from '../catalogue/authorities.js';
import {
  bookCalls,
  FIRST_BOOKS,
  listFields,
  listPageQuerySchema,
  listParamsSchema,
  MAX_LISTS,
  shownListSchema,
} from './reading-lists.js';

/** Books of a list that the home page shows. */
export const HOME_LIST_SIZE = 12;

const newListSchema = z.object({
  ...listFields,
  onHome: z.boolean({ error: m.lists_on_home_missing }),
});
export type NewLibraryList = z.infer<typeof newListSchema>;

/** With the version that was edited, nobody's change since is overwritten. */
const listChangeSchema = newListSchema.extend({ version: editedVersionSchema });
export type LibraryListChange = z.infer<typeof listChangeSchema>;

/** A list of the library, as admins see it. */
const listSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  onHome: z.boolean(),
  books: z.int(),
  firstBooks: z.array(z.int()).max(FIRST_BOOKS),
  version: z.int(),
  changedAt: z.iso.datetime(),
  /** A name; null where the account is gone. */
  changedBy: z.string().nullable(),
});
export type LibraryList = z.infer<typeof listSchema>;

/** All, in the order in which the home page shows them. */
const listsSchema = z.array(listSchema).max(MAX_LISTS);

const homeListsSchema = z
  .array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      description: z.string(),
      books: z.array(bookListItemSchema).max(HOME_LIST_SIZE),
    }),
  )
  .max(MAX_LISTS);
export type HomeLists = z.infer<typeof homeListsSchema>;

const listPageSchema = shownListSchema.extend({ id: z.uuid() });
export type LibraryListPage = z.infer<typeof listPageSchema>;

const staff = { may: ['lists'] } as const;
const ofOne = { ...staff, params: listParamsSchema } as const;

export const listLibraryLists = call('GET ReadingList', {
  may: ['lists', 'imports'],
  answer: listsSchema,
});

/** Those that are shown there and have books, with the first of them. */
export const readListsOnHome = call('GET ReadingList/home', { may: ['Everybody'], answer: homeListsSchema });

export const readLibraryList = call('GET ReadingList/:id', {
  may: ['Everybody'],
  params: listParamsSchema,
  query: listPageQuerySchema,
  answer: listPageSchema,
});

export const fetchLibraryList = call('GET ReadingList/:id/file', { ...ofOne, answer: 'text/csv' });

/** The same key is the same list. */
export const addLibraryList = call('POST ReadingList', {
  ...staff,
  body: newListSchema,
  answer: listSchema,
  status: 201,
  keyed: true,
});

export const changeLibraryList = call('PUT ReadingList/:id', {
  ...ofOne,
  body: listChangeSchema,
  answer: listSchema,
});

/** Gives it its place among the library's lists, counted from 1; answers all, in their new order. */
export const moveLibraryList = call('PUT ReadingList/:id/place', {
  ...ofOne,
  body: z.object({ place: z.int().min(1).max(1_000) }),
  answer: listsSchema,
});

/** Answers those that are left. */
export const removeLibraryList = call('DELETE ReadingList/:id', { ...ofOne, answer: listsSchema });

export const LIBRARY_LIST_BOOKS = bookCalls('ReadingList', 'lists', listSchema);
