import type { BookListItem } from '#contracts/catalogue/book-views.js';
import type { OwnList } from '#contracts/lists/reading-lists.js';

export const LIST_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3310';

export const listedBook = (id: number, title: string): BookListItem => ({
  id,
  isbn: String(9_780_000_000_000 + id),
  title,
  series: null,
  volume: null,
  authors: [{ id: 1, firstname: 'Jane', lastname: 'Austen' }],
  genres: [],
  publisher: null,
  published: '1815-12-23',
  publicationDate: '1815-12-23',
  copiesAvailable: 2,
  copiesTotal: 2,
  kind: 'loanable',
  photo: null,
});

export const ownList = (changes: Partial<OwnList> = {}): OwnList => ({
  id: LIST_ID,
  standing: null,
  name: 'Summer',
  description: '',
  books: 0,
  firstBooks: [],
  isShared: false,
  changedAt: '2026-11-20T10:00:00Z',
  ...changes,
});
