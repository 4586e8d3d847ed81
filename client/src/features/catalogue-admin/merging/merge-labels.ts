import type { Candidate, DuplicateReason } from '#contracts/catalogue/duplicate.js';
import type { MergeKind } from '#contracts/catalogue/merge.js';
import { counted } from '../../../lib/texts.js';

interface KindTexts {
  one: string;
  many: string;
  /** The path of its calls. */
  path: string;
}

export const KIND_LABELS: Readonly<Record<MergeKind, KindTexts>> = {
  author: { one: 'author', many: 'authors', path: 'Author' },
  genre: { one: 'genre', many: 'genres', path: 'Genre' },
  publisher: { one: 'publisher', many: 'publishers', path: 'Publisher' },
  book: { one: 'book', many: 'books', path: 'Book' },
};

export const REASON_LABELS: Readonly<Record<DuplicateReason, string>> = {
  spelling: 'Same but for dots, blanks, capitals or accents',
  order: 'Same words, in another order or with other initials',
  company: 'Same but for “Inc.”, “Ltd” and the like',
  plural: 'Singular and plural',
  isbn: 'One ISBN, written with 10 digits and with 13',
  title: 'Same title, author and year',
  edition: 'Same title and author, another year: perhaps editions',
};

/** How much one of them has. */
export function sizeOf({ books, copies, borrows }: Candidate): string {
  return [
    books === null ? '' : counted(books, 'book', 'books'),
    copies === null ? '' : counted(copies, 'copy', 'copies'),
    counted(borrows, 'borrow', 'borrows'),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The one that most is known of, which is the likeliest to stay. */
export function suggestedSurvivor(candidates: readonly Candidate[]): Candidate | undefined {
  const [first] = candidates.toSorted(
    (one, other) => other.borrows - one.borrows || (other.books ?? 0) - (one.books ?? 0) || one.id - other.id,
  );
  return first;
}
