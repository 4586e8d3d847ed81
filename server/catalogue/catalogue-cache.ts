import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CHANNELS, Notifications } from '#platform/database/notifications.js';

/** About 32 MB of book ids. */
const MAX_NUMBERS = 8_000_000;
/** What a lost notification could cost at most, in milliseconds. */
const LONGEST = 10 * 60_000;

interface Remembered {
  value: unknown;
}

/**
 * What this process has worked out about the catalogue (counts, orders of matches), until the catalogue changes.
 * Callers who ask for the same at once share one piece of work.
 */
@Injectable()
export class CatalogueCache implements OnModuleDestroy {
  private readonly known = new LRUCache<string, Remembered>({ maxSize: MAX_NUMBERS, ttl: LONGEST });
  private working = new Map<string, Promise<unknown>>();
  private generation = 0;
  private readonly listeners: (() => void)[] = [];
  private readonly onNotification = (channel: string): void => {
    if (channel === CHANNELS.catalogue) this.forget();
  };
  private readonly onGap = (): void => this.forget();

  constructor(@Inject(Notifications) private readonly notifications: Notifications) {
    notifications.on('notification', this.onNotification);
    notifications.on('gap', this.onGap);
  }

  onModuleDestroy(): void {
    this.notifications.off('notification', this.onNotification);
    this.notifications.off('gap', this.onGap);
  }

  /** Calls back whenever the catalogue may have changed. */
  onForgotten(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Forgets everything. A writer in this process calls it when it has committed, and so reads its own write. */
  forget(): void {
    this.generation += 1;
    this.known.clear();
    this.working = new Map();
    for (const listener of this.listeners) listener();
  }

  /**
   * Answers what is remembered under the key, or works it out.
   * @param sizeOf how many numbers the value keeps in memory
   * @param ttl milliseconds after which it is forgotten although the catalogue did not change
   * @throws what the work throws; then nothing is remembered
   */
  async remember<Value>(
    key: string,
    work: () => Promise<Value>,
    sizeOf: (value: Value) => number = () => 1,
    ttl: number = LONGEST,
  ): Promise<Value> {
    const known = this.known.get(key);
    if (known) return known.value as Value;
    const underWay = this.working.get(key);
    if (underWay) return underWay as Promise<Value>;

    const { generation, working } = this;
    const promise = work();
    working.set(key, promise);
    try {
      const value = await promise;
      // What was read before a change must not outlive it.
      if (generation === this.generation) {
        this.known.set(key, { value }, { size: 20 + key.length + sizeOf(value), ttl });
      }
      return value;
    } finally {
      working.delete(key);
    }
  }
}
