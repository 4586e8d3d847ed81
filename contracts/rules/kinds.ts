import * as m from '#words/messages.js';

/** The version of the rules that a library begins with, which are numbers in the code; those of the log follow. */
export const FIRST_VERSION = 1;

/** What a reader is to the rules. The first is the one that nobody has to name. */
export const READER_KINDS = ['adult', 'child', 'staff'] as const;
export type ReaderKind = (typeof READER_KINDS)[number];

/** What a book is to the rules. The first is the one that nobody has to name. */
export const BOOK_KINDS = ['loanable', 'short-loan', 'reading-room'] as const;
export type BookKind = (typeof BOOK_KINDS)[number];

/** As people read them. */
export const READER_KIND_LABELS = {
  adult: m.rules_reader_adult,
  child: m.rules_reader_child,
  staff: m.rules_reader_staff,
} satisfies Record<ReaderKind, () => string>;
export const BOOK_KIND_LABELS = {
  loanable: m.rules_book_loanable,
  'short-loan': m.rules_book_short_loan,
  'reading-room': m.rules_book_reading_room,
} satisfies Record<BookKind, () => string>;
