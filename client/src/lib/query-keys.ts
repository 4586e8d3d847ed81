import type { BorrowListQuery } from '#contracts/borrowing/borrow-views.js';
import type { BookListQuery } from '#contracts/catalogue/book-views.js';

/** Names of what is cached: the screens ask under them, and live messages find it by them. */
export const queryKeys = {
  books: ['books'] as const,
  bookPages: ['books', 'page'] as const,
  bookPage: (query: BookListQuery) => ['books', 'page', query] as const,
  book: (id: number) => ['books', 'one', id] as const,
  borrows: ['borrows'] as const,
  queue: ['borrows', 'queue'] as const,
  queuePage: (query: BorrowListQuery) => ['borrows', 'queue', query] as const,
  history: (readerId: string) => ['borrows', 'history', readerId] as const,
  histories: ['borrows', 'history'] as const,
  stats: ['dashboard', 'stats'] as const,
  profile: (readerId: string) => ['profile', readerId] as const,
};
