import { randomUUID } from 'node:crypto';
import { type ToAnswer, PageSize } from './event-answers.js';
import type { EventReader } from '../storage/event-reader.js';
import type { LiveTail } from '../storage/live-tail.js';
import type { Outgoing } from './outgoing.js';
import type { RecordedEvent } from '../storage/recorded-event.js';
import type { SubscriptionCursor, Sent } from './subscription-cursors.js';
import { confirmationAnswer, caughtUpAnswer } from '../wire/wire-read-request.js';
import { consumerTooSlow, databaseFailure } from '../storage/store-error.js';

// With no more than this left, as many as EventStoreDB reads in one go, a subscriber goes live.
const LAST_PAGE = 32;
const CATCH_UP_PAGE = 256;

/**
 * Sends a subscriber the events of the table, then new ones as they are committed: in the order of the log, without gaps
 * or repeats. It catches up at its own pace; once it is live, it has to keep up.
 * @param keepMs milliseconds for which what is new may be kept
 * @returns when the client is gone
 * @throws StoreError when it does not keep up, when the store stops or loses its database, or at the end of a stream
 *   that is deleted for ever
 */
export async function serveSubscription(
  makeCursor: () => Promise<SubscriptionCursor>,
  tail: LiveTail,
  reader: EventReader,
  toAnswer: ToAnswer,
  answers: Outgoing,
  keepMs = 0,
): Promise<void> {
  const stopListening = tail.listen(() => answers.wake());
  try {
    const cursor = await makeCursor();
    answers.send(confirmationAnswer(randomUUID()));
    if (!(await catchUp(cursor, tail, reader, toAnswer, answers))) return;
    // From here on the feed listens.
    stopListening();
    await new LiveFeed(cursor, tail, toAnswer, answers, keepMs).run();
  } finally {
    stopListening();
  }
}

/** @returns false when the client is gone */
async function catchUp(
  cursor: SubscriptionCursor,
  tail: LiveTail,
  reader: EventReader,
  toAnswer: ToAnswer,
  answers: Outgoing,
): Promise<boolean> {
  const size = new PageSize();
  while (await answers.ready()) {
    const events = tail.after(cursor.position, CATCH_UP_PAGE);
    if (events === undefined) {
      const page = await cursor.catchUp(reader, tail.last, size.events);
      size.learn(page.events);
      if (!(await sendAll(cursor, page.events, toAnswer, answers))) return false;
      for (const sent of page.after()) answers.send(sent);
    } else if (cursor.isThere && events.length <= LAST_PAGE) return true;
    else if (events.length > 0) await sendAll(cursor, events, toAnswer, answers);
    else await answers.sleep();
  }
  return false;
}

async function sendAll(
  cursor: SubscriptionCursor,
  events: readonly RecordedEvent[],
  toAnswer: ToAnswer,
  answers: Outgoing,
): Promise<boolean> {
  try {
    for (const event of events) {
      for (const sent of cursor.look(event)) {
        const answer = Buffer.isBuffer(sent) ? sent : toAnswer(sent);
        const isSent = answers.gather(typeof answer === 'function' ? await answer() : answer);
        if (isSent && !(await answers.ready())) return false;
      }
    }
  } finally {
    answers.flush();
  }
  return answers.ready();
}

// EventStoreDB keeps 32 events that were committed, and 32 answers that wait for the connection, for each live subscriber.
const KEPT_ANSWERS = 32;
const MAX_WAITING = 32 + KEPT_ANSWERS;
/** Where no more came together, keeping what is new for the whole time would not be worth the wait. */
const FEW = 2;

/**
 * The live part of a subscription: events are sent as they are committed. What the connection does not take waits in a
 * small buffer. When that is full, the subscriber gets what EventStoreDB gives it: the first half of the buffer, then the
 * end of its subscription. It subscribes anew, and catches up at its own pace.
 */
class LiveFeed {
  readonly #cursor: SubscriptionCursor;
  readonly #tail: LiveTail;
  readonly #toAnswer: ToAnswer;
  readonly #answers: Outgoing;
  readonly #keepMs: number;
  #waiting: Sent[] = [];
  #isCaughtUp = false;
  #isTaking = false;
  #takenAt = 0;
  #taken = 0;
  #timer: NodeJS.Timeout | undefined;
  /** While a link is read, what comes after it waits. */
  #isResolving = false;
  /** Ends the subscription once what waits is sent. */
  #failure: Error | undefined;

  /** @param keepMs milliseconds for which what is new may be kept, to go together with what comes then */
  constructor(cursor: SubscriptionCursor, tail: LiveTail, toAnswer: ToAnswer, answers: Outgoing, keepMs = 0) {
    this.#cursor = cursor;
    this.#tail = tail;
    this.#toAnswer = toAnswer;
    this.#answers = answers;
    this.#keepMs = keepMs;
  }

  /** @returns when the client is gone @throws what ends the subscription */
  async run(): Promise<void> {
    const caughtUp = caughtUpAnswer();
    this.#take();
    this.#waiting.push(caughtUp);
    const stopListening = this.#tail.listen(() => this.#takeSoon());
    try {
      while (await this.#answers.ready()) {
        const next = this.#waiting.shift();
        if (next !== undefined) {
          await this.#send(next);
          if (next === caughtUp) this.#isCaughtUp = true;
        } else if (this.#failure) throw this.#failure;
        else await this.#answers.sleep();
      }
    } finally {
      stopListening();
      clearTimeout(this.#timer);
    }
  }

  /** After the appends were answered: they do not wait for subscribers. */
  #takeSoon(): void {
    if (this.#isTaking) return;
    this.#isTaking = true;
    const take = () => {
      this.#isTaking = false;
      this.#take();
      this.#answers.wake();
    };
    // What is alone does not wait; what follows it soon does, for what comes then.
    const keepMs = this.#taken > FEW ? this.#keepMs : this.#keepMs / 2;
    const wait = this.#takenAt + keepMs - performance.now();
    if (wait > 0) this.#timer = setTimeout(take, wait);
    else queueMicrotask(take);
  }

  #take(): void {
    if (this.#failure) return;
    this.#takenAt = performance.now();
    const events = this.#tail.after(this.#cursor.position, Infinity);
    // More at once than is kept in memory for all subscribers.
    if (events === undefined) return this.#endAsTooSlow();
    this.#taken = events.length;
    try {
      for (const event of events) for (const sent of this.#cursor.look(event)) this.#offer(sent);
    } catch (error) {
      this.#failure = databaseFailure(error);
    }
    this.#answers.flush();
    if (this.#waiting.length > MAX_WAITING) this.#endAsTooSlow();
  }

  #offer(sent: Sent): void {
    // Not even the first half of what waits beyond the limit is sent.
    if (this.#waiting.length > MAX_WAITING) return;
    this.#waiting.push(sent);
    while (this.#isCaughtUp && !this.#isResolving && !this.#answers.full) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const answer = Buffer.isBuffer(next) ? next : this.#toAnswer(next);
      if (typeof answer === 'function') return;
      this.#waiting.shift();
      // What was committed together goes together.
      this.#answers.gather(answer);
    }
  }

  #endAsTooSlow(): void {
    this.#waiting = this.#waiting.slice(0, KEPT_ANSWERS);
    this.#failure = consumerTooSlow(this.#isCaughtUp ? 'live' : 'transitioning to live');
  }

  async #send(sent: Sent): Promise<void> {
    const answer = Buffer.isBuffer(sent) ? sent : this.#toAnswer(sent);
    if (typeof answer !== 'function') return this.#answers.send(answer);
    this.#isResolving = true;
    try {
      this.#answers.send(await answer());
    } finally {
      this.#isResolving = false;
    }
  }
}
