import { bitSet, clearBit, hasBit, setBit, type BitSet } from './bit-set.js';
import { GrowableNumbers } from './growable-numbers.js';
import { FewPlaces, ManyPlaces, type Places } from './places.js';
import { Postings } from './postings.js';
import { SortedWords } from './sorted-words.js';
import { boost, LONGEST_TITLE, rankOf, RanksInOrder, WHOLE } from './ranks.js';
import { TitleMatches } from './title-matches.js';

/** What a book is found by. */
export interface IndexedBook {
  id: number;
  /** Its folded title. */
  title: string;
  /** What else it is called, folded. */
  otherTitles: readonly string[];
  /** Its length in characters: among equally good matches that are read as much the shorter title comes first. */
  titleLength: number;
  /** How much it is read, 0 to 127. */
  level: number;
  /** Words of its title and authors. */
  main: readonly string[];
  /** All other words: genres and publisher. */
  rest: readonly string[];
}

/** What a book must have one of, each all of some words; a `*` ends the beginning of a word. */
export interface WantedWords {
  forms: readonly (readonly string[])[];
  /** Wherever the book has it, it counts as if its title had it. */
  isSoft: boolean;
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

/** Up to so many matches are put in order by themselves, however deep the page. */
const SORTED_ALONE = 20_000;
/** Of more titles that begin with a word, the foremost are found by a walk along the ranks. */
const FEW_TITLES = 2000;
/** Up to so many books with the rarest word of a query are looked at one by one. */
const MAX_CANDIDATES = 4000;

/**
 * The words of a whole catalogue in memory. Each book has a place; a book that changes gets a new place at the
 * end, and its old one is dead. So the places of a word are always in order, and adding is cheap.
 */
export class WordIndex {
  private readonly postings = new Map<string, WordPlaces>();
  private readonly words = new SortedWords();
  private readonly ids = new GrowableNumbers(1024);
  private readonly ranks = new RanksInOrder();
  private readonly titles = new TitleMatches();
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

  /** Places that there are, dead ones included. */
  get room(): number {
    return this.ids.length;
  }

  /** @returns the place that the book has now */
  add(book: IndexedBook): number {
    this.remove(book.id);
    this.version += 1;
    const place = this.ids.length;
    this.ids.push(book.id);
    this.ranks.push(rankOf(book.level, Math.min(book.titleLength, LONGEST_TITLE)));
    this.titles.push(book.title, book.otherTitles);
    this.makeRoom(book.id, place);
    this.places[book.id] = place;
    setBit(this.alive, place);
    for (const word of book.main) (this.placesOf(word).main ??= new Postings()).push(place);
    for (const word of book.rest) (this.placesOf(word).rest ??= new Postings()).push(place);
    return place;
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
   * Finds the books that have all of these.
   * @param terms at least one, and one that is not soft
   */
  match(terms: readonly WantedWords[]): IndexMatches {
    const groups = terms.map((term) => this.placesOfAny(term));
    const counts = groups.map(booksOf);
    const rarest = counts.indexOf(Math.min(...counts));
    const [main, all] =
      (counts[rarest] ?? 0) <= MAX_CANDIDATES ? this.matchFew(groups, rarest) : this.matchMany(groups);
    return { total: all.size, main, all };
  }

  /** All books, as what a query finds that asks for nothing. */
  everything(): IndexMatches {
    const all = new ManyPlaces(this.alive.slice(0, (this.ids.length + 31) >>> 5));
    return { total: all.size, main: all, all };
  }

  /** Some books by their ids, as what a query finds. */
  these(ids: readonly number[]): IndexMatches {
    const places = ids.flatMap((id) => this.placeOf(id) ?? []).sort((one, other) => one - other);
    const all = new FewPlaces(places);
    return { total: all.size, main: all, all };
  }

  /** Whether one of some books has just one of these as its title. */
  haveTitle(ids: readonly number[], titles: readonly string[]): boolean {
    const matches = this.titles.of(titles);
    return ids.some((id) => {
      const place = this.placeOf(id);
      return place !== undefined && matches.boostOf(place) === boost(WHOLE);
    });
  }

  /** Whether the words of a place, dead or alive, match. */
  matchesAt(place: number, terms: readonly WantedWords[]): boolean {
    const hasWord = (word: string) =>
      this.placesOfWord(word).some(({ main, rest }) => main?.has(place) || rest?.has(place));
    return terms.every(({ forms }) => forms.some((words) => words.every(hasWord)));
  }

  has({ all }: IndexMatches, id: number): boolean {
    const place = this.places[id] ?? -1;
    return place >= 0 && all.has(place);
  }

  /** The ids of all matches, in no order. */
  idsOf({ all }: IndexMatches): number[] {
    const ids: number[] = [];
    all.each((place) => ids.push(this.ids.at(place)));
    return ids;
  }

  /**
   * The first matches: those by title and author, then the others; each as they fit and are read (`ranks.ts`).
   * @param texts what titles are compared with
   */
  first({ main, all }: IndexMatches, texts: readonly string[], depth: number): number[] {
    if (depth <= 0) return [];
    const title = this.titles.of(texts);
    const keys: number[] = [];
    // The foremost of those that fit better are among these, and so are the foremost of all the others.
    const take = (place: number) => {
      keys.push((this.ranks.at(place) - title.boostOf(place)) * 2 ** 31 + this.ids.at(place));
    };
    if (title.isOneWord && title.count > FEW_TITLES && main.size > FEW_TITLES) {
      const begins = (place: number) => main.has(place) && title.boostOf(place) > 0;
      for (const length of title.wholeLengths)
        this.ranks.eachOfLength(length, (place) => begins(place) && take(place));
      title.eachOther((place) => begins(place) && take(place));
      this.ranks.eachFrom(begins, depth, take);
    } else {
      const isBegun = (place: number) => title.boostOf(place) > 0 && take(place);
      if (title.count < main.size) title.each((place) => main.has(place) && isBegun(place));
      else main.each(isBegun);
    }
    this.foremost(main, () => true, depth, take);
    const best = idsOfKeys(keys, depth);
    if (best.length >= depth || main.size === all.size) return best;
    const others: number[] = [];
    this.foremost(
      all,
      (place) => !main.has(place),
      depth - best.length,
      (place) => others.push(this.ranks.at(place) * 2 ** 31 + this.ids.at(place)),
    );
    return best.concat(idsOfKeys(others, depth - best.length));
  }

  /** Calls back with at least as many of a set as are wanted, the foremost by their ranks among them. */
  private foremost(
    set: Places,
    isWanted: (place: number) => boolean,
    depth: number,
    take: (place: number) => void,
  ): void {
    if (set.size > SORTED_ALONE) {
      this.ranks.eachFrom((place) => set.has(place) && isWanted(place), depth, take);
      return;
    }
    const last = set.size <= depth ? Infinity : this.ranks.lastNeeded(set, isWanted, depth);
    set.each((place) => {
      if (this.ranks.at(place) <= last && isWanted(place)) take(place);
    });
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

  private placesOfAny({ forms, isSoft }: WantedWords): WordPlaces[] {
    const found = forms.flatMap((words) =>
      words.length === 1 ? this.placesOfWord(words[0] ?? '') : this.placesOfAll(words),
    );
    return isSoft
      ? found.flatMap(({ main, rest }) => [main, rest].map((places) => ({ main: places, rest: undefined })))
      : found;
  }

  private placesOfWord(word: string): WordPlaces[] {
    if (word.endsWith('*')) {
      return Array.from(
        this.words.from(word.slice(0, -1)),
        (found) => this.postings.get(found) as WordPlaces,
      );
    }
    const found = this.postings.get(word);
    return found ? [found] : [];
  }

  /** Of books that have all of some words, as if these were one word. */
  private placesOfAll(words: readonly string[]): WordPlaces[] {
    const places = words.map((word) => this.placesOfWord(word));
    if (places.some((of) => of.length === 0)) return [];
    const { main, all } = this.match(words.map((word) => ({ forms: [[word]], isSoft: false })));
    const both: WordPlaces = { main: new Postings(), rest: new Postings() };
    main.each((place) => both.main?.push(place));
    all.each((place) => main.has(place) || both.rest?.push(place));
    return [both];
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

/** The ids of the smallest keys, each once. */
function idsOfKeys(keys: readonly number[], depth: number): number[] {
  const ids: number[] = [];
  let last = NaN;
  for (const key of Float64Array.from(keys).sort()) {
    if (ids.length >= depth) break;
    if (key !== last) ids.push(((key % 2 ** 31) + 2 ** 31) % 2 ** 31);
    last = key;
  }
  return ids;
}
