import { countBits, eachBit, hasBit, type BitSet } from './bit-set.js';

/** Places of books in an index: a set that is made once. */
export interface Places {
  readonly size: number;
  has(place: number): boolean;
  /** Calls back with each place, the smallest first. */
  each(visit: (place: number) => void): void;
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
