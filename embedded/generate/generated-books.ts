import { ean13 } from '../../server/catalogue/isbn.js';
import { SeededRandom } from './random.js';
import { CITIES, FIRST_NAMES, GENRES, capital, makeVocabulary, type Vocabulary } from './vocabulary.js';

/** Numbers stand for the place in the lists of authors, publishers and genres. */
export interface GeneratedBook {
  isbn: string;
  title: string;
  description: string;
  authors: number[];
  genres: number[];
  publisher: number;
  year: number;
  copies: number;
}

/** So many books have numbers of their own for one seed. */
export const MAX_BOOKS = 20_000_000;
/** The range of ISBNs that begins with 979-8 has a hundred million numbers. */
const NUMBERS = 100_000_000;
/** Has no factor in common with it, so that each place gives another number. */
const STEP = 61_803_399;

/** A catalogue that looks like one and is the same for the same seed and size. */
export class GeneratedCatalogue {
  readonly genres = GENRES;
  readonly publishers: readonly string[];
  readonly authors: readonly { firstname: string; lastname: string }[];
  private readonly random: SeededRandom;
  private readonly words: Vocabulary;
  private made = 0;

  /**
   * @param books how many it will be asked for, which decides how many authors there are
   */
  constructor(
    private readonly seed: number,
    books: number,
  ) {
    this.random = new SeededRandom(seed);
    this.words = makeVocabulary(this.random);
    this.publishers = this.words.publishers;
    this.authors = this.makeAuthors(Math.min(Math.max(20, Math.ceil(books / 5)), 400_000));
  }

  next(): GeneratedBook {
    const { random } = this;
    const authors = [this.author()];
    while (authors.length < 5 && random.chance(0.22)) authors.push(this.author());
    const genres = [this.genre()];
    while (genres.length < 3 && random.chance(0.35)) genres.push(this.genre());
    const title = this.title();
    return {
      isbn: this.isbn(),
      title,
      description: `${title}, told anew. ${capital(this.noun())} and ${this.noun()} in ${random.pick(CITIES)}.`,
      authors: [...new Set(authors)],
      genres: [...new Set(genres)],
      publisher: Math.floor(this.publishers.length * random.next() ** 3),
      year: Math.max(1800, 2026 - Math.floor(-Math.log(1 - random.next()) * 22)),
      copies: 1 + Math.floor(-Math.log(1 - random.next()) * 1.6),
    };
  }

  private makeAuthors(count: number): { firstname: string; lastname: string }[] {
    const names = new Map<string, { firstname: string; lastname: string }>();
    while (names.size < count) {
      const second = this.random.chance(0.2) ? ` ${this.random.pick(FIRST_NAMES)}` : '';
      const firstname = this.random.pickByRank(FIRST_NAMES, 30) + second;
      const lastname = this.random.pickByRank(this.words.lastNames, 200);
      names.set(`${firstname} ${lastname}`, { firstname, lastname });
    }
    return [...names.values()];
  }

  private isbn(): string {
    const place = BigInt(this.made) + BigInt(this.seed) * BigInt(MAX_BOOKS);
    this.made += 1;
    const number = (place * BigInt(STEP)) % BigInt(NUMBERS);
    return ean13(`9798${String(number).padStart(8, '0')}`);
  }

  private author(): number {
    return Math.floor(this.authors.length * this.random.next() ** 2.2);
  }

  private genre(): number {
    return Math.floor(this.genres.length * this.random.next() ** 1.8);
  }

  private noun(): string {
    return this.random.pickByRank(this.words.nouns, 6);
  }

  private adjective(): string {
    return this.random.pickByRank(this.words.adjectives, 6);
  }

  private title(): string {
    const { random } = this;
    const noun = () => capital(this.noun());
    const adjective = () => capital(this.adjective());
    const shapes = [
      () => `The ${noun()}`,
      () => `The ${adjective()} ${noun()}`,
      () => `${noun()} of ${noun()}`,
      () => `The ${noun()} of the ${noun()}`,
      () => `${noun()} and ${noun()}`,
      () => `A History of ${noun()}`,
      () => `${adjective()} ${noun()}: ${noun()} and ${noun()} in ${random.pick(CITIES)}`,
      () => `Introduction to ${adjective()} ${noun()}`,
      () => `${noun()}: A ${adjective()} ${noun()}`,
      () => `${noun()} i ${this.noun()}`,
      () => `${noun()} w ${random.pick(CITIES)}`,
      () => `${noun()} ${noun()}, Vol. ${1 + random.below(12)}`,
      () => `${noun()} in the ${adjective()} ${noun()}`,
      () => `${adjective()} ${noun()}`,
    ];
    return random.pick(shapes)();
  }
}
