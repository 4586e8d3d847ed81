import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock.js';
import { TooManyAttempts } from '../http/too-many-attempts.js';

/** How many attempts a key has within a sliding window of so many milliseconds. */
export interface AttemptAllowance {
  attempts: number;
  windowMs: number;
}

/** Keys remembered at once; beyond that the one that was quiet for longest is forgotten. */
const MOST_KEYS = 20_000;

/** Counts attempts per key in a sliding window, in this process. */
export class AttemptLimit {
  private readonly times: LRUCache<string, number[]>;

  constructor(
    private readonly allowance: AttemptAllowance,
    private readonly clock: Clock,
  ) {
    this.times = new LRUCache({ max: MOST_KEYS, ttl: allowance.windowMs });
  }

  /**
   * Counts an attempt before its outcome is known, so that many at once cannot slip by together.
   * @throws TooManyAttempts when the key has used up its allowance
   */
  take(key: string): void {
    const now = this.clock.now().getTime();
    const recent = (this.times.get(key) ?? []).filter((time) => time > now - this.allowance.windowMs);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= this.allowance.attempts) {
      throw new TooManyAttempts(Math.max(1, Math.ceil((oldest + this.allowance.windowMs - now) / 1000)));
    }
    this.times.set(key, [...recent, now]);
  }

  /** Forgets the key's attempts, when one of them turned out well. */
  forget(key: string): void {
    this.times.delete(key);
  }

  /** Forgets the attempts of all the keys that are meant. */
  forgetAll(meant: (key: string) => boolean): void {
    for (const key of [...this.times.keys()]) if (meant(key)) this.times.delete(key);
  }
}
