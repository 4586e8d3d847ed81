import { z } from 'zod';
import { bookListItemSchema } from '../catalogue/book-views.js';
import { editedVersionSchema } from '../catalogue/authority.js';
import { FIRST_BOOKS, listFields, MAX_LISTS, shownListSchema } from './reading-lists.js';

/** Books of a list that the home page shows. */
export const HOME_LIST_SIZE = 12;

const fields = { ...listFields, onHome: z.boolean({ error: 'Say whether the home page shows it.' }) };

/** `POST ReadingList` */
export const newLibraryListSchema = z.object(fields);
export type NewLibraryList = z.infer<typeof newLibraryListSchema>;

/** `PUT ReadingList/{id}`: with the version that was edited, nobody's change since is overwritten. */
export const libraryListChangeSchema = z.object({ ...fields, version: editedVersionSchema });
export type LibraryListChange = z.infer<typeof libraryListChangeSchema>;

/** `PUT ReadingList/{id}/place`: where it stands among the library's lists, counted from 1. */
export const libraryListPlaceSchema = z.object({ place: z.int().min(1).max(1_000) });

/** A list of the library, as admins see it. */
export const libraryListSchema = z.object({
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
export type LibraryList = z.infer<typeof libraryListSchema>;

/** `GET ReadingList`: all, in the order in which the home page shows them. */
export const libraryListsSchema = z.array(libraryListSchema).max(MAX_LISTS);

/** `GET ReadingList/home`: those that are shown there and have books, with the first of them. */
export const homeListsSchema = z
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

/** `GET ReadingList/{id}`: to everybody. */
export const libraryListPageSchema = shownListSchema.extend({ id: z.uuid() });
export type LibraryListPage = z.infer<typeof libraryListPageSchema>;
