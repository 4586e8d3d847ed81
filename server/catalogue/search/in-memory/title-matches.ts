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
  /** It is one text of one word; then all titles that may begin with it do. */
  isOneWord: boolean;
  /** Titles that may begin with it, at most. */
  count: number;
  /** By how much the rank of a title is smaller for fitting; 0 where it does not begin with the text. */
  boostOf(place: number): number;
  /** The titles that may begin with it, some of them twice. */
  each(visit: (place: number) => void): void;
  /** The books that are called otherwise by something that begins with it. */
  eachOther(visit: (place: number) => void): void;
  /** How many characters a title has that is just what was typed. */
  wholeLengths: readonly number[];
}

/** Folded texts, and what they begin with, with and without an article. */
class Beginnings {
  private readonly texts = new TextArena();
  private readonly begunBy = new Map<string, GrowableNumbers>();
  private readonly firstWords = new SortedWords();
  length = 0;

  push(text: string): void {
    const number = this.length;
    this.length += 1;
    this.texts.push(text);
    const first = firstWordOf(text);
    this.begunWith(first).push(number);
    if (!ARTICLES.some((article) => article === first) || first === text) return;
    const second = firstWordOf(text.slice(first.length + 1));
    if (second !== first) this.begunWith(second).push(number);
  }

  /** The numbers of the texts that may begin with another, by its first word. */
  mayBegin(wanted: string): GrowableNumbers[] {
    const first = firstWordOf(wanted);
    const words = first === wanted ? [...this.firstWords.from(first)] : [first];
    return words.flatMap((word) => this.begunBy.get(word) ?? []);
  }

  /** What a text counts for that begins with one of others, or is one. */
  boostOf(number: number, wanted: readonly Buffer[]): number {
    const article = this.articleOf(number);
    let most = 0;
    for (const bytes of wanted) {
      for (const skipped of article === 0 ? [0] : [0, article]) {
        if (!this.texts.startsWith(number, bytes, skipped)) continue;
        if (this.texts.lengthOf(number) === bytes.length + skipped) return boost(WHOLE);
        most = boost(BEGINS);
      }
    }
    return most;
  }

  /** Bytes of the article that a text begins with, and of the blank after it. */
  private articleOf(number: number): number {
    return ARTICLE_BYTES.find((article) => this.texts.startsWith(number, article))?.length ?? 0;
  }

  private begunWith(word: string): GrowableNumbers {
    let numbers = this.begunBy.get(word);
    if (!numbers) {
      numbers = new GrowableNumbers();
      this.begunBy.set(word, numbers);
      this.firstWords.add(word);
    }
    return numbers;
  }
}

/** The titles of all books by their places, and what some of them are called otherwise. */
export class TitleMatches {
  private readonly titles = new Beginnings();
  private readonly others = new Beginnings();
  /** Whose each of the other titles is. */
  private readonly otherPlaces = new GrowableNumbers();

  push(title: string, others: readonly string[]): void {
    for (const other of others) {
      this.otherPlaces.push(this.titles.length);
      this.others.push(other);
    }
    this.titles.push(title);
  }

  /** @param texts folded words, the last one perhaps half typed */
  of(texts: readonly string[]): TitleMatch {
    const wanted = texts.map((text) => Buffer.from(text));
    const begun = texts.flatMap((text) => this.titles.mayBegin(text));
    const otherwise = new Map<number, number>();
    for (const numbers of texts.flatMap((text) => this.others.mayBegin(text))) {
      numbers.each((number) => {
        const counts = this.others.boostOf(number, wanted);
        const place = this.otherPlaces.at(number);
        if (counts > (otherwise.get(place) ?? 0)) otherwise.set(place, counts);
      });
    }
    const eachOther = (visit: (place: number) => void) => {
      for (const place of otherwise.keys()) visit(place);
    };
    return {
      isOneWord: texts.length === 1 && firstWordOf(texts[0] ?? '') === texts[0],
      wholeLengths: SKIPPED.map((skipped) => [...(texts[0] ?? '')].length + skipped),
      count: begun.reduce((sum, { length }) => sum + length, otherwise.size),
      boostOf: (place) => Math.max(this.titles.boostOf(place, wanted), otherwise.get(place) ?? 0),
      each: (visit) => {
        for (const places of begun) places.each(visit);
        eachOther(visit);
      },
      eachOther,
    };
  }
}

function firstWordOf(text: string): string {
  const end = text.indexOf(' ');
  return end < 0 ? text : text.slice(0, end);
}
