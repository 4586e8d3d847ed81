import { LRUCache } from 'lru-cache';

/** About 32 MB of book ids. */
const MAX_NUMBERS = 8_000_000;
/** So many changes back an answer is compared with; an older one is worked out anew. */
const MAX_CHANGES = 128;

/** The first matches of a query in some order, and how many there are. */
export interface CachedMatches {
  ids: Int32Array;
  total: number;
}

/**
 * Answers from the index in memory. An answer outlives every change of a book that was found neither before nor after: this
 * is looked up in the index when the answer is next wanted, so that a change itself costs nothing.
 */
export class MatchCache {
  private readonly known = new LRUCache<string, CachedMatches & { asOf: number }>({ maxSize: MAX_NUMBERS });
  /** The places that changed books had and have, the latest last. */
  private readonly changes: number[] = [];
  /** How many changes there have been. */
  private count = 0;

  /** @param place that a changed book had, or has now */
  changed(place: number): void {
    this.changes.push(place);
    if (this.changes.length > MAX_CHANGES * 2) this.changes.splice(0, this.changes.length - MAX_CHANGES);
    this.count += 1;
  }

  /** What an answer that is begun now is as of. */
  now(): number {
    return this.count;
  }

  /** @param finds whether what is asked for finds the book of a place, dead or alive */
  get(key: string, finds: (place: number) => boolean): CachedMatches | undefined {
    const known = this.known.get(key);
    if (!known || known.asOf === this.count) return known;
    const since = this.count - known.asOf;
    const concerned = since > MAX_CHANGES || this.changes.slice(-since).some((place) => finds(place));
    if (concerned) {
      this.known.delete(key);
      return undefined;
    }
    known.asOf = this.count;
    return known;
  }

  /** @param asOf what `now` gave before the index was asked */
  set(key: string, matches: CachedMatches, asOf: number): void {
    this.known.set(key, { ...matches, asOf }, { size: 20 + key.length + matches.ids.length });
  }
}
