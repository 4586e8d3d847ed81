import { z } from 'zod';
import { bookIdSchema, bookListItemSchema } from '../catalogue/book-views.js';
import { pageQuery, pagedSchema } from '../paging.js';
import { oneLine, plainText } from '../plain-text.js';

/** Lists that a reader may keep beside the standing ones; also how many the library may. */
export const MAX_LISTS = 100;
export const MAX_BOOKS_PER_LIST = 1_000;
export const LIST_PAGE_SIZE = 50;
/** Books of a list whose covers stand for it. */
export const FIRST_BOOKS = 3;

/** The lists that every reader has: they are neither renamed nor deleted. */
export const STANDING_LISTS = ['to-read', 'favourites'] as const;
export type StandingList = (typeof STANDING_LISTS)[number];
export const STANDING_LIST_NAMES: Record<StandingList, string> = {
  'to-read': 'To read',
  favourites: 'Favourites',
};

export const listFields = {
  name: oneLine(
    z
      .string({ error: 'Give the list a name.' })
      .trim()
      .min(1, 'Give the list a name.')
      .max(80, 'At most 80 characters.'),
  ),
  description: plainText(z.string().trim().max(1_000, 'At most 1000 characters.')).default(''),
};

/** `POST List`, `PUT List/{id}` */
export const listBodySchema = z.object(listFields);
export type ListBody = z.infer<typeof listBodySchema>;

export const listParamsSchema = z.object({ id: z.uuid() });
export const listedBookParamsSchema = z.object({
  id: z.uuid(),
  bookId: z.coerce.number().pipe(bookIdSchema),
});

/** A place in a list, counted from 1; one beyond its end is the end. */
const placeSchema = z.int().min(1).max(MAX_BOOKS_PER_LIST);

/** `POST List/{id}/books`: at the end of the list, unless a place is named. */
export const addToListSchema = z.object({ bookId: bookIdSchema, place: placeSchema.optional() });
export type AddToList = z.infer<typeof addToListSchema>;

/** `PUT List/{id}/books/{bookId}` */
export const moveInListSchema = z.object({ place: placeSchema });

/** Whether the book was put on the list, or was there already; and how many it has now. */
export const addedToListSchema = z.object({ added: z.boolean(), books: z.int() });
export type AddedToList = z.infer<typeof addedToListSchema>;

/** Where the book was, for who wants it back; null where it was not on the list. And how many it has now. */
export const removedFromListSchema = z.object({ place: z.int().nullable(), books: z.int() });
export type RemovedFromList = z.infer<typeof removedFromListSchema>;

/** A list of the caller's. */
export const ownListSchema = z.object({
  id: z.uuid(),
  standing: z.enum(STANDING_LISTS).nullable(),
  name: z.string(),
  description: z.string(),
  books: z.int(),
  /** The first few, for their covers. */
  firstBooks: z.array(z.int()).max(FIRST_BOOKS),
  isShared: z.boolean(),
  /** Null where nothing was ever put on it. */
  changedAt: z.iso.datetime().nullable(),
  /** Whether the book that was asked for is on it; absent where none was. */
  hasBook: z.boolean().optional(),
});
export type OwnList = z.infer<typeof ownListSchema>;

/** `GET List/mine?bookId` */
export const ownListsQuerySchema = z.object({ bookId: z.coerce.number().pipe(bookIdSchema).optional() });
export type OwnListsQuery = z.infer<typeof ownListsQuerySchema>;
/** The standing ones first, then the others by name. */
export const ownListsSchema = z.array(ownListSchema).max(MAX_LISTS + STANDING_LISTS.length);

export const listPageQuerySchema = z.object(pageQuery(LIST_PAGE_SIZE));
export type ListPageQuery = z.infer<typeof listPageQuerySchema>;

/** `GET List/{id}`: the list and a page of its books. */
export const ownListPageSchema = ownListSchema.omit({ hasBook: true }).extend({
  ...pagedSchema(z.object({ book: bookListItemSchema, addedAt: z.iso.datetime() })).shape,
});
export type OwnListPage = z.infer<typeof ownListPageSchema>;

/** `POST List/{id}/share`: said once, and never to be read again. */
export const sharedLinkSchema = z.object({ token: z.string() });
export type SharedLink = z.infer<typeof sharedLinkSchema>;

/** `POST List/shared`: the token of the link travels in the body, where no log sees it. */
export const sharedListBodySchema = z.object({
  token: z.string().regex(/^[\w-]{43}$/, 'This is no link to a list.'),
  ...pageQuery(LIST_PAGE_SIZE),
});
export type SharedListBody = z.infer<typeof sharedListBodySchema>;

/** What strangers see of a list: nothing of whose it is. */
export const shownListSchema = z.object({
  name: z.string(),
  description: z.string(),
  ...pagedSchema(bookListItemSchema).shape,
});
export type ShownList = z.infer<typeof shownListSchema>;

/** `GET List/mine/file` */
export const listsFileQuerySchema = z.object({ format: z.enum(['csv', 'json']).default('csv') });
export type ListsFileQuery = z.infer<typeof listsFileQuerySchema>;
