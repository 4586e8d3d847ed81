import type { EventReader } from './event-reader.js';
import type { Outgoing } from './outgoing.js';
import { PageSize } from './page-size.js';
import { NO_EVENT, TOMBSTONE, type RecordedEvent } from './recorded-event.js';
import { streamDeleted } from './store-error.js';
import { eventAnswer, notFoundAnswer } from './wire-read-answer.js';
import type { ReadRequest } from './wire-read-request.js';

/**
 * Answers a read of one stream.
 * @throws StoreError for a stream that is deleted for ever, or a lost database
 */
export async function readStream(
  request: Extract<ReadRequest, { kind: 'read-stream' }>,
  reader: EventReader,
  answers: Outgoing,
): Promise<void> {
  const { stream, direction, from } = request;
  const window = await reader.streamWindow(stream);
  if (window.last === TOMBSTONE) throw streamDeleted(stream);
  if (window.last === NO_EVENT || window.softDeleted) return answers.send(notFoundAnswer(stream));

  const forwards = direction === 'forwards';
  let low = window.first;
  let high = window.last;
  if (forwards) low = largest(low, from === 'start' ? 0n : from === 'end' ? TOMBSTONE : from);
  else high = smallest(high, from === 'end' ? high : from === 'start' ? 0n : from);

  let left = request.count;
  const size = new PageSize();
  while (left > 0n && low <= high && !answers.gone) {
    const limit = Number(smallest(left, BigInt(size.events)));
    const page = await reader.streamPage(stream, direction, low, high, window.notBefore, limit);
    size.learn(page);
    if (!(await sendAll(page, answers))) return;
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    left -= BigInt(page.length);
    if (forwards) low = last.revision + 1n;
    else high = last.revision - 1n;
  }
}

/**
 * Answers a read of the whole log: forwards from a position on, backwards from before it.
 * @throws StoreError when the database is lost
 */
export async function readAll(
  request: Extract<ReadRequest, { kind: 'read-all' }>,
  reader: EventReader,
  answers: Outgoing,
): Promise<void> {
  const { direction, from, filter } = request;
  const forwards = direction === 'forwards';
  const end = await reader.lastPosition();
  let after = from === 'start' ? 0n : from === 'end' ? end : from - 1n;
  let before = from === 'start' ? 1n : from === 'end' ? end + 1n : smallest(from, end + 1n);
  let left = request.count;
  const size = new PageSize();
  while (left > 0n && !answers.gone && (forwards ? after < end : before > 1n)) {
    const limit = Number(smallest(left, BigInt(size.events)));
    const page = forwards
      ? await reader.logForwards(after, end, filter, limit)
      : await reader.logBackwards(before, filter, limit);
    size.learn(page.events);
    if (!(await sendAll(page.events, answers))) return;
    left -= BigInt(page.events.length);
    after = page.examined;
    before = page.examined;
  }
}

async function sendAll(events: readonly RecordedEvent[], answers: Outgoing): Promise<boolean> {
  for (const event of events) {
    answers.send(eventAnswer(event));
    if (!(await answers.ready())) return false;
  }
  return true;
}

function smallest(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
