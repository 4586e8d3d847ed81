import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { Book } from '#contracts/catalogue/book-views.js';
import type { HoldView } from '#contracts/holds/hold-views.js';

const READER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const OTHER_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3302';

/** A borrow that waits at the desk. */
export const borrowView = (changes: Partial<BorrowView> = {}): BorrowView => ({
  id: OTHER_ID,
  user: { id: READER, fullname: 'Anna Nowak' },
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
