import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { createStore, useStore } from '../lib/store.js';

/** What the cart needs of a book. */
export type CartBook = Pick<BookListItem, 'id' | 'title' | 'photo'> & {
  authors: readonly { firstname: string; lastname: string }[];
  genres: readonly { name: string }[];
};

const store = createStore<readonly CartBook[]>([]);

/** The cart lives in memory alone (specification, section 3). */
export const cart = {
  books: store.get,
  subscribe: store.subscribe,
  /** Adds a book; false when it is in the cart already. */
  add(book: CartBook): boolean {
    if (cart.holds(book.id)) return false;
    store.set([...store.get(), book]);
    return true;
  },
  holds: (bookId: number): boolean => store.get().some((book) => book.id === bookId),
  remove(bookId: number) {
    store.set(store.get().filter((book) => book.id !== bookId));
  },
  clear() {
    store.set([]);
  },
};

export function useCart(): readonly CartBook[] {
  return useStore(store);
}
