import { GrowableNumbers } from './growable-numbers.js';
import { BEGINS, boost, WHOLE } from './ranks.js';
import { SortedWords } from './sorted-words.js';
import { TextArena } from './text-arena.js';

/** Words that nobody types: "hobbit" is the whole of "The Hobbit". */
export const ARTICLES = ['the', 'a', 'an'] as const;
const ARTICLE_BYTES = ARTICLES.map((article) => Buffer.from(`${article} `));

/** What the articles make a title longer by. */
const SKIPPED = [0, ...new Set(ARTICLE_BYTES.map(({ length }) => length))];

/** How the titles fit what was typed. */
export interface TitleMatch {
  /** Then all titles that may begin with it do. */
  isOneWord: boolean;
  /** Titles that may begin with it, at most. */
  count: number;
  /** By how much the rank of a title is smaller for fitting; 0 where it does not begin with the text. */
  boostOf(place: number): number;
  /** The titles that may begin with it, some of them twice. */
  each(visit: (place: number) => void): void;
  /** How many characters a title has that is just what was typed. */
  wholeLengths: readonly number[];
}

/** Folded titles, and what they begin with, with and without an article. */
export class TitleMatches {
  private readonly titles = new TextArena();
  private count = 0;
  /** The places of the titles that begin with each word. */
  private readonly begunBy = new Map<string, GrowableNumbers>();
  private readonly firstWords = new SortedWords();

  push(title: string): void {
    const place = this.count;
    this.count += 1;
    this.titles.push(title);
    const first = firstWordOf(title);
    this.placesBegunBy(first).push(place);
    if (!ARTICLES.some((article) => article === first) || first === title) return;
    const second = firstWordOf(title.slice(first.length + 1));
    if (second !== first) this.placesBegunBy(second).push(place);
  }

  /** @param text folded words, the last one perhaps half typed */
  of(text: string): TitleMatch {
    const bytes = Buffer.from(text);
    const first = firstWordOf(text);
    const whole = this.begunBy.get(first);
    const isOneWord = first === text;
    const begun = isOneWord
      ? [...this.firstWords.from(first)].flatMap((word) => this.begunBy.get(word) ?? [])
      : whole
        ? [whole]
        : [];
    const boostOf = (place: number): number => {
      const rest = this.titles.lengthOf(place) - bytes.length;
      const begins = this.titles.startsWith(place, bytes);
      if (begins && rest === 0) return boost(WHOLE);
      const article = this.articleOf(place);
      const beginsAfter = article > 0 && this.titles.startsWith(place, bytes, article);
      if (beginsAfter && rest === article) return boost(WHOLE);
      return begins || beginsAfter ? boost(BEGINS) : 0;
    };
    return {
      isOneWord,
      wholeLengths: SKIPPED.map((skipped) => [...text].length + skipped),
      count: begun.reduce((sum, { length }) => sum + length, 0),
      boostOf,
      each: (visit) => {
        for (const places of begun) places.each(visit);
      },
    };
  }

  /** Bytes of the article that a title begins with, and of the blank after it. */
  private articleOf(place: number): number {
    return ARTICLE_BYTES.find((article) => this.titles.startsWith(place, article))?.length ?? 0;
  }

  private placesBegunBy(word: string): GrowableNumbers {
    let places = this.begunBy.get(word);
    if (!places) {
      places = new GrowableNumbers();
      this.begunBy.set(word, places);
      this.firstWords.add(word);
    }
    return places;
  }
}

function firstWordOf(text: string): string {
  const end = text.indexOf(' ');
  return end < 0 ? text : text.slice(0, end);
}
