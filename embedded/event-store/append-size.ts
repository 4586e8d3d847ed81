import type { ProposedEvent } from './recorded-event.js';
import { appendTooLarge } from './store-error.js';

// All that an append may have beside its data, as it is kept in memory until it is written.
const LARGEST_WHOLE = 32 * 1024 * 1024;
const OVERHEAD_BYTES = 300;

/**
 * Adds up the events of one append. The limit applies to their data alone, which is how EventStoreDB counts: their
 * metadata and types are free, so a second, wider limit keeps one append from filling the memory.
 */
export class AppendSize {
  readonly #limit: number;
  #data = 0;
  #whole = 0;

  /** @param limit bytes of data */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws StoreError once the append is too large */
  add({ type, data, metadata }: ProposedEvent): void {
    this.#data += data.length;
    this.#whole += data.length + metadata.length + type.length * 2 + OVERHEAD_BYTES;
    if (this.#data > this.#limit || this.#whole > LARGEST_WHOLE) throw appendTooLarge(this.#limit);
  }
}
