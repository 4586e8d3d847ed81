import { z } from 'zod';
import * as m from '#words/messages.js';
import { call } from '../call.js';
import { bookIdSchema, bookListItemSchema } from '../catalogue/book-views.js';
import { pageQuery, pagedSchema } from '../paging.js';
import { atMost, oneLine, plainText } from '../plain-text.js';

/** Lists that a reader may keep beside the standing ones; also how many the library may. */
export const MAX_LISTS = 100;
export const MAX_BOOKS_PER_LIST = 1_000;
export const LIST_PAGE_SIZE = 50;
/** Books of a list whose covers stand for it. */
export const FIRST_BOOKS = 3;

/** The lists that every reader has: they are neither renamed nor deleted. */
export const STANDING_LISTS = ['to-read', 'favourites'] as const;
export type StandingList = (typeof STANDING_LISTS)[number];
/** As they are stored, and as a request names one that it changes. */
export const STANDING_LIST_NAMES: Record<StandingList, string> = {
  'to-read': 'To read',
  favourites: 'Favourites',
};
/** As they are called. */
export const STANDING_LIST_TITLES = {
  'to-read': m.lists_to_read,
  favourites: m.lists_favourites,
} satisfies Record<StandingList, () => string>;

export const listFields = {
  name: oneLine(
    z.string({ error: m.lists_nameless }).trim().min(1, { error: m.lists_nameless }).max(80, atMost(80)),
  ),
  description: plainText(z.string().trim().max(1_000, atMost(1_000))).default(''),
};

const listBodySchema = z.object(listFields);
export type ListBody = z.infer<typeof listBodySchema>;

export const listParamsSchema = z.object({ id: z.uuid() });

/** A place in a list, counted from 1; one beyond its end is the end. */
const placeSchema = z.int().min(1).max(MAX_BOOKS_PER_LIST);

/** At the end of the list, unless a place is named. */
const addToListSchema = z.object({ bookId: bookIdSchema, place: placeSchema.optional() });
export type AddToList = z.infer<typeof addToListSchema>;

/** Whether the book was put on the list, or was there already; and how many it has now. */
const addedToListSchema = z.object({ added: z.boolean(), books: z.int() });
export type AddedToList = z.infer<typeof addedToListSchema>;

/** Where the book was, for who wants it back; null where it was not on the list. And how many it has now. */
const removedFromListSchema = z.object({ place: z.int().nullable(), books: z.int() });
export type RemovedFromList = z.infer<typeof removedFromListSchema>;

/** A list of the caller's. */
const ownListSchema = z.object({
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

/** The standing ones first, then the others by name. */
const ownListsSchema = z.array(ownListSchema).max(MAX_LISTS + STANDING_LISTS.length);

export const listPageQuerySchema = z.object(pageQuery(LIST_PAGE_SIZE));
export type ListPageQuery = z.infer<typeof listPageQuerySchema>;

/** The list and a page of its books. */
const ownListPageSchema = ownListSchema.omit({ hasBook: true }).extend({
  ...pagedSchema(z.object({ book: bookListItemSchema, addedAt: z.iso.datetime() })).shape,
});
export type OwnListPage = z.infer<typeof ownListPageSchema>;

const sharedListBodySchema = z.object({
  token: z.string().regex(/^[\w-]{43}$/, { error: m.lists_no_link }),
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

const listsFileQuerySchema = z.object({ format: z.enum(['csv', 'json']).default('csv') });
export type ListsFileQuery = z.infer<typeof listsFileQuerySchema>;

/** What can be done with the books of a list: the same for a reader's and the library's. */
export function bookCalls<
  const Path extends 'List' | 'ReadingList',
  const May extends 'SignedIn' | 'lists',
  List extends z.ZodType,
>(path: Path, may: May, list: List) {
  const params = z.object({ id: z.uuid(), bookId: z.coerce.number().pipe(bookIdSchema) });
  return {
    add: call(`POST ${path}/:id/books`, {
      may: [may],
      params: listParamsSchema,
      body: addToListSchema,
      answer: addedToListSchema,
    }),
    /** Answers the list as it stands then. */
    move: call(`PUT ${path}/:id/books/:bookId`, {
      may: [may],
      params,
      body: z.object({ place: placeSchema }),
      answer: list,
    }),
    remove: call(`DELETE ${path}/:id/books/:bookId`, { may: [may], params, answer: removedFromListSchema }),
  };
}

const signedIn = { may: ['SignedIn'] } as const;
const ofOne = { ...signedIn, params: listParamsSchema } as const;

/** The caller's lists; asked with a book, each says whether that is on it. */
export const readOwnLists = call('GET List/mine', {
  ...signedIn,
  query: z.object({ bookId: z.coerce.number().pipe(bookIdSchema).optional() }),
  answer: ownListsSchema,
});

export const fetchOwnLists = call('GET List/mine/file', {
  ...signedIn,
  query: listsFileQuerySchema,
  answer: 'text/csv',
  takesLong: true,
});

/** What a link shows, to whoever has it. The token is in the body: addresses are logged on the way. */
export const openSharedList = call('POST List/shared', {
  may: ['Everybody'],
  body: sharedListBodySchema,
  answer: shownListSchema,
});

/** The same key is the same list. */
export const addOwnList = call('POST List', {
  ...signedIn,
  body: listBodySchema,
  answer: ownListSchema,
  status: 201,
  keyed: true,
});

export const readOwnList = call('GET List/:id', {
  ...ofOne,
  query: listPageQuerySchema,
  answer: ownListPageSchema,
});

export const changeOwnList = call('PUT List/:id', { ...ofOne, body: listBodySchema, answer: ownListSchema });

/** Answers those that are left. */
export const removeOwnList = call('DELETE List/:id', { ...ofOne, answer: ownListsSchema });

/** Makes a link, whose token is said once and never to be read again. One that was made before ends. */
export const shareList = call('POST List/:id/share', {
  ...ofOne,
  answer: z.object({ token: z.string() }),
  status: 201,
});

export const endShare = call('DELETE List/:id/share', { ...ofOne, answer: ownListSchema });

export const OWN_LIST_BOOKS = bookCalls('List', 'SignedIn', ownListSchema);
