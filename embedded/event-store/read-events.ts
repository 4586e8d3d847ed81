import type { ToAnswer } from './event-answers.js';
import type { EventReader } from './event-reader.js';
import type { Outgoing } from './outgoing.js';
import { PageSize } from './page-size.js';
import { NO_EVENT, TOMBSTONE, type RecordedEvent } from './recorded-event.js';
import { streamDeleted, unreadable } from './store-error.js';
import { firstRevisionAnswer, lastRevisionAnswer, notFoundAnswer } from './wire-read-answer.js';
import type { ReadRequest } from './wire-read-request.js';

type StreamRead = Extract<ReadRequest, { kind: 'read-stream' }>;

/**
 * Answers a read of one stream.
 * @throws StoreError for a stream that is deleted for ever, a read forwards from its end, or a lost database
 */
export async function readStream(
  request: StreamRead,
  reader: EventReader,
  toAnswer: ToAnswer,
  answers: Outgoing,
): Promise<void> {
  const { stream, direction, from, withBounds } = request;
  const forwards = direction === 'forwards';
  if ((forwards && from === 'end') || request.count <= 0n) throw unreadable('ReadStreamResult');
  const window = await reader.streamWindow(stream);
  if (window.last === TOMBSTONE) throw streamDeleted(stream);
  if (window.last === NO_EVENT || window.softDeleted) return answers.send(notFoundAnswer(stream));

  let low = window.first;
  let high = window.last;
  const asked = from === 'start' ? 0n : from === 'end' ? high : from;
  if (forwards) low = largest(low, asked);
  else high = smallest(high, asked);

  const sent = await sendStream(request, window.notBefore, low, high, reader, toAnswer, answers);
  if (!withBounds) return;
  if (forwards && sent === 0n && asked !== window.last + 1n) {
    answers.send(firstRevisionAnswer(window.last + 1n));
  }
  answers.send(lastRevisionAnswer(window.last));
}

/** @returns how many events were sent */
async function sendStream(
  { stream, direction, count }: StreamRead,
  notBefore: number,
  first: bigint,
  last: bigint,
  reader: EventReader,
  toAnswer: ToAnswer,
  answers: Outgoing,
): Promise<bigint> {
  let [low, high, sent] = [first, last, 0n];
  const size = new PageSize();
  while (sent < count && low <= high && !answers.gone) {
    const limit = Number(smallest(count - sent, BigInt(size.events)));
    const page = await reader.streamPage(stream, direction, low, high, notBefore, limit);
    size.learn(page);
    if (!(await sendAll(page, toAnswer, answers))) break;
    sent += BigInt(page.length);
    const end = page.at(-1);
    if (!end || page.length < limit) break;
    if (direction === 'forwards') low = end.revision + 1n;
    else high = end.revision - 1n;
  }
  return sent;
}

/**
 * Answers a read of the whole log: forwards from a position on, backwards from before it.
 * @throws StoreError for a read backwards from beyond the end, or a lost database
 */
export async function readAll(
  request: Extract<ReadRequest, { kind: 'read-all' }>,
  reader: EventReader,
  toAnswer: ToAnswer,
  answers: Outgoing,
): Promise<void> {
  const { direction, from, filter } = request;
  const forwards = direction === 'forwards';
  const end = await reader.lastPosition();
  // Whoever knows the place of the end may read back from there: it is one beyond the last event.
  if (!forwards && typeof from === 'bigint' && from > end + 1n) throw unreadable('ReadAllResult');
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
    if (!(await sendAll(page.events, toAnswer, answers))) return;
    left -= BigInt(page.events.length);
    after = page.examined;
    before = page.examined;
  }
}

async function sendAll(
  events: readonly RecordedEvent[],
  toAnswer: ToAnswer,
  answers: Outgoing,
): Promise<boolean> {
  for (const event of events) {
    const answer = toAnswer(event);
    answers.send(typeof answer === 'function' ? await answer() : answer);
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
