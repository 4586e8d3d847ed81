import { LRUCache } from 'lru-cache';
import { bitSet, hasBit, setBit, type BitSet } from './bit-set.js';
import { GrowableNumbers } from './growable-numbers.js';
import type { Places } from './places.js';

/** What a facet says of a book: the number of an author, a genre, a publisher or a year, or the code of a language. */
export type FacetValue = number | string;

/** How many books have a value. */
export interface ValueCount {
  value: FacetValue;
  books: number;
}

/** Which values are counted: those that the most books have, and some others where a book has them. */
export interface Counted {
  most: number;
  also: ReadonlySet<FacetValue>;
}

/** Bytes of the sets of places that a column keeps: at a million books some 250 choices. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** Books that may be added before a kept set has to be made anew: each save of a book takes a new place. */
const SPARE_PLACES = 8192;

/**
 * The values of one facet of all books, by their places. The values of a place stay when its book changes or goes; only the totals
 * do not count it any more.
 */
export class FacetColumn {
  private readonly numbers = new Map<FacetValue, number>();
  private readonly known: FacetValue[] = [];
  /** Where the values of each place begin. */
  private readonly starts = new GrowableNumbers(1024);
  /** The numbers of the values, place by place. */
  private readonly values = new GrowableNumbers(1024);
  /** Books that are alive, by the number of the value. */
  private readonly totals = new GrowableNumbers();
  private scratch = new Int32Array(0);
  /** Which places have one of some values, for the choices of values that were asked for last. */
  private readonly kept = new LRUCache<string, { wanted: ReadonlySet<FacetValue>; places: BitSet }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ places }) => Math.max(1, places.byteLength),
  });

  /** @param place the last one that was given, or a later one */
  push(place: number, value: FacetValue): void {
    while (this.starts.length <= place) this.starts.push(this.values.length);
    const number = this.numberOf(value);
    this.values.push(number);
    this.totals.add(number, 1);
    // Beyond the end of a set nothing is written, and the set is made anew when it is asked for.
    for (const { wanted, places } of this.kept.values()) if (wanted.has(value)) setBit(places, place);
  }

  /** The book of this place changed or is gone. */
  drop(place: number): void {
    this.each(place, (number) => this.totals.add(number, -1));
  }

  /** How many of all books have which values. */
  countAll(counted: Counted): ValueCount[] {
    return this.foremost(this.totals.all(), counted);
  }

  /** How many of some books have which values. */
  count(places: Places, counted: Counted): ValueCount[] {
    if (this.scratch.length < this.known.length) this.scratch = new Int32Array(this.known.length * 2);
    const counts = this.scratch;
    const [starts, values] = [this.starts.all(), this.values.all()];
    const last = this.starts.length - 1;
    places.each((place) => {
      if (place > last) return;
      const end = place === last ? this.values.length : (starts[place + 1] as number);
      for (let at = starts[place] as number; at < end; at += 1) {
        const number = values[at] as number;
        counts[number] = (counts[number] as number) + 1;
      }
    });
    const result = this.foremost(counts, counted);
    counts.fill(0, 0, this.known.length);
    return result;
  }

  /** The numbers of those of some values that any book has or had, as a set. */
  numbersOf(wanted: Iterable<FacetValue>): BitSet {
    const set = new Uint32Array((this.known.length + 31) >>> 5);
    for (const value of wanted) {
      const number = this.numbers.get(value);
      if (number !== undefined) setBit(set, number);
    }
    return set;
  }

  /** Whether a place has one of the values with these numbers. */
  hasAny(place: number, numbers: BitSet): boolean {
    let found = false;
    this.each(place, (number) => (found ||= hasBit(numbers, number)));
    return found;
  }

  /**
   * The places that have one of some values, those of books that changed or are gone among them. The set is at least as long as
   * asked for, and shared: it may only be read.
   * @param room how many places there are
   */
  placesOf(wanted: ReadonlySet<FacetValue>, room: number): BitSet {
    const key = [...wanted].sort().join();
    const known = this.kept.get(key);
    if (known && known.places.length * 32 >= room) return known.places;
    const places = this.marked(this.numbersOf(wanted), room + SPARE_PLACES);
    this.kept.set(key, { wanted, places });
    return places;
  }

  private marked(numbers: BitSet, room: number): BitSet {
    const set = bitSet(room);
    const [starts, values] = [this.starts.all(), this.values.all()];
    const places = this.starts.length;
    for (let place = 0, at = 0; place < places; place += 1) {
      const end = place === places - 1 ? this.values.length : (starts[place + 1] as number);
      for (; at < end; at += 1) if (hasBit(numbers, values[at] as number)) setBit(set, place);
    }
    return set;
  }

  private each(place: number, visit: (number: number) => void): void {
    if (place >= this.starts.length) return;
    const end = place === this.starts.length - 1 ? this.values.length : this.starts.at(place + 1);
    for (let at = this.starts.at(place); at < end; at += 1) visit(this.values.at(at));
  }

  /** Those with the most books first; of equals the smaller value. */
  private foremost(counts: Int32Array, { most, also }: Counted): ValueCount[] {
    const first: ValueCount[] = [];
    const others: ValueCount[] = [];
    let least = 1;
    for (let number = 0; number < this.known.length; number += 1) {
      const books = counts[number] as number;
      if (books < least && (books === 0 || also.size === 0)) continue;
      const value = this.known[number] as FacetValue;
      if (also.has(value)) others.push({ value, books });
      else if (books >= least) {
        first.push({ value, books });
        // Put in order now and then: each of many values is looked at once.
        if (first.length >= 2 * most + 100) {
          first.sort(byBooks).length = most;
          least = first.at(-1)?.books ?? 1;
        }
      }
    }
    return [...first.sort(byBooks).slice(0, most), ...others].sort(byBooks);
  }

  private numberOf(value: FacetValue): number {
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    const number = this.known.length;
    this.numbers.set(value, number);
    this.known.push(value);
    this.totals.push(0);
    return number;
  }
}

/** The most books first, then the smaller value. */
export function byBooks(one: ValueCount, other: ValueCount): number {
  return other.books - one.books || (one.value < other.value ? -1 : 1);
}
