import type { PDFDocument } from '@cantoo/pdf-lib';
import { textOfPages } from './printed-text.js';

/** A page lacks something. Such a file is worse than none, as nobody checks for what is missing. */
class PageUnreadable extends Error {}

/** Ligatures and direction marks do not change the text. White space does not count. */
const comparable = (text: string) =>
  text.normalize('NFKC').replace(/[\s\p{Cf}\p{Cc}\ufe00-\ufe0f\u00ad]/gu, '');

/** Right-to-left scripts, or letters shaped by their neighbours: printed in another order. */
const REORDERED = /[\u0590-\u08ff\u0900-\u0dff\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * Extracts the text of printed pages, and checks that each contains what it should.
 * @param expected texts on each page
 * @param missing whether none of our fonts has this character
 * @throws PageUnreadable naming the page and what is missing
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
