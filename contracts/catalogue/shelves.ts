import { z } from 'zod';
import { call } from '../call.js';
import { bookListItemSchema, bookParamsSchema } from './book-views.js';

/** Books of a shelf. */
export const SHELF_SIZE = 12;
/** Genres with a shelf of their own. */
export const GENRE_SHELVES = 5;

const shelf = z.array(bookListItemSchema).max(SHELF_SIZE);

const shelvesSchema = z.object({
  newest: shelf,
  /** What several readers borrowed in the last month, those of the most readers first. */
  muchRead: shelf,
  /** The genres that are read most, each with its most read books. No book stands on two of these shelves. */
  genres: z.array(z.object({ id: z.int(), name: z.string(), books: shelf })).max(GENRE_SHELVES),
});
export type Shelves = z.infer<typeof shelvesSchema>;

const relatedBooksSchema = z.object({
  /** Other books of its first author, the most read first; null where it has no author. */
  moreBy: z.object({ id: z.int(), name: z.string(), books: shelf }).nullable(),
  /** What at least five readers of this book borrowed too, the most telling first. */
  alsoBorrowed: shelf,
});
export type RelatedBooks = z.infer<typeof relatedBooksSchema>;

/** What the home page shows of the catalogue. A shelf without books is empty. */
export const readShelves = call('GET Book/shelves', { may: ['Everybody'], answer: shelvesSchema });

/** What is read by whoever reads this. Books of its own series are left out, which have a list of their own. */
export const readRelated = call('GET Book/:id/related', {
  may: ['Everybody'],
  params: bookParamsSchema,
  answer: relatedBooksSchema,
});
