import type { EventFilter } from '../storage/event-filter.js';
import type { EventReader } from '../storage/event-reader.js';
import type { LiveTail } from '../storage/live-tail.js';
import { NO_EVENT, TOMBSTONE, type RecordedEvent } from '../storage/recorded-event.js';
import { streamDeleted } from '../storage/store-error.js';
import { checkpointAnswer, type ReadFrom } from '../wire/wire-read-request.js';

/** What a subscriber gets: an event, or another message, encoded. */
export type Sent = RecordedEvent | Buffer;

/** The progress of a subscriber, and which events it gets. */
export interface SubscriptionCursor {
  /** Everything up to this position was examined. */
  position: bigint;
  /** Whether there is something to follow. A subscriber of a stream that is not there yet has not caught up with it. */
  readonly isThere: boolean;
  /** Examines the next event of the log. @returns what to send for it */
  look(event: RecordedEvent): Iterable<Sent>;
  /** Reads on from the table. @returns what to send; `position` moves on once all is sent */
  catchUp(reader: EventReader, end: bigint, limit: number): Promise<CatchUpPage>;
}

export interface CatchUpPage {
  events: readonly RecordedEvent[];
  /** What to send at the end of the page. */
  after(): Iterable<Buffer>;
}

/** A cursor over the whole log, or over the events that pass a filter. */
export class LogCursor implements SubscriptionCursor {
  position: bigint;
  readonly isThere = true;
  readonly #filter: EventFilter | undefined;
  // The last checkpoint that was sent to the client.
  #checkpoint: bigint;

  /** @param from the position that the client has seen already: it starts after it, or at the end where it is beyond */
  constructor(from: ReadFrom, filter: EventFilter | undefined, tail: LiveTail) {
    const seen = from === 'start' ? 0n : from;
    this.position = seen === 'end' || seen > tail.last ? tail.last : seen;
    this.#filter = filter;
    this.#checkpoint = this.position;
  }

  *look(event: RecordedEvent): Iterable<Sent> {
    this.position = event.position;
    if (!this.#filter || this.#filter.matches(event)) yield event;
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

  *#checkpointIfDue(): Iterable<Buffer> {
    if (!this.#filter) return;
    if (this.position - this.#checkpoint < this.#filter.checkpointInterval) return;
    this.#checkpoint = this.position;
    yield checkpointAnswer(this.position);
  }
}

/** A cursor over one stream. */
export class StreamCursor implements SubscriptionCursor {
  position: bigint;
  readonly #stream: string;
  #revision: bigint;
  #isThere: boolean;

  private constructor(stream: string, revision: bigint, position: bigint, isThere: boolean) {
    this.#stream = stream;
    this.#revision = revision;
    this.position = position;
    this.#isThere = isThere;
  }

  /** False for a stream without an event. Only who starts at the end of such a stream has caught up with it. */
  get isThere(): boolean {
    return this.#isThere;
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
    if (from === 'end') return new StreamCursor(stream, -1n, tail.last, true);
    const { last, softDeleted } = await reader.streamWindow(stream);
    if (last === TOMBSTONE) throw streamDeleted(stream);
    // Before all positions: past events come from the table, where the metadata is applied.
    return new StreamCursor(stream, from === 'start' ? -1n : from, -1n, last > NO_EVENT && !softDeleted);
  }

  *look(event: RecordedEvent): Iterable<Sent> {
    this.position = event.position;
    if (event.stream !== this.#stream) return;
    if (event.revision === TOMBSTONE) throw streamDeleted(this.#stream);
    this.#isThere = true;
    if (event.revision <= this.#revision) return;
    this.#revision = event.revision;
    yield event;
  }

  async catchUp(reader: EventReader, end: bigint, limit: number): Promise<CatchUpPage> {
    const stream = this.#stream;
    const window = await reader.streamWindow(stream);
    if (window.last === TOMBSTONE) throw streamDeleted(stream);
    if (window.last > NO_EVENT && !window.softDeleted) this.#isThere = true;
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
