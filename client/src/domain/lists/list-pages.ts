import { pageParameter, useAddress } from '../../lib/use-address.js';

const ADDRESS = { pageNumber: { ...pageParameter, fromTop: true } } as const;

/** Which page of a list the address names. */
export const useListPages = () => useAddress(ADDRESS);

/** "1 book", "12 books" */
export const booksText = (books: number) => `${books} ${books === 1 ? 'book' : 'books'}`;
