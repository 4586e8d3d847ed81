import type { DeskBody } from '#contracts/borrowing/borrow-views.js';
import { readCopyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';

/** The copies that codes name; they are valid by their contract. */
export function copiesNamed(codes: readonly string[]): CopyOfBook[] {
  return codes.flatMap((code) => readCopyCode(code) ?? []);
}

/** The books that the desk names, by themselves or by their copies. */
export function booksNamed({ bookIds, copies: codes }: DeskBody): {
  bookIds: number[];
  copies?: CopyOfBook[];
} {
  const copies = copiesNamed(codes);
  const others = new Set(copies.map(({ bookId }) => bookId).filter((bookId) => !bookIds.includes(bookId)));
  // A command without copies is the one that it always was: its digest is in the log.
  return { bookIds: [...bookIds, ...others], ...(copies.length > 0 && { copies }) };
}
