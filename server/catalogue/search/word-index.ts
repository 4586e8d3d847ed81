import { bitSet, clearBit, countBits, eachBit, hasBit, setBit, type BitSet } from './bit-set.js';
import { GrowingNumbers } from './growing-numbers.js';
import { TextArena } from './text-arena.js';

/** What a book is found by. */
export interface IndexedBook {
  id: number;
  /** Its folded title. */
  title: string;
  /** Its length in characters: among equally good matches the shorter title comes first. */
  titleLength: number;
  /** Words of its title and authors. */
  main: readonly string[];
  /** All other words: genres and publisher. */
  rest: readonly string[];
}

/** The books that a query finds. Valid until the index changes. */
export interface IndexMatches {
  total: number;
  /** Those whose title and authors have all the words. */
  main: BitSet;
  all: BitSet;
}

/** The places of the books that have a word. */
interface Postings {
  main: GrowingNumbers;
  rest: GrowingNumbers;
}

/** Longest folded title, in characters. */
const LONGEST_TITLE = 255;
/** The most titles that are sorted here; beyond that, the database's index is faster. */
const MAX_TITLES = 2000;

/**
 * The words of a whole catalogue in memory. Each book has a place; a book that changes gets a new place at the
 * end, and its old one is dead. So the places of a word are always in order, and adding is cheap.
 */
export class WordIndex {
  private readonly postings = new Map<string, Postings>();
  /** All words in order, for beginnings; undefined until it is needed and after new words. */
  private sortedWords: string[] | undefined;
  private readonly newWords: string[] = [];
  private readonly ids = new GrowingNumbers(1024);
  private readonly titleLengths = new GrowingNumbers(1024);
  private readonly titles = new TextArena();
  /** By the book's id; -1 where it has none. */
  private places = new Int32Array(1024).fill(-1);
  private alive: BitSet = bitSet(1024);
  /** Places that are dead. */
  dead = 0;
  /** Increases with every change, which makes earlier matches invalid. */
  version = 0;

  /** Books in the index. */
  get size(): number {
    return this.ids.length - this.dead;
  }

  add(book: IndexedBook): void {
    this.remove(book.id);
    this.version += 1;
    const place = this.ids.length;
    this.ids.push(book.id);
    this.titleLengths.push(Math.min(book.titleLength, LONGEST_TITLE));
    this.titles.push(book.title);
    this.makeRoom(book.id, place);
    this.places[book.id] = place;
    setBit(this.alive, place);
    for (const word of book.main) this.postingsOf(word).main.push(place);
    for (const word of book.rest) this.postingsOf(word).rest.push(place);
  }

  remove(id: number): void {
    const place = this.places[id] ?? -1;
    if (place < 0) return;
    this.version += 1;
    this.places[id] = -1;
    clearBit(this.alive, place);
    this.dead += 1;
  }

  /**
   * Finds the books that contain every word in one of its spellings.
   * @param spellings of each word, the last word's as beginnings
   */
  match(spellings: readonly (readonly string[])[]): IndexMatches {
    const places = this.ids.length;
    const main = this.alive.slice(0, (places + 31) >>> 5);
    const all = main.slice();
    const last = spellings.length - 1;
    for (const [at, words] of spellings.entries()) {
      const inMain = bitSet(places);
      for (const postings of this.postingsOfAny(words, at === last)) mark(inMain, postings.main);
      const anywhere = inMain.slice();
      for (const postings of this.postingsOfAny(words, at === last)) mark(anywhere, postings.rest);
      for (let word = 0; word < all.length; word += 1) {
        main[word] = (main[word] as number) & (inMain[word] as number);
        all[word] = (all[word] as number) & (anywhere[word] as number);
      }
    }
    return { total: countBits(all), main, all };
  }

  has({ all }: IndexMatches, id: number): boolean {
    const place = this.places[id] ?? -1;
    return place >= 0 && hasBit(all, place);
  }

  /**
   * The matches whose titles begin with a text, in the order of the titles; undefined where they are too many.
   */
  beginning({ main }: IndexMatches, text: string): number[] | undefined {
    const bytes = Buffer.from(text);
    const found: number[] = [];
    eachBit(main, (place) => {
      if (found.length <= MAX_TITLES && this.titles.startsWith(place, bytes)) found.push(place);
    });
    if (found.length > MAX_TITLES) return undefined;
    found.sort((one, other) => this.titles.compare(one, other) || this.ids.at(one) - this.ids.at(other));
    return found.map((place) => this.ids.at(place));
  }

  /** The ids of all matches, in no order. */
  idsOf({ all }: IndexMatches): number[] {
    const ids: number[] = [];
    eachBit(all, (place) => ids.push(this.ids.at(place)));
    return ids;
  }

  /**
   * The first matches: those by title and author, then the others; each with the shorter titles first.
   * @param before ids that come before these and are left out
   */
  first({ main, all }: IndexMatches, before: readonly number[], depth: number): number[] {
    const [best, others] = [main.slice(), all.slice()];
    for (const id of before) {
      clearBit(best, this.places[id] ?? 0);
      clearBit(others, this.places[id] ?? 0);
    }
    for (let word = 0; word < others.length; word += 1) {
      others[word] = (others[word] as number) & ~(main[word] as number);
    }
    const ids = this.shortest(best, depth);
    return ids.length < depth ? ids.concat(this.shortest(others, depth - ids.length)) : ids;
  }

  private shortest(set: BitSet, depth: number): number[] {
    const lengths = this.titleLengths.values();
    const counts = new Int32Array(LONGEST_TITLE + 1);
    eachBit(set, (place) => {
      const length = lengths[place] as number;
      counts[length] = (counts[length] as number) + 1;
    });
    let longest = 0;
    for (let sum = 0; longest <= LONGEST_TITLE && sum < depth; longest += 1) sum += counts[longest] as number;
    // Length and id in one number: 255 times 2^31 is far below what a number holds exactly.
    const keys: number[] = [];
    eachBit(set, (place) => {
      const length = lengths[place] as number;
      if (length < longest) keys.push(length * 2 ** 31 + this.ids.at(place));
    });
    return [...Float64Array.from(keys).sort().subarray(0, depth)].map((key) => key % 2 ** 31);
  }

  private postingsOf(word: string): Postings {
    let postings = this.postings.get(word);
    if (!postings) {
      postings = { main: new GrowingNumbers(0), rest: new GrowingNumbers(0) };
      this.postings.set(word, postings);
      if (this.sortedWords) this.newWords.push(word);
    }
    return postings;
  }

  private *postingsOfAny(words: readonly string[], areBeginnings: boolean): Generator<Postings> {
    for (const word of words) {
      if (areBeginnings) {
        for (const found of this.wordsFrom(word)) yield this.postings.get(found) as Postings;
      } else {
        const postings = this.postings.get(word);
        if (postings) yield postings;
      }
    }
  }

  private *wordsFrom(beginning: string): Generator<string> {
    const words = this.inOrder();
    let [low, high] = [0, words.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((words[middle] as string) < beginning) low = middle + 1;
      else high = middle;
    }
    for (let at = low; words[at]?.startsWith(beginning); at += 1) yield words[at] as string;
  }

  private inOrder(): string[] {
    if (!this.sortedWords) this.sortedWords = [...this.postings.keys()].sort();
    else if (this.newWords.length > 0) this.sortedWords = [...this.sortedWords, ...this.newWords].sort();
    this.newWords.length = 0;
    return this.sortedWords;
  }

  private makeRoom(id: number, place: number): void {
    if (id >= this.places.length) {
      const larger = new Int32Array(Math.ceil(id * 1.5) + 1).fill(-1);
      larger.set(this.places);
      this.places = larger;
    }
    if (place >>> 5 >= this.alive.length) {
      const larger = bitSet(Math.ceil(place * 1.5) + 32);
      larger.set(this.alive);
      this.alive = larger;
    }
  }
}

function mark(set: BitSet, places: GrowingNumbers): void {
  const values = places.values();
  for (let at = 0; at < values.length; at += 1) {
    const place = values[at] as number;
    set[place >>> 5] = (set[place >>> 5] as number) | (1 << (place & 31));
  }
}
