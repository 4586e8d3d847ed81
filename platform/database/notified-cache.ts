import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { lruLimit } from '../lru-limit.js';
import type { Notifications } from './notifications.js';

/** Milliseconds for which a change may go unnoticed while notifications are down. */
const LONGEST_AGE = 30_000;

/** The channels that name what has changed. */
type Channel = 'accounts' | 'readerKinds';

/**
 * What was read from the database by a key, until a notification says that it has changed. What is being read meanwhile may be
 * stale: whoever waits for it gets it, and it is not kept. Who asks for what is being read waits for the same read.
 */
export abstract class NotifiedCache<Value extends NonNullable<unknown>>
  implements OnModuleInit, OnModuleDestroy
{
  private readonly values: LRUCache<string, Value>;
  private readonly loading = new Map<string, Promise<Value | undefined>>();
  private readonly onGap = () => this.clear();
  private readonly onChange = (payload: string) => this.changed(payload);

  /** @param max how many values are kept; those used last stay */
  constructor(
    private readonly notifications: Notifications,
    private readonly channel: Channel,
    max: number,
  ) {
    this.values = new LRUCache({ ...lruLimit(max), ttl: LONGEST_AGE });
  }

  /** Reads one from the database; nothing where there is none, which is not remembered. */
  protected abstract read(key: string): Promise<Value | undefined>;

  /** What to do with the payload of a notification, which is the key of what has changed. */
  protected changed(payload: string): void {
    this.forget(payload);
  }

  onModuleInit(): void {
    this.notifications.on(this.channel, this.onChange);
    this.notifications.on('gap', this.onGap);
  }

  onModuleDestroy(): void {
    this.notifications.off(this.channel, this.onChange);
    this.notifications.off('gap', this.onGap);
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
