/** The book that a book comes after; null for the first one. */
export type PlaceInOrder = readonly [id: number, after: number | null];

/** Absent from the order. */
const ABSENT = NaN;

/**
 * All books in one order. Each has a label, and the labels ascend along the order: so a book is found in it by a search of
 * halves, some books are put in order without asking anybody, and a book that moves only moves what lies between.
 */
export class BookOrder {
  private ids = new Int32Array(1024);
  /** By the book's id. */
  private labels = new Float64Array(1024).fill(ABSENT);
  length = 0;

  /** Adds a book that comes after all others. */
  push(id: number): void {
    this.makeRoom(id, 1);
    this.ids[this.length] = id;
    this.labels[id] = (this.length === 0 ? 0 : this.labelAt(this.length - 1)) + 1;
    this.length += 1;
  }

  page(offset: number, limit: number): number[] {
    return [...this.ids.subarray(offset, Math.min(offset + limit, this.length))];
  }

  /** The first of those books that are wanted, found by a walk along the whole order. */
  firstOf(isWanted: (id: number) => boolean, count: number): number[] {
    const found: number[] = [];
    for (let at = 0; at < this.length && found.length < count; at += 1) {
      const id = this.ids[at] as number;
      if (isWanted(id)) found.push(id);
    }
    return found;
  }

  /** The first of some books. */
  sort(ids: readonly number[], count: number): number[] {
    const labels = Float64Array.from(ids, (id) => this.labels[id] ?? ABSENT).sort();
    const most = labels[Math.min(count, ids.length) - 1] ?? 0;
    const first = ids.filter((id) => (this.labels[id] as number) <= most);
    return first.sort((one, other) => (this.labels[one] as number) - (this.labels[other] as number));
  }

  /**
   * Takes books out, and puts books where they belong now.
   * @param gone which may not be in the order
   * @param placed each with the book that it comes after, another one of these or one that stays
   * @returns false where these places cannot be: the order is not what it should be, and of no more use
   */
  change(gone: readonly number[], placed: readonly PlaceInOrder[]): boolean {
    this.takeOut([...gone, ...placed.map(([id]) => id)]);
    const chains = this.chainsOf(placed);
    if (!chains) return false;
    this.putIn(chains, placed.length);
    return true;
  }

  private takeOut(ids: readonly number[]): void {
    const places = new Set<number>();
    for (const id of ids) {
      const label = this.labels[id] ?? ABSENT;
      if (!Number.isNaN(label)) places.add(this.placeOf(label));
    }
    for (const id of ids) if (id < this.labels.length) this.labels[id] = ABSENT;
    const sorted = Int32Array.from(places).sort();
    for (const [at, place] of sorted.entries()) {
      const until = sorted[at + 1] ?? this.length;
      this.ids.copyWithin(place - at, place + 1, until);
    }
    this.length -= sorted.length;
  }

  /** Books that come directly one after the other, with the place before which they belong. */
  private chainsOf(placed: readonly PlaceInOrder[]): { place: number; ids: number[] }[] | undefined {
    const next = new Map(placed.map(([id, after]) => [after, id]));
    const moved = new Set(placed.map(([id]) => id));
    const chains: { place: number; ids: number[] }[] = [];
    let chained = 0;
    for (const [head, after] of placed) {
      if (after !== null && moved.has(after)) continue;
      const label = after === null ? 0 : (this.labels[after] ?? ABSENT);
      if (Number.isNaN(label) || next.get(after) !== head) return undefined;
      const ids: number[] = [];
      for (let id: number | undefined = head; id !== undefined; id = next.get(id)) ids.push(id);
      chained += ids.length;
      chains.push({ place: after === null ? 0 : this.placeOf(label) + 1, ids });
    }
    return chained === placed.length ? chains.sort((one, other) => one.place - other.place) : undefined;
  }

  private putIn(chains: readonly { place: number; ids: readonly number[] }[], count: number): void {
    this.makeRoom(
      chains.reduce((most, { ids }) => ids.reduce((one, other) => Math.max(one, other), most), 0),
      count,
    );
    const crowded = chains.map(({ place, ids }) => this.label(place, ids)).includes(false);
    let [end, room] = [this.length, count];
    for (const { place, ids } of chains.toReversed()) {
      this.ids.copyWithin(place + room, place, end);
      room -= ids.length;
      this.ids.set(ids, place + room);
      end = place;
    }
    this.length += count;
    if (crowded) for (let at = 0; at < this.length; at += 1) this.labels[this.ids[at] as number] = at + 1;
  }

  /** @returns false where the numbers between the neighbours are used up */
  private label(place: number, ids: readonly number[]): boolean {
    const above = place < this.length ? this.labelAt(place) : undefined;
    const below = place > 0 ? this.labelAt(place - 1) : (above ?? 0) - ids.length - 1;
    const step = above === undefined ? 1 : (above - below) / (ids.length + 1);
    for (const [at, id] of ids.entries()) this.labels[id] = below + step * (at + 1);
    const labels = [below, ...ids.map((id) => this.labels[id] as number), above ?? Infinity];
    return labels.every((label, at) => at === 0 || label > (labels[at - 1] as number));
  }

  private labelAt(place: number): number {
    return this.labels[this.ids[place] as number] as number;
  }

  private placeOf(label: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.labelAt(middle) < label) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private makeRoom(id: number, more: number): void {
    if (id >= this.labels.length) {
      const larger = new Float64Array(Math.ceil(id * 1.25) + 1).fill(ABSENT);
      larger.set(this.labels);
      this.labels = larger;
    }
    if (this.length + more > this.ids.length) {
      const larger = new Int32Array(Math.ceil((this.length + more) * 1.25));
      larger.set(this.ids);
      this.ids = larger;
    }
  }
}
