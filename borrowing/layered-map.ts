/** Entries that are copied with each change, at least; more where the map is large (the root of its size). */
const LEAST_COPIED = 32;

/**
 * A map that never changes. One with further entries shares the older ones with it, so that a change of a map of
 * thousands does not copy thousands.
 */
export class LayeredMap<Key, Value> implements ReadonlyMap<Key, Value> {
  readonly #base: ReadonlyMap<Key, Value>;
  /** Later than the base: new entries, and other values of its keys. */
  readonly #top: ReadonlyMap<Key, Value>;
  readonly size: number;

  private constructor(base: ReadonlyMap<Key, Value>, top: ReadonlyMap<Key, Value>, size: number) {
    this.#base = base;
    this.#top = top;
    this.size = size;
  }

  static of<Key, Value>(entries: Iterable<readonly [Key, Value]>): LayeredMap<Key, Value> {
    const base = new Map(entries);
    return new LayeredMap<Key, Value>(base, new Map(), base.size);
  }

  /** This map with these entries added or put in the place of those with their keys. */
  with(entries: ReadonlyMap<Key, Value>): LayeredMap<Key, Value> {
    if (entries.size === 0) return this;
    let size = this.size;
    for (const key of entries.keys()) if (!this.has(key)) size += 1;
    if (this.#top.size + entries.size <= Math.max(LEAST_COPIED, Math.sqrt(this.#base.size))) {
      const top = new Map(this.#top);
      for (const [key, value] of entries) top.set(key, value);
      return new LayeredMap(this.#base, top, size);
    }
    const base = new Map(this.#base);
    for (const [key, value] of this.#top) base.set(key, value);
    for (const [key, value] of entries) base.set(key, value);
    return new LayeredMap<Key, Value>(base, new Map(), size);
  }

  get(key: Key): Value | undefined {
    return this.#top.get(key) ?? this.#base.get(key);
  }

  has(key: Key): boolean {
    return this.#top.has(key) || this.#base.has(key);
  }

  *entries(): MapIterator<[Key, Value]> {
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
