import type { RecordedEvent } from '../storage/recorded-event.js';

const FIRST = 32;
const MIN_EVENTS = 8;
const MAX_EVENTS = 2048;
const WANTED_BYTES = 1024 * 1024;

/** How many events to read next, so that a page stays near a megabyte regardless of their size. */
export class PageSize {
  #events = FIRST;

  get events(): number {
    return this.#events;
  }

  learn(page: readonly RecordedEvent[]): void {
    if (page.length === 0) return;
    const bytes = page.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
    const fitting = Math.floor(WANTED_BYTES / Math.max(1, bytes / page.length));
    // Grown step by step: a few small events say little about the next ones.
    this.#events = Math.max(MIN_EVENTS, Math.min(MAX_EVENTS, fitting, this.#events * 4));
  }
}
