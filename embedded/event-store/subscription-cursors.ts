import type { EventFilter } from './event-filter.js';
import type { EventReader } from './event-reader.js';
import type { LiveTail } from './live-tail.js';
import { TOMBSTONE, type RecordedEvent } from './recorded-event.js';
import { streamDeleted } from './store-error.js';
import type { CatchUpPage, SubscriptionCursor } from './subscription.js';
import { checkpointAnswer, eventAnswer } from './wire-read-answer.js';
import type { ReadFrom } from './wire-read-request.js';

/** A cursor over the whole log, or over the events that pass a filter. */
export class LogCursor implements SubscriptionCursor {
  position: bigint;
  readonly #filter: EventFilter | undefined;
  // The last checkpoint that was sent to the client.
  #checkpoint: bigint;

  /** @param from the position that the client has seen already: it starts after it */
  constructor(from: ReadFrom, filter: EventFilter | undefined, tail: LiveTail) {
    this.position = from === 'start' ? 0n : from === 'end' ? tail.last : from;
    this.#filter = filter;
    this.#checkpoint = this.position;
  }

  *look(event: RecordedEvent): Iterable<Buffer> {
    this.position = event.position;
    if (!this.#filter || this.#filter.matches(event)) yield eventAnswer(event);
    yield* this.#checkpointIfDue();
  }

  async catchUp(reader: EventReader, end: bigint, limit: number): Promise<CatchUpPage> {
    const { events, examined } = await reader.logForwards(this.position, end, this.#filter, limit);
    return {
      events,
      after: () => {
        this.position = examined;
        return this.#checkpointIfDue();
      },
    };
  }

  *beforeCaughtUp(): Iterable<Buffer> {
    if (this.#filter && this.position > this.#checkpoint) yield this.#checkpointHere();
  }

  *#checkpointIfDue(): Iterable<Buffer> {
    if (!this.#filter) return;
    if (this.position - this.#checkpoint >= this.#filter.checkpointInterval) yield this.#checkpointHere();
  }

  #checkpointHere(): Buffer {
    this.#checkpoint = this.position;
    return checkpointAnswer(this.position);
  }
}

/** A cursor over one stream. */
export class StreamCursor implements SubscriptionCursor {
  position: bigint;
  readonly #stream: string;
  #revision: bigint;

  private constructor(stream: string, revision: bigint, position: bigint) {
    this.#stream = stream;
    this.#revision = revision;
    this.position = position;
  }

  /**
   * @param from the revision that the client has seen already: it starts after it
   * @throws StoreError when the stream is deleted for ever
   */
  static async open(
    stream: string,
    from: ReadFrom,
    tail: LiveTail,
    reader: EventReader,
  ): Promise<StreamCursor> {
    const end = tail.last;
    const { last } = await reader.streamWindow(stream);
    if (last === TOMBSTONE) throw streamDeleted(stream);
    if (from === 'end') return new StreamCursor(stream, -1n, end);
    // Before all positions: past events come from the table, where the metadata is applied.
    return new StreamCursor(stream, from === 'start' ? -1n : from, -1n);
  }

  *look(event: RecordedEvent): Iterable<Buffer> {
    this.position = event.position;
    if (event.stream !== this.#stream) return;
    if (event.revision === TOMBSTONE) throw streamDeleted(this.#stream);
    if (event.revision <= this.#revision) return;
    this.#revision = event.revision;
    yield eventAnswer(event);
  }

  async catchUp(reader: EventReader, end: bigint, limit: number): Promise<CatchUpPage> {
    const stream = this.#stream;
    const window = await reader.streamWindow(stream);
    if (window.last === TOMBSTONE) throw streamDeleted(stream);
    const low = this.#revision + 1n > window.first ? this.#revision + 1n : window.first;
    const events = window.softDeleted
      ? []
      : await reader.streamPage(stream, 'forwards', low, window.last, window.notBefore, limit, this.position);
    return {
      events,
      after: () => {
        // A page that is not full includes everything that was committed before the query.
        if (events.length < limit && this.position < end) this.position = end;
        return [];
      },
    };
  }
}
