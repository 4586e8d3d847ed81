import { readCopyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { DomainError } from '#contracts/domain-error.js';

/**
 * The copy that a scanned or typed code names, whether there is one or not.
 * @throws DomainError CopyNotFound for what is no code
 */
export function copyOfCode(code: string): CopyOfBook {
  const copy = readCopyCode(code);
  if (copy && copy.bookId <= 2_147_483_647) return copy;
  throw new DomainError(
    'CopyNotFound',
    `${code.trim().slice(0, 40)} is not the code of a copy. Compare it with the label, and scan or type it anew.`,
  );
}
