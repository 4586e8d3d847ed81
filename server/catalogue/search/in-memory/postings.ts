import { bitSet, eachBit, hasBit, setBit, type BitSet } from './bit-set.js';
import { GrowableNumbers } from './growable-numbers.js';
import { isAmong } from './places.js';

/** A word with fewer places than this is a list, however few books there are. */
const MAX_LISTED = 1000;
/** A number takes 32 bits: a word that every 32nd book has takes no more room as a bit for each book. */
const BITS_OF_A_NUMBER = 32;

/** The places of the books that have a word: a list, or where they are many a bit for each place. */
export class Postings {
  private list: GrowableNumbers | undefined = new GrowableNumbers(1);
  private bits: BitSet | undefined;
  length = 0;

  /** @param place larger than all before */
  push(place: number): void {
    this.length += 1;
    if (this.bits) {
      if (place >>> 5 >= this.bits.length) this.bits = enlarged(this.bits, place);
      setBit(this.bits, place);
      return;
    }
    this.list?.push(place);
    if (this.length > MAX_LISTED && this.length > place / BITS_OF_A_NUMBER) this.becomeBits(place);
  }

  has(place: number): boolean {
    if (this.bits) return hasBit(this.bits, place);
    return this.list !== undefined && isAmong(this.list.all(), this.length, place);
  }

  /** Adds the places to a set of all places. */
  mark(set: BitSet): void {
    const { bits } = this;
    if (bits) {
      const words = Math.min(bits.length, set.length);
      for (let at = 0; at < words; at += 1) set[at] = (set[at] as number) | (bits[at] as number);
      return;
    }
    const places = this.list?.all() ?? [];
    for (let at = 0; at < this.length; at += 1) {
      const place = places[at] as number;
      set[place >>> 5] = (set[place >>> 5] as number) | (1 << (place & 31));
    }
  }

  each(visit: (place: number) => void): void {
    if (this.bits) return eachBit(this.bits, visit);
    const places = this.list?.all() ?? [];
    for (let at = 0; at < this.length; at += 1) visit(places[at] as number);
  }

  private becomeBits(last: number): void {
    const bits = enlarged(bitSet(0), last);
    this.mark(bits);
    this.bits = bits;
    this.list = undefined;
  }
}

function enlarged(bits: BitSet, place: number): BitSet {
  const larger = bitSet(Math.ceil(place * 1.25) + 1024);
  larger.set(bits);
  return larger;
}
