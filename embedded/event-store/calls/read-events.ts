import { type ToAnswer, PageSize } from './event-answers.js';
import type { EventReader, LogPage } from '../storage/event-reader.js';
import type { LiveTail } from '../storage/live-tail.js';
import type { Outgoing } from './outgoing.js';
import { NO_EVENT, TOMBSTONE, type RecordedEvent } from '../storage/recorded-event.js';
import { streamDeleted, unreadable } from '../storage/store-error.js';
import {
  firstRevisionAnswer,
  lastRevisionAnswer,
  notFoundAnswer,
  type ReadRequest,
} from '../wire/wire-read-request.js';

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
  let [low, high, sent, asked] = [first, last, 0n, 0n];
  const size = new PageSize();
  const pages = readAhead((before: { events: RecordedEvent[]; limit: number } | undefined) => {
    const end = before?.events.at(-1);
    if (before) {
      size.learn(before.events);
      asked += BigInt(before.events.length);
      if (!end || before.events.length < before.limit) return undefined;
      if (direction === 'forwards') low = end.revision + 1n;
      else high = end.revision - 1n;
    }
    if (asked >= count || low > high) return undefined;
    const limit = Number(smallest(count - asked, BigInt(size.events)));
    return reader
      .streamPage(stream, direction, low, high, notBefore, limit)
      .then((events) => ({ events, limit }));
  });
  for await (const { events } of pages) {
    if (!(await sendAll(events, toAnswer, answers))) break;
    sent += BigInt(events.length);
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
  tail: LiveTail,
  toAnswer: ToAnswer,
  answers: Outgoing,
): Promise<void> {
  const { direction, from, filter } = request;
  const forwards = direction === 'forwards';
  const newest = forwards || from !== 'end' || filter ? undefined : tail.newest(request.count);
  if (newest) {
    await sendAll(newest, toAnswer, answers);
    return;
  }
  const end = await reader.lastPosition();
  // Whoever knows the place of the end may read back from there: it is one beyond the last event.
  if (!forwards && typeof from === 'bigint' && from > end + 1n) throw unreadable('ReadAllResult');
  let after = from === 'start' ? 0n : from === 'end' ? end : from - 1n;
  let before = from === 'start' ? 1n : from === 'end' ? end + 1n : smallest(from, end + 1n);
  let left = request.count;
  const size = new PageSize();
  const pages = readAhead((page: LogPage | undefined) => {
    if (page) {
      size.learn(page.events);
      left -= BigInt(page.events.length);
      after = page.examined;
      before = page.examined;
    }
    if (left <= 0n || (forwards ? after >= end : before <= 1n)) return undefined;
    const limit = Number(smallest(left, BigInt(size.events)));
    return forwards
      ? reader.logForwards(after, end, filter, limit)
      : reader.logBackwards(before, filter, limit);
  });
  for await (const { events } of pages) if (!(await sendAll(events, toAnswer, answers))) return;
}

/**
 * Reads each page while the one before it is sent.
 * @param next reads the page after one, the first one without it; nothing at the end
 */
async function* readAhead<Page>(
  next: (before: Page | undefined) => Promise<Page> | undefined,
): AsyncGenerator<Page> {
  for (let reading = next(undefined); reading;) {
    const page = await reading;
    reading = next(page);
    // It is thrown when its turn comes, and of no interest to a client that has left.
    reading?.catch(() => undefined);
    yield page;
  }
}

async function sendAll(
  events: readonly RecordedEvent[],
  toAnswer: ToAnswer,
  answers: Outgoing,
): Promise<boolean> {
  try {
    for (const event of events) {
      const answer = toAnswer(event);
      const isSent = answers.gather(typeof answer === 'function' ? await answer() : answer);
      if (isSent && !(await answers.ready())) return false;
    }
  } finally {
    answers.flush();
  }
  return answers.ready();
}

function smallest(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
