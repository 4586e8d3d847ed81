import { randomUUID } from 'node:crypto';
import type { EventReader } from './event-reader.js';
import type { LiveTail } from './live-tail.js';
import type { Outgoing } from './outgoing.js';
import { PageSize } from './page-size.js';
import type { RecordedEvent } from './recorded-event.js';
import { unavailable } from './store-error.js';
import { caughtUpAnswer, confirmationAnswer, fellBehindAnswer } from './wire-read-answer.js';

/** The progress of a subscriber, and which events it gets. */
export interface SubscriptionCursor {
  /** Everything up to this position was examined. */
  position: bigint;
  /** Examines the next event of the log. @returns the messages to send for it */
  look(event: RecordedEvent): Iterable<Buffer>;
  /** Reads on from the table. @returns the messages to send; `position` moves on once all are sent */
  catchUp(reader: EventReader, end: bigint, limit: number): Promise<CatchUpPage>;
  /** Messages to send before the subscriber gets the "caught up" message. */
  beforeCaughtUp?(): Iterable<Buffer>;
}

export interface CatchUpPage {
  events: readonly RecordedEvent[];
  /** The messages to send at the end of the page. */
  after(): Iterable<Buffer>;
}

const LIVE_PAGE = 256;

/** Ends subscriptions that may be out of date. */
export class Subscriptions {
  readonly #ends = new Set<() => void>();

  /** Ends every subscription as "unavailable", so that its client retries. */
  endAll(): void {
    for (const end of this.#ends) end();
  }

  /**
   * Sends a subscriber the events of the table, then new ones as they are committed: in the order of the log, without
   * gaps or repeats, at its own pace. A subscriber too slow for the tail in memory continues from the table.
   * @returns when the client is gone
   * @throws StoreError when the store stops, or loses its database
   */
  async serve(
    makeCursor: () => Promise<SubscriptionCursor>,
    tail: LiveTail,
    reader: EventReader,
    answers: Outgoing,
  ): Promise<void> {
    let ended = false;
    const end = () => {
      ended = true;
      answers.wake();
    };
    this.#ends.add(end);
    const stopListening = tail.listen(() => answers.wake());
    try {
      const cursor = await makeCursor();
      answers.send(confirmationAnswer(randomUUID()));
      const size = new PageSize();
      let live = false;
      while (await answers.ready()) {
        if (ended) throw unavailable('The event store cannot follow its log at the moment.');
        const events = tail.after(cursor.position, LIVE_PAGE);
        if (events === undefined) {
          if (live) answers.send(fellBehindAnswer());
          live = false;
          await sendPage(cursor, tail, reader, size, answers);
        } else if (events.length > 0) {
          await sendLive(cursor, events, answers);
        } else {
          if (!live) {
            for (const answer of cursor.beforeCaughtUp?.() ?? []) answers.send(answer);
            answers.send(caughtUpAnswer());
          }
          live = true;
          await answers.sleep();
        }
      }
    } finally {
      stopListening();
      this.#ends.delete(end);
    }
  }
}

async function sendPage(
  cursor: SubscriptionCursor,
  tail: LiveTail,
  reader: EventReader,
  size: PageSize,
  answers: Outgoing,
): Promise<void> {
  const page = await cursor.catchUp(reader, tail.last, size.events);
  size.learn(page.events);
  await sendLive(cursor, page.events, answers);
  for (const answer of page.after()) answers.send(answer);
}

async function sendLive(
  cursor: SubscriptionCursor,
  events: readonly RecordedEvent[],
  answers: Outgoing,
): Promise<void> {
  for (const event of events) {
    for (const answer of cursor.look(event)) answers.send(answer);
    if (!(await answers.ready())) return;
  }
}
