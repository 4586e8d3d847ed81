import { GrowableLists } from './growable-lists.js';

/** A bit for each word of a search, of a text that has it. */
export type WordMask = Int32Array;

/** Titles, numbered, and which of them have a word as a part of them. */
export class Titles {
  private readonly numbers = new Map<string, number>();
  private readonly parts = new Map<string, number>();
  private readonly titlesWith = new GrowableLists();

  /** @param title folded */
  numberOf(title: string): number {
    const known = this.numbers.get(title);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(title, number);
    for (const part of new Set(title.split(/\s+/))) {
      let at = this.parts.get(part);
      if (at === undefined) this.parts.set(part, (at = this.parts.size));
      this.titlesWith.add(at, number);
    }
    return number;
  }

  /** @param words without white space, so each is found within one part of a title between two blanks, or not at all */
  marks(words: readonly string[]): WordMask {
    const marks = new Int32Array(this.numbers.size);
    if (words.length === 0) return marks;
    for (const [part, at] of this.parts) {
      const found = marksOf(part, words);
      if (found !== 0) {
        this.titlesWith.each(at, (title) => {
          marks[title] = (marks[title] as number) | found;
        });
      }
    }
    return marks;
  }
}

/** Readers, numbered, and what each is found by. */
export class Readers {
  private readonly numbers = new Map<string, number>();
  /** undefined for somebody without an account. */
  private readonly texts: (string | undefined)[] = [];

  numberOf(pseudonym: string): number {
    const known = this.numbers.get(pseudonym);
    if (known !== undefined) return known;
    this.numbers.set(pseudonym, this.texts.length);
    return this.texts.push(undefined) - 1;
  }

  /** @param text null where the account is gone */
  name(pseudonym: string, text: string | null): void {
    this.texts[this.numberOf(pseudonym)] = text ?? undefined;
  }

  marks(words: readonly string[]): WordMask {
    const marks = new Int32Array(this.texts.length);
    if (words.length === 0) return marks;
    for (let at = 0; at < marks.length; at += 1) {
      const text = this.texts[at];
      if (text !== undefined) marks[at] = marksOf(text, words);
    }
    return marks;
  }
}

function marksOf(text: string, words: readonly string[]): number {
  let marks = 0;
  for (let at = 0; at < words.length; at += 1) if (text.includes(words[at] as string)) marks |= 1 << at;
  return marks;
}
