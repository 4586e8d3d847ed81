import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Notifications, type CatalogueChange } from '#platform/database/notifications.js';

/** About 32 MB of book ids. */
const MAX_NUMBERS = 8_000_000;
/** Milliseconds: bounds how long a lost notification can leave a stale value in the cache. */
const MAX_AGE = 10 * 60_000;

/** What a cached value was made of: books as the database finds them, the words of all books, the names of one kind. */
export type CachedOf = 'books' | 'words' | 'author' | 'genre' | 'publisher';

interface CachedValue {
  value: unknown;
}

/** The values of one kind, and the loads under way. */
class Part {
  readonly cached = new LRUCache<string, CachedValue>({ maxSize: MAX_NUMBERS, ttl: MAX_AGE });
  loading = new Map<string, Promise<unknown>>();
  generation = 0;

  forget(): void {
    this.generation += 1;
    this.cached.clear();
    this.loading = new Map();
  }
}

/**
 * Caches what this process has read of the catalogue until that part of it changes. Concurrent callers of one key
 * share one load.
 */
@Injectable()
export class CatalogueCache implements OnModuleDestroy {
  private readonly parts: Record<CachedOf, Part> = {
    books: new Part(),
    words: new Part(),
    author: new Part(),
    genre: new Part(),
    publisher: new Part(),
  };
  private readonly listeners: ((change: CatalogueChange) => void)[] = [];
  private readonly onChange = (change: CatalogueChange): void => this.changed(change);
  private readonly onGap = (): void => this.changed('everything');

  constructor(@Inject(Notifications) private readonly notifications: Notifications) {
    notifications.on('catalogue', this.onChange);
    notifications.on('gap', this.onGap);
  }

  onModuleDestroy(): void {
    this.notifications.off('catalogue', this.onChange);
    this.notifications.off('gap', this.onGap);
  }

  /** Calls back whenever the catalogue may have changed. */
  onChanged(listener: (change: CatalogueChange) => void): void {
    this.listeners.push(listener);
  }

  /** Drops what the change may concern. A writer in this process calls it after its commit, and so reads its own write. */
  changed(change: CatalogueChange): void {
    if (change === 'everything') for (const part of Object.values(this.parts)) part.forget();
    else this.forget(typeof change === 'string' ? change : 'books');
    for (const listener of this.listeners) listener(change);
  }

  /** Drops all values of a kind. */
  forget(kind: CachedOf): void {
    this.parts[kind].forget();
  }

  /**
   * Gives the value that is cached under the key, or loads it. A key always has values of one type.
   * @param sizeOf how many numbers the value keeps in memory
   * @param ttl milliseconds after which the value expires although the catalogue did not change
   * @throws what `load` throws; then nothing is cached
   */
  async getOrLoad<Value>(
    kind: CachedOf,
    key: string,
    load: () => Promise<Value>,
    sizeOf: (value: Value) => number = () => 1,
    ttl: number = MAX_AGE,
  ): Promise<Value> {
    const part = this.parts[kind];
    const cached = part.cached.get(key);
    if (cached) return cached.value as Value;
    const underWay = part.loading.get(key);
    if (underWay) return underWay as Promise<Value>;

    const { generation, loading } = part;
    const promise = load();
    loading.set(key, promise);
    try {
      const value = await promise;
      // A value that was read before a change must not outlive it.
      if (generation === part.generation) {
        part.cached.set(key, { value }, { size: 20 + key.length + sizeOf(value), ttl });
      }
      return value;
    } finally {
      loading.delete(key);
    }
  }
}
