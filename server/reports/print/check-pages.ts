import type { PDFDocument } from '@cantoo/pdf-lib';
import { textOfPages } from './printed-text.js';

/** A page does not show what it should: such a file is worse than none, as nobody looks for what is not there. */
class PageUnreadable extends Error {}

/** Letters that a font may draw as one, and directions of writing, are the same text. Blanks do not count. */
const comparable = (text: string) =>
  text.normalize('NFKC').replace(/[\s\p{Cf}\p{Cc}\ufe00-\ufe0f\u00ad]/gu, '');

/** Written from right to left, or with letters that change with their neighbours: printed in another order. */
const REORDERED = /[\u0590-\u08ff\u0900-\u0dff\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * Reads the text of printed pages back, and looks for what each has to show.
 * @param expected what has to be readable on each
 * @param missing whether no font of ours has this character
 * @throws PageUnreadable naming the page and what is not on it
 */
export function checkPages(
  printed: PDFDocument,
  expected: string[][],
  firstPage: number,
  missing: (character: string) => boolean,
): void {
  const texts = textOfPages(printed);
  if (texts.length !== expected.length) {
    throw new PageUnreadable(`${expected.length} pages were laid out and ${texts.length} were printed.`);
  }
  for (const [at, wanted] of expected.entries()) {
    const page = comparable(texts[at] ?? '');
    if (wanted.length > 0 && page === '')
      throw new PageUnreadable(`Page ${firstPage + at + 1} came out blank.`);
    const letters = counts(page);
    for (const text of wanted) {
      const readable = [...comparable(text)].filter((character) => !missing(character)).join('');
      const whole = readable === comparable(text) && !REORDERED.test(readable);
      if (whole ? page.includes(readable) : hasLetters(letters, readable)) continue;
      throw new PageUnreadable(`Page ${firstPage + at + 1} came out without “${text}”.`);
    }
  }
}

function counts(text: string): Map<string, number> {
  const counted = new Map<string, number>();
  for (const character of text) counted.set(character, (counted.get(character) ?? 0) + 1);
  return counted;
}

function hasLetters(letters: Map<string, number>, text: string): boolean {
  return [...counts(text)].every(([character, count]) => (letters.get(character) ?? 0) >= count);
}
