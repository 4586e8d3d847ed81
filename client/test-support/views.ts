import type { OwnCard } from '#contracts/accounts/own-card.js';
import type { Reader } from '#contracts/accounts/reader.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { Book, BookListItem } from '#contracts/catalogue/book-views.js';
import type { HoldView } from '#contracts/holds/hold-views.js';

export const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
export const OTHER_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3302';

/** A borrow that waits at the desk. */
export const borrowView = (changes: Partial<BorrowView> = {}): BorrowView => ({
  id: OTHER_ID,
  user: { id: ID, fullname: 'Anna Nowak' },
  borrowedBooks: [{ bookId: 1, title: 'Dune' }],
  rentDate: '2026-11-20T10:00:00Z',
  collectBy: '2026-11-23T10:00:00Z',
  issueDate: null,
  dueDate: null,
  returnDate: null,
  status: 'Rented',
  fineAmount: 0,
  fineDue: 0,
  renewals: 0,
  availableActions: [],
  books: [],
  lossAmount: 0,
  fineWaived: 0,
  refundDue: 0,
  finePaid: 0,
  undo: [],
  position: '100',
  ...changes,
});

type BorrowedBook = BorrowView['books'][number];

/** One book of a borrow. */
export const bookOf = (bookId: number, title: string, state: BorrowedBook['state']): BorrowedBook => ({
  ...{ bookId, title, state },
  ...{ issueDate: null, returnDate: null },
});

export const bookView = (changes: Partial<Book> = {}): Book => ({
  id: 7,
  isbn: '9780441013593',
  title: 'Dune',
  originalTitle: null,
  otherTitles: [],
  description: '',
  authors: [],
  genres: [],
  series: null,
  volume: null,
  publisher: { id: 1, name: 'Ace', adress: '', phone: '', website: '' },
  published: '1965-08-01',
  publicationDate: '1965-08-01',
  copiesAvailable: 2,
  copiesTotal: 2,
  kind: 'loanable',
  price: null,
  language: null,
  holds: 0,
  photo: null,
  version: 1,
  ...changes,
});

export const holdView = (changes: Partial<HoldView> = {}): HoldView => ({
  id: OTHER_ID,
  bookId: 7,
  title: 'Dune',
  place: 1,
  state: 'Waiting',
  collectBy: null,
  borrowId: null,
  placedAt: '2026-11-20T10:00:00Z',
  pausedUntil: null,
  neededUntil: null,
  estimateDays: 9,
  ...changes,
});

/** A book as lists have it. */
export const listedBook = (id: number, title: string, changes: Partial<BookListItem> = {}): BookListItem => ({
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
  ...changes,
});

export const readerOf = (changes: Partial<Reader> = {}): Reader => ({
  id: ID,
  userName: 'anna',
  email: 'anna@example.org',
  firstname: 'Anna',
  lastname: 'Nowak',
  fullname: 'Anna Nowak',
  dateOfBirth: '1994-03-08',
  gender: 'Female',
  country: 'Poland',
  city: 'Kraków',
  adress: 'ul. Piękna 12',
  postalCode: '30-001',
  created: '2026-01-15T10:00:00Z',
  roles: ['Reader'],
  kind: 'adult',
  ...{ phone: null, guardian: null, memberUntil: null },
  version: 3,
  ...changes,
});

/** How a reader stands who has nothing. */
export const ownCard = (changes: Partial<OwnCard> = {}): OwnCard => ({
  card: {
    number: '20000000000008',
    bars: [2, 1, 2],
    issuedAt: '2026-01-15T10:00:00Z',
    blockedAt: null,
    hasPin: false,
  },
  block: null,
  borrows: [],
  owes: 0,
  refund: 0,
  books: { have: 0, most: 10 },
  ...changes,
});

export const authorView = (id: number, firstname: string, lastname: string): Book['authors'][number] => ({
  ...{ id, firstname, lastname, fullname: `${firstname} ${lastname}` },
  ...{ nationality: '', biography: '', otherNames: [] },
});

export const publisherView = (id: number, name: string) => ({ id, name, adress: '', phone: '', website: '' });
