import { countBits, eachBit, hasBit, type BitSet } from './bit-set.js';

/** What some places are narrowed to. */
export interface Narrowing {
  has(place: number): boolean;
  /** All places that it leaves, of every book that there is. */
  bits(): BitSet;
}

/** Places of books in an index: a set that is made once. */
export interface Places {
  readonly size: number;
  has(place: number): boolean;
  /** Calls back with each place, the smallest first. */
  each(visit: (place: number) => void): void;
  /** Those that a narrowing leaves. */
  narrowed(by: Narrowing): Places;
}

/** For many: a bit for each place that there is. */
export class ManyPlaces implements Places {
  readonly size: number;

  constructor(private readonly bits: BitSet) {
    this.size = countBits(bits);
  }

  has(place: number): boolean {
    return hasBit(this.bits, place);
  }

  each(visit: (place: number) => void): void {
    eachBit(this.bits, visit);
  }

  narrowed(by: Narrowing): Places {
    const others = by.bits();
    const bits = this.bits.slice();
    for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] as number) & (others[at] ?? 0);
    return new ManyPlaces(bits);
  }
}

/** For few. */
export class FewPlaces implements Places {
  readonly size: number;

  /** @param places in their order */
  constructor(private readonly places: readonly number[]) {
    this.size = places.length;
  }

  has(place: number): boolean {
    return isAmong(this.places, this.size, place);
  }

  each(visit: (place: number) => void): void {
    for (const place of this.places) visit(place);
  }

  narrowed(by: Narrowing): Places {
    return new FewPlaces(this.places.filter((place) => by.has(place)));
  }
}

/** @param sorted numbers in their order, `length` of them */
export function isAmong(sorted: ArrayLike<number>, length: number, number: number): boolean {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low < length && sorted[low] === number;
}
