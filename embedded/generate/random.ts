/** Numbers that look random and are the same for the same seed, on every machine (the generator "sfc32"). */
export class SeededRandom {
  private a: number;
  private b = 0x9e3779b9;
  private c = 0x243f6a88;
  private counter = 1;

  constructor(seed: number) {
    this.a = seed | 0;
    for (let round = 0; round < 15; round += 1) this.next();
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /**
   * One of many, as words and names are used: the first of the list often, the last hardly ever. The share of
   * the item at place k is about 1 / (k + `flat`).
   */
  pickByRank<Item>(items: readonly Item[], flat: number): Item {
    const rank = flat * (((items.length + flat) / flat) ** this.next() - 1);
    return items[Math.min(Math.floor(rank), items.length - 1)] as Item;
  }
}
