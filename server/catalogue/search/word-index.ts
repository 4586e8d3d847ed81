import { bitSet, clearBit, hasBit, setBit, type BitSet } from './bit-set.js';
import { GrowingNumbers } from './growing-numbers.js';
import { FewPlaces, ManyPlaces, type Places } from './places.js';
import { Postings } from './postings.js';
import { SortedWords } from './sorted-words.js';
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
  main: Places;
  all: Places;
}

/** The places of the books that have a word in their title or authors, and of those that have it elsewhere. */
interface WordPlaces {
  main: Postings | undefined;
  rest: Postings | undefined;
}

/** Longest folded title, in characters. */
const LONGEST_TITLE = 255;
/** The most titles that are sorted here; beyond that, the database's index is faster. */
const MAX_TITLES = 2000;
/** Up to so many matches are put in order by themselves, however deep the page. */
const SORTED_ALONE = 20_000;
/** Up to so many books with the rarest word of a query are looked at one by one. */
const MAX_CANDIDATES = 4000;

/**
 * The words of a whole catalogue in memory. Each book has a place; a book that changes gets a new place at the
 * end, and its old one is dead. So the places of a word are always in order, and adding is cheap.
 */
export class WordIndex {
  private readonly postings = new Map<string, WordPlaces>();
  private readonly words = new SortedWords();
  private readonly ids = new GrowingNumbers(1024);
  private readonly titleLengths = new GrowingNumbers(1024);
  private readonly titles = new TextArena();
  /** The places of the titles of each length: of many matches the shortest are found from here. */
  private readonly ofLength: (GrowingNumbers | undefined)[] = [];
  /** The places of the titles that begin with each word. */
  private readonly begunBy = new Map<string, GrowingNumbers>();
  private readonly firstWords = new SortedWords();
  /** By the book's id; -1 where it has none. */
  private places = new Int32Array(1024).fill(-1);
  private alive: BitSet = bitSet(1024);
  private readonly scratch: BitSet[] = [];
  /** Places that are dead. */
  dead = 0;
  /** Increases with every change, which makes earlier matches invalid. */
  version = 0;

  /** Books in the index. */
  get size(): number {
    return this.ids.length - this.dead;
  }

  /** Different words. It grows alone. */
  get vocabulary(): number {
    return this.postings.size;
  }

  /** The book's place, which its words stay with when it changes or goes; undefined where it has none. */
  placeOf(id: number): number | undefined {
    const place = this.places[id] ?? -1;
    return place < 0 ? undefined : place;
  }

  add(book: IndexedBook): void {
    this.remove(book.id);
    this.version += 1;
    const place = this.ids.length;
    this.ids.push(book.id);
    const length = Math.min(book.titleLength, LONGEST_TITLE);
    this.titleLengths.push(length);
    (this.ofLength[length] ??= new GrowingNumbers()).push(place);
    this.titles.push(book.title);
    this.placesBegunBy(firstWordOf(book.title)).push(place);
    this.makeRoom(book.id, place);
    this.places[book.id] = place;
    setBit(this.alive, place);
    for (const word of book.main) (this.placesOf(word).main ??= new Postings()).push(place);
    for (const word of book.rest) (this.placesOf(word).rest ??= new Postings()).push(place);
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
    const groups = spellings.map((words, at) => [...this.placesOfAny(words, at === spellings.length - 1)]);
    const counts = groups.map(booksOf);
    const rarest = counts.indexOf(Math.min(...counts));
    const [main, all] =
      (counts[rarest] ?? 0) <= MAX_CANDIDATES ? this.matchFew(groups, rarest) : this.matchMany(groups);
    return { total: all.size, main, all };
  }

  /** Whether the words of a place, dead or alive, match. */
  matchesAt(place: number, spellings: readonly (readonly string[])[]): boolean {
    return spellings.every((words, at) => {
      for (const { main, rest } of this.placesOfAny(words, at === spellings.length - 1)) {
        if (main?.has(place) || rest?.has(place)) return true;
      }
      return false;
    });
  }

  has({ all }: IndexMatches, id: number): boolean {
    const place = this.places[id] ?? -1;
    return place >= 0 && all.has(place);
  }

  /**
   * The matches whose titles begin with a text, in the order of the titles; undefined where they are too many.
   */
  beginning({ main }: IndexMatches, text: string): number[] | undefined {
    const bytes = Buffer.from(text);
    const first = firstWordOf(text);
    const isOneWord = first === text;
    const begun = [...(isOneWord ? this.firstWords.from(first) : [first])].flatMap(
      (word) => this.begunBy.get(word) ?? [],
    );
    const count = begun.reduce((sum, { length }) => sum + length, 0);
    // All that live match: the word is in each of these titles.
    if (isOneWord && count - this.dead > MAX_TITLES) return undefined;
    const found: number[] = [];
    const look = (place: number) => {
      if (found.length <= MAX_TITLES && this.titles.startsWith(place, bytes)) found.push(place);
    };
    if (count < main.size) {
      for (const places of begun) places.each((place) => main.has(place) && look(place));
    } else main.each(look);
    if (found.length > MAX_TITLES) return undefined;
    found.sort((one, other) => this.titles.compare(one, other) || this.ids.at(one) - this.ids.at(other));
    return found.map((place) => this.ids.at(place));
  }

  /** The ids of all matches, in no order. */
  idsOf({ all }: IndexMatches): number[] {
    const ids: number[] = [];
    all.each((place) => ids.push(this.ids.at(place)));
    return ids;
  }

  /**
   * The first matches: those by title and author, then the others; each with the shorter titles first.
   * @param before ids that come before these and are left out
   */
  first({ main, all }: IndexMatches, before: readonly number[], depth: number): number[] {
    const without = new Set(before.map((id) => this.places[id]));
    const best = this.shortest(main, (place) => !without.has(place), depth);
    if (best.length >= depth) return best;
    if (main.size === all.size) return best;
    const isOther = (place: number) => !main.has(place) && !without.has(place);
    return best.concat(this.shortest(all, isOther, depth - best.length));
  }

  private shortest(set: Places, isWanted: (place: number) => boolean, depth: number): number[] {
    // Length and id in one number: 255 times 2^31 is far below what a number holds exactly.
    const keys: number[] = [];
    const take = (place: number, length: number) => {
      if (isWanted(place)) keys.push(length * 2 ** 31 + this.ids.at(place));
    };
    if (set.size <= SORTED_ALONE) {
      const longest = this.longestNeeded(set, isWanted, depth);
      set.each((place) => {
        const length = this.titleLengths.at(place);
        if (length <= longest) take(place, length);
      });
    } else {
      for (const [length, places] of this.ofLength.entries()) {
        places?.each((place) => {
          if (set.has(place)) take(place, length);
        });
        if (keys.length >= depth) break;
      }
    }
    return [...Float64Array.from(keys).sort().subarray(0, depth)].map((key) => key % 2 ** 31);
  }

  /** The length of the last of the shortest titles. */
  private longestNeeded(set: Places, isWanted: (place: number) => boolean, depth: number): number {
    const counts = new Int32Array(LONGEST_TITLE + 1);
    set.each((place) => {
      const length = this.titleLengths.at(place);
      if (isWanted(place)) counts[length] = (counts[length] as number) + 1;
    });
    let sum = 0;
    const longest = counts.findIndex((count) => (sum += count) >= depth);
    return longest < 0 ? LONGEST_TITLE : longest;
  }

  /** Looks at each book that has the rarest word. */
  private matchFew(groups: readonly (readonly WordPlaces[])[], rarest: number): [Places, Places] {
    // The place, doubled, and one more where it has the word elsewhere than in title and authors.
    const found: number[] = [];
    for (const { main, rest } of groups[rarest] ?? []) {
      main?.each((place) => found.push(place * 2));
      rest?.each((place) => found.push(place * 2 + 1));
    }
    const others = groups
      .filter((_, at) => at !== rarest)
      .map((group, at) => this.lookUp(group, found.length, at));
    const [best, all]: [number[], number[]] = [[], []];
    let last = -1;
    for (const key of Float64Array.from(found).sort()) {
      const place = Math.floor(key / 2);
      if (place === last || !hasBit(this.alive, place)) continue;
      last = place;
      if (!others.every(({ anywhere }) => anywhere(place))) continue;
      all.push(place);
      if (key % 2 === 0 && others.every(({ inMain }) => inMain(place))) best.push(place);
    }
    return [new FewPlaces(best), new FewPlaces(all)];
  }

  /** How to ask whether a book has one of these words: one by one, or of a set where that is dearer than making it. */
  private lookUp(
    group: readonly WordPlaces[],
    times: number,
    at: number,
  ): { inMain: (place: number) => boolean; anywhere: (place: number) => boolean } {
    if (group.length * times < booksOf(group) + this.ids.length / 32) {
      const inMain = (place: number) => group.some(({ main }) => main?.has(place));
      return { inMain, anywhere: (place) => inMain(place) || group.some(({ rest }) => rest?.has(place)) };
    }
    const [inMain, anywhere] = this.sets(group, at);
    return { inMain: (place) => hasBit(inMain, place), anywhere: (place) => hasBit(anywhere, place) };
  }

  private matchMany(groups: readonly (readonly WordPlaces[])[]): [Places, Places] {
    const main = this.alive.slice(0, (this.ids.length + 31) >>> 5);
    const all = main.slice();
    for (const group of groups) {
      const [inMain, anywhere] = this.sets(group, 0);
      for (let word = 0; word < all.length; word += 1) {
        main[word] = (main[word] as number) & (inMain[word] as number);
        all[word] = (all[word] as number) & (anywhere[word] as number);
      }
    }
    return [new ManyPlaces(main), new ManyPlaces(all)];
  }

  /**
   * The places that have one of these words in title or authors, and those that have it anywhere; until they are made again for
   * the same place in a query. Were they new each time, a catalogue of millions would have its garbage collected all the time.
   */
  private sets(group: readonly WordPlaces[], at: number): [BitSet, BitSet] {
    const inMain = this.emptied(2 * at);
    for (const { main } of group) main?.mark(inMain);
    if (group.every(({ rest }) => rest === undefined)) return [inMain, inMain];
    const anywhere = this.emptied(2 * at + 1);
    anywhere.set(inMain);
    for (const { rest } of group) rest?.mark(anywhere);
    return [inMain, anywhere];
  }

  private emptied(at: number): BitSet {
    const words = (this.ids.length + 31) >>> 5;
    const known = this.scratch[at];
    if (known !== undefined && known.length >= words) return known.subarray(0, words).fill(0);
    const larger = bitSet(Math.ceil(words * 40));
    this.scratch[at] = larger;
    return larger.subarray(0, words);
  }

  private placesOf(word: string): WordPlaces {
    let places = this.postings.get(word);
    if (!places) {
      places = { main: undefined, rest: undefined };
      this.postings.set(word, places);
      this.words.add(word);
    }
    return places;
  }

  private placesBegunBy(word: string): GrowingNumbers {
    let places = this.begunBy.get(word);
    if (!places) {
      places = new GrowingNumbers();
      this.begunBy.set(word, places);
      this.firstWords.add(word);
    }
    return places;
  }

  private *placesOfAny(words: readonly string[], areBeginnings: boolean): Generator<WordPlaces> {
    for (const word of words) {
      if (areBeginnings) {
        for (const found of this.words.from(word)) yield this.postings.get(found) as WordPlaces;
      } else {
        const places = this.postings.get(word);
        if (places) yield places;
      }
    }
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

function booksOf(group: readonly WordPlaces[]): number {
  return group.reduce((sum, { main, rest }) => sum + (main?.length ?? 0) + (rest?.length ?? 0), 0);
}

function firstWordOf(text: string): string {
  const end = text.indexOf(' ');
  return end < 0 ? text : text.slice(0, end);
}
