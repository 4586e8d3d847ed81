/** Sets of small whole numbers, one bit each. All sets of one calculation have the same length. */
export type BitSet = Uint32Array;

export function bitSet(numbers: number): BitSet {
  return new Uint32Array((numbers + 31) >>> 5);
}

export function setBit(set: BitSet, number: number): void {
  set[number >>> 5] = (set[number >>> 5] as number) | (1 << (number & 31));
}

export function clearBit(set: BitSet, number: number): void {
  set[number >>> 5] = (set[number >>> 5] as number) & ~(1 << (number & 31));
}

export function hasBit(set: BitSet, number: number): boolean {
  return (((set[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
}

/** How many numbers are in the set. */
export function countBits(set: BitSet): number {
  let count = 0;
  for (let at = 0; at < set.length; at += 1) {
    let word = set[at] as number;
    if (word === 0) continue;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
  }
  return count;
}

/** Calls back with each number of the set, the smallest first. */
export function eachBit(set: BitSet, visit: (number: number) => void): void {
  for (let at = 0; at < set.length; at += 1) {
    let word = set[at] as number;
    while (word !== 0) {
      const low = word & -word;
      visit((at << 5) + 31 - Math.clz32(low));
      word ^= low;
    }
  }
}
