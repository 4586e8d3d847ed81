/**
 * The code of a copy, as its label carries it: `{book}-{copy}-{check}`, for instance `4711-2-3`. Digits and hyphens
 * alone, so that it is short as a barcode and can be typed (`docs/decisions/026-codes-of-copies-and-cards.md`).
 */
export interface CopyOfBook {
  bookId: number;
  /** From 1 to the number of copies that the library owns. */
  copy: number;
}

/** The code of a copy. */
export function copyCode({ bookId, copy }: CopyOfBook): string {
  return `${bookId}-${copy}-${checkDigit(bookId, copy)}`;
}

/**
 * Reads a code as a scanner or a person gives it; blanks around and between its parts do not matter.
 * @returns undefined for what is no code, or one with a slip in it
 */
export function readCopyCode(text: string): CopyOfBook | undefined {
  const parts = /^\s*([1-9]\d{0,9})\s*-\s*([1-9]\d{0,4})\s*-\s*(\d)\s*$/.exec(text);
  if (!parts) return undefined;
  const [bookId, copy, check] = parts.slice(1).map(Number) as [number, number, number];
  return checkDigit(bookId, copy) === check ? { bookId, copy } : undefined;
}

/**
 * By Verhoeff, over both numbers: finds every wrong digit and every exchange of neighbours. The copy counts as five
 * digits, so that no slip moves a digit over the hyphen.
 */
function checkDigit(bookId: number, copy: number): number {
  const digits = `${bookId}${String(copy).padStart(5, '0')}`;
  let check = 0;
  for (const [place, digit] of [...digits].reverse().entries()) {
    check = product(check, permuted(place + 1, Number(digit)));
  }
  return inverse(check);
}

/** The product in the dihedral group of order 10: turns are 0 to 4, reflections 5 to 9. */
function product(first: number, second: number): number {
  const reflected = first >= 5;
  const turn = reflected ? first - second : first + second;
  return (((turn % 5) + 5) % 5) + (reflected === second >= 5 ? 0 : 5);
}

function inverse(value: number): number {
  return value >= 5 ? value : (5 - value) % 5;
}

const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

function permuted(times: number, digit: number): number {
  let value = digit;
  for (let time = 0; time < times % 8; time += 1) value = PERMUTATION[value] ?? 0;
  return value;
}
