import type { DeskBody } from '#contracts/borrowing/borrow-calls.js';
import { readCopyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { DomainError } from '#contracts/domain-error.js';
import { RequestInvalid } from '../http/validation.js';

/** The largest id of a book. */
const MAX_ID = 2_147_483_647;

/**
 * The copies that scanned or typed codes name, whether there are such or not.
 * @throws DomainError CopyNotFound for what is no code
 * @throws RequestInvalid for two copies of one title
 */
export function resolveCopies(codes: readonly string[]): CopyOfBook[] {
  const copies = codes.map(copyOfCode);
  if (copies.length > new Set(copies.map(({ bookId }) => bookId)).size) {
    throw new RequestInvalid({ copies: ['A reader can have one copy of a title at a time.'] });
  }
  return copies;
}

/**
 * The books that the desk names, by themselves or by their copies.
 * @throws DomainError CopyNotFound
 * @throws RequestInvalid
 */
export function resolveBooks({ bookIds, copies: codes }: DeskBody): {
  bookIds: number[];
  copies?: CopyOfBook[];
} {
  const copies = resolveCopies(codes);
  const others = copies.map(({ bookId }) => bookId).filter((bookId) => !bookIds.includes(bookId));
  // A command without copies is the one that it always was: its digest is in the log.
  return { bookIds: [...bookIds, ...others], ...(copies.length > 0 && { copies }) };
}

function copyOfCode(code: string): CopyOfBook {
  const copy = readCopyCode(code);
  if (copy && copy.bookId <= MAX_ID) return copy;
  throw new DomainError(
    'CopyNotFound',
    `${code.trim().slice(0, 40)} is not the code of a copy. Compare it with the label, and scan or type it anew.`,
  );
}
