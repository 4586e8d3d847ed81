/** Entries that are copied with each change, at least; more where the map is large (the root of its size). */
const MIN_COPIED = 32;

/** Whether the map has an entry is not known: it may be one that it has forgotten. */
export class EvictedError extends Error {
  override readonly name = 'Forgotten';
}

/**
 * A map that never changes. One with further entries shares the older ones with it, so that a change of a map of
 * thousands does not copy thousands.
 */
export class PersistentMap<Key extends string, Value> implements ReadonlyMap<Key, Value> {
  readonly #base: ReadonlyMap<Key, Value>;
  /** Later than the base: new entries, and other values of its keys. */
  readonly #top: ReadonlyMap<Key, Value>;
  /** The keys of entries that were there once. Shared: what a later map forgets, an earlier one has still. */
  readonly #forgotten: FingerprintSet | undefined;
  /** Without those that it has forgotten. */
  readonly size: number;

  private constructor(
    base: ReadonlyMap<Key, Value>,
    top: ReadonlyMap<Key, Value>,
    size: number,
    forgotten?: FingerprintSet,
  ) {
    this.#base = base;
    this.#top = top;
    this.size = size;
    this.#forgotten = forgotten;
  }

  static of<Key extends string, Value>(entries: Iterable<readonly [Key, Value]>): PersistentMap<Key, Value> {
    const base = new Map(entries);
    return new PersistentMap<Key, Value>(base, new Map(), base.size);
  }

  /** This map with these entries added or put in the place of those with their keys. */
  with(entries: ReadonlyMap<Key, Value>): PersistentMap<Key, Value> {
    if (entries.size === 0) return this;
    let size = this.size;
    for (const key of entries.keys()) if (!this.has(key)) size += 1;
    if (this.#top.size + entries.size <= Math.max(MIN_COPIED, Math.sqrt(this.#base.size))) {
      const top = new Map(this.#top);
      for (const [key, value] of entries) top.set(key, value);
      return new PersistentMap(this.#base, top, size, this.#forgotten);
    }
    const base = new Map(this.#base);
    for (const [key, value] of this.#top) base.set(key, value);
    for (const [key, value] of entries) base.set(key, value);
    return new PersistentMap<Key, Value>(base, new Map(), size, this.#forgotten);
  }

  /**
   * This map without some of its entries. It knows that there were some: whoever asks for one of them, or for all entries,
   * is told that it has forgotten, never that there is none.
   */
  forgetting(keys: ReadonlySet<Key>): PersistentMap<Key, Value> {
    const forgotten = this.#forgotten ?? new FingerprintSet();
    const base = new Map<Key, Value>();
    for (const [key, value] of this.kept()) {
      if (keys.has(key)) forgotten.add(key);
      else base.set(key, value);
    }
    return new PersistentMap<Key, Value>(base, new Map(), base.size, forgotten);
  }

  /** @throws Forgotten */
  get(key: Key): Value | undefined {
    const value = this.#top.get(key) ?? this.#base.get(key);
    if (value === undefined) this.#refuseForgotten(key);
    return value;
  }

  /** @throws Forgotten */
  has(key: Key): boolean {
    const has = this.#top.has(key) || this.#base.has(key);
    if (!has) this.#refuseForgotten(key);
    return has;
  }

  #refuseForgotten(key: Key): void {
    if (this.#forgotten?.mayHave(key)) throw new EvictedError();
  }

  /** How many entries it has forgotten. */
  get forgotten(): number {
    return this.#forgotten?.size ?? 0;
  }

  /** @throws Forgotten unless it knows all */
  entries(): MapIterator<[Key, Value]> {
    if (this.forgotten > 0) throw new EvictedError();
    return this.kept();
  }

  /** The entries that it has not forgotten, in the order in which their keys came. */
  *kept(): MapIterator<[Key, Value]> {
    for (const [key, value] of this.#base) yield [key, this.#top.get(key) ?? value];
    for (const entry of this.#top) if (!this.#base.has(entry[0])) yield entry;
  }

  *keys(): MapIterator<Key> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  forEach(visit: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this);
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries();
  }
}

const EMPTY = 0;
const FIRST_SLOTS = 64;
const GROWTH = 2;

/** Remembers of many texts no more than that it may have seen them: sixteen to thirty-two bytes each. */
export class FingerprintSet {
  #slots = new Float64Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(text: string): void {
    if ((this.#size + 1) * 2 > this.#slots.length) this.#grow();
    this.#put(fingerprintOf(text));
  }

  /** False for certain where the text was never added; true, but for one chance in 2^52 divided by the size, where it was. */
  mayHave(text: string): boolean {
    const fingerprint = fingerprintOf(text);
    return this.#slots[this.#slotOf(fingerprint)] === fingerprint;
  }

  #put(fingerprint: number): void {
    const slot = this.#slotOf(fingerprint);
    if (this.#slots[slot] === fingerprint) return;
    this.#slots[slot] = fingerprint;
    this.#size += 1;
  }

  /** Its own, or the first free one after it. */
  #slotOf(fingerprint: number): number {
    const { length } = this.#slots;
    let slot = fingerprint % length;
    while (this.#slots[slot] !== EMPTY && this.#slots[slot] !== fingerprint) slot = (slot + 1) % length;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(before.length * GROWTH);
    this.#size = 0;
    for (const fingerprint of before) if (fingerprint !== EMPTY) this.#put(fingerprint);
  }
}

/** A whole number of 52 bits, never zero. */
function fingerprintOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
    low ^= low >>> 13;
  }
  return (high >>> 0) * 2 ** 20 + (low >>> 12) + 1;
}
