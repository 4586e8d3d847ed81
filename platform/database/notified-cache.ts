import { LRUCache } from 'lru-cache';
import { upTo } from '../up-to.js';
import type { Notifications } from './notifications.js';

/** Milliseconds for which a change may go unnoticed while notifications are down. */
const LONGEST_AGE = 30_000;

/** The channels that name what has changed. */
type Channel = 'accounts' | 'readerKinds';

interface NotifiedCacheOptions<Value> {
  /** How many values are kept; those used last stay. */
  max: number;
  /** Reads one from the database; nothing where there is none, which is not remembered. */
  read: (key: string) => Promise<Value | undefined>;
}

/**
 * What was read from the database by a key, until a notification says that it has changed. What is being read meanwhile may be
 * stale: whoever waits for it gets it, and it is not kept. Who asks for what is being read waits for the same read.
 */
export class NotifiedCache<Value extends NonNullable<unknown>> {
  private readonly values: LRUCache<string, Value>;
  private readonly loading = new Map<string, Promise<Value | undefined>>();
  private readonly read: NotifiedCacheOptions<Value>['read'];
  private readonly onGap = () => this.clear();

  constructor({ max, read }: NotifiedCacheOptions<Value>) {
    this.values = new LRUCache({ ...upTo(max), ttl: LONGEST_AGE });
    this.read = read;
  }

  /**
   * Listens to a channel.
   * @param onChange what to do with its payload; without it, that is the key of what has changed
   * @returns a function that ends it
   */
  follow(
    notifications: Notifications,
    channel: Channel,
    onChange: (payload: string) => void = (key) => this.forget(key),
  ): () => void {
    notifications.on(channel, onChange);
    notifications.on('gap', this.onGap);
    return () => {
      notifications.off(channel, onChange);
      notifications.off('gap', this.onGap);
    };
  }

  /** Where it was read lately. */
  known(key: string): Value | undefined {
    return this.values.get(key);
  }

  /** As it was read lately, or is now. */
  async get(key: string): Promise<Value | undefined> {
    return this.values.get(key) ?? this.loading.get(key) ?? this.load(key);
  }

  /** As it is in the database this moment. */
  fresh(key: string): Promise<Value | undefined> {
    this.values.delete(key);
    return this.load(key);
  }

  forget(key: string): void {
    this.values.delete(key);
    this.loading.delete(key);
  }

  /** Forgets all of which that is true, and what is being read: of that it is not known yet. */
  forgetWhere(isMeant: (value: Value) => boolean): void {
    for (const [key, value] of this.values.entries()) if (isMeant(value)) this.values.delete(key);
    this.loading.clear();
  }

  clear(): void {
    this.values.clear();
    this.loading.clear();
  }

  private load(key: string): Promise<Value | undefined> {
    const load = this.read(key)
      .then((value) => {
        // It changed during the read: the result may be stale.
        if (value !== undefined && this.loading.get(key) === load) this.values.set(key, value);
        return value;
      })
      .finally(() => {
        if (this.loading.get(key) === load) this.loading.delete(key);
      });
    this.loading.set(key, load);
    return load;
  }
}
