import { randomUUID } from 'node:crypto';
import type { ToAnswer } from './event-answers.js';
import type { EventReader } from '../storage/event-reader.js';
import { LiveFeed } from './live-feed.js';
import type { LiveTail } from '../storage/live-tail.js';
import type { Outgoing } from './outgoing.js';
import { PageSize } from './page-size.js';
import type { RecordedEvent } from '../storage/recorded-event.js';
import type { SubscriptionCursor } from './subscription-cursors.js';
import { confirmationAnswer } from '../wire/wire-read-answer.js';

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
