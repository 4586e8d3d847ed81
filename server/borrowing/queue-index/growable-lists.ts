/** A typed array with room for more; the room beyond what is written is zero. */
export class GrowableArray<Numbers extends Int32Array | Float64Array | Uint8Array | Uint32Array> {
  array: Numbers;

  constructor(private readonly make: (length: number) => Numbers) {
    this.array = make(64);
  }

  set(place: number, number: number): void {
    if (place >= this.array.length) {
      const larger = this.make(Math.ceil(place * 1.5) + 1);
      larger.set(this.array);
      this.array = larger;
    }
    this.array[place] = number;
  }

  at(place: number): number {
    return this.array[place] as number;
  }
}

/** Lists of numbers, any of which may grow at any time: chains through common arrays, without an object for each list. */
export class GrowableLists {
  private readonly heads = new GrowableArray((length) => new Int32Array(length));
  private readonly counts = new GrowableArray((length) => new Int32Array(length));
  private readonly values = new GrowableArray((length) => new Int32Array(length));
  private readonly nexts = new GrowableArray((length) => new Int32Array(length));
  /** Entry 0 ends a chain. */
  private used = 1;

  add(list: number, value: number): void {
    const entry = this.used;
    this.used += 1;
    this.values.set(entry, value);
    this.nexts.set(entry, this.heads.array[list] ?? 0);
    this.heads.set(list, entry);
    this.counts.set(list, this.count(list) + 1);
  }

  count(list: number): number {
    return this.counts.array[list] ?? 0;
  }

  /** Calls back with each number, the last one that was added first. */
  each(list: number, visit: (value: number) => void): void {
    for (let entry = this.heads.array[list] ?? 0; entry !== 0; entry = this.nexts.at(entry))
      visit(this.values.at(entry));
  }

  /** The last one that was added of those that are wanted. */
  find(list: number, isWanted: (value: number) => boolean): number | undefined {
    for (let entry = this.heads.array[list] ?? 0; entry !== 0; entry = this.nexts.at(entry)) {
      const value = this.values.at(entry);
      if (isWanted(value)) return value;
    }
    return undefined;
  }
}
