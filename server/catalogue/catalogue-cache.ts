import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Notifications } from '#platform/database/notifications.js';

/** About 32 MB of book ids. */
const MAX_NUMBERS = 8_000_000;
/** Milliseconds: bounds how long a lost notification can leave a stale value in the cache. */
const MAX_AGE = 10 * 60_000;

interface CachedValue {
  value: unknown;
}

/**
 * Caches what this process has read of the catalogue (counts, orders of matches) until the catalogue changes.
 * Concurrent callers of one key share one load.
 */
@Injectable()
export class CatalogueCache implements OnModuleDestroy {
  private readonly cached = new LRUCache<string, CachedValue>({ maxSize: MAX_NUMBERS, ttl: MAX_AGE });
  private loading = new Map<string, Promise<unknown>>();
  private generation = 0;
  private readonly listeners: (() => void)[] = [];
  private readonly onChange = (): void => this.invalidate();

  constructor(@Inject(Notifications) private readonly notifications: Notifications) {
    notifications.on('catalogue', this.onChange);
    notifications.on('gap', this.onChange);
  }

  onModuleDestroy(): void {
    this.notifications.off('catalogue', this.onChange);
    this.notifications.off('gap', this.onChange);
  }

  /** Calls back whenever the catalogue may have changed. */
  onInvalidated(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Drops every value. A writer in this process calls it after its commit, and so reads its own write. */
  invalidate(): void {
    this.generation += 1;
    this.cached.clear();
    this.loading = new Map();
    for (const listener of this.listeners) listener();
  }

  /**
   * Gives the value that is cached under the key, or loads it. A key always has values of one type.
   * @param sizeOf how many numbers the value keeps in memory
   * @param ttl milliseconds after which the value expires although the catalogue did not change
   * @throws what `load` throws; then nothing is cached
   */
  async getOrLoad<Value>(
    key: string,
    load: () => Promise<Value>,
    sizeOf: (value: Value) => number = () => 1,
    ttl: number = MAX_AGE,
  ): Promise<Value> {
    const cached = this.cached.get(key);
    if (cached) return cached.value as Value;
    const underWay = this.loading.get(key);
    if (underWay) return underWay as Promise<Value>;

    const { generation, loading } = this;
    const promise = load();
    loading.set(key, promise);
    try {
      const value = await promise;
      // A value that was read before a change must not outlive it.
      if (generation === this.generation) {
        this.cached.set(key, { value }, { size: 20 + key.length + sizeOf(value), ttl });
      }
      return value;
    } finally {
      loading.delete(key);
    }
  }
}
