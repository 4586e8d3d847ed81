import type { RecordedEvent } from './recorded-event.js';

/** Limits of the memory for subscribers. */
export interface TailLimits {
  events: number;
  bytes: number;
}

const DEFAULT_LIMITS: TailLimits = { events: 8192, bytes: 16 * 1024 * 1024 };

// The approximate overhead of an event beside its payload.
const OVERHEAD_BYTES = 300;

/**
 * The last committed events, in memory, in the order of the log. Subscribers pull from it at their own pace;
 * a subscriber that falls behind its start reads the table instead, so a slow one costs the writer nothing.
 */
export class LiveTail {
  readonly #limits: TailLimits;
  readonly #listeners = new Set<() => void>();
  #events: RecordedEvent[] = [];
  // Events before this index are dropped; the array is trimmed from time to time.
  #start = 0;
  #bytes = 0;
  #last: bigint;

  /** @param last position of the log so far */
  constructor(last: bigint, limits: TailLimits = DEFAULT_LIMITS) {
    this.#last = last;
    this.#limits = limits;
  }

  /** The position of the last committed event. */
  get last(): bigint {
    return this.#last;
  }

  /** Adds events that are committed. Their positions follow on `last` without a gap. */
  publish(events: readonly RecordedEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#bytes += sizeOf(event);
      this.#last = event.position;
    }
    this.#drop();
    this.#notify();
  }

  /** Drops every event, because the log may have grown unnoticed: all readers continue from the table. */
  reset(last: bigint): void {
    this.#events = [];
    this.#start = 0;
    this.#bytes = 0;
    this.#last = last;
    this.#notify();
  }

  /**
   * The events after a position, at most `limit`.
   * @returns nothing when some of them are no longer (or never were) in memory
   */
  after(position: bigint, limit: number): readonly RecordedEvent[] | undefined {
    const held = this.#events.length - this.#start;
    const before = this.#last - BigInt(held);
    if (position < before) return undefined;
    if (position >= this.#last) return [];
    const from = this.#start + Number(position - before);
    return this.#events.slice(from, from + limit);
  }

  /** The last events, the newest first. @returns nothing when not so many are in memory */
  newest(count: bigint): readonly RecordedEvent[] | undefined {
    if (BigInt(this.#events.length - this.#start) < count) return undefined;
    return this.#events.slice(this.#events.length - Number(count)).reverse();
  }

  /** Calls back after every change. @returns a function that stops it */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #drop(): void {
    while (
      this.#events.length - this.#start > this.#limits.events ||
      (this.#bytes > this.#limits.bytes && this.#start < this.#events.length)
    ) {
      const event = this.#events[this.#start];
      if (event) this.#bytes -= sizeOf(event);
      this.#start += 1;
    }
    if (this.#start > this.#limits.events) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }
}

function sizeOf(event: RecordedEvent): number {
  return event.data.length + event.metadata.length + OVERHEAD_BYTES;
}
