import { LRUCache } from 'lru-cache';
import { lruLimit } from '#platform/lru-limit.js';

/** Keys that are remembered; one that is forgotten begins anew. */
const MAX_KEYS = 20_000;

/** Lets so many of a key through at once, and so many more every second. */
export class TokenBucket {
  private readonly left = new LRUCache<string, { amount: number; at: number }>(lruLimit(MAX_KEYS));

  constructor(
    private readonly burst: number,
    private readonly perSecond: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Whether one more of this key is let through. */
  take(key: string): boolean {
    const at = this.now();
    const before = this.left.get(key) ?? { amount: this.burst, at };
    const amount = Math.min(this.burst, before.amount + ((at - before.at) / 1000) * this.perSecond);
    const isAllowed = amount >= 1;
    this.left.set(key, { amount: isAllowed ? amount - 1 : amount, at });
    return isAllowed;
  }
}

/** Counts what is there of each key at once. */
class Present {
  private readonly counts = new Map<string, number>();

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  /** @returns a function that takes it away again, once */
  add(key: string): () => void {
    this.counts.set(key, this.of(key) + 1);
    let isThere = true;
    return () => {
      if (!isThere) return;
      isThere = false;
      const left = this.of(key) - 1;
      if (left > 0) this.counts.set(key, left);
      else this.counts.delete(key);
    };
  }
}

/** Connections of one key: at once, and begun within a while. */
export class ConnectionLimit {
  private readonly present = new Present();
  private readonly begun: TokenBucket;

  /** @param most at once; four times as many may begin in one go, and twice as many again within a minute */
  constructor(private readonly most: number) {
    this.begun = new TokenBucket(4 * most, most / 30);
  }

  allows(key: string): boolean {
    return this.present.of(key) < this.most && this.begun.take(key);
  }

  /** @returns a function to be called when the connection is gone */
  enter(key: string): () => void {
    return this.present.add(key);
  }
}
