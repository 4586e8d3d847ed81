import type { EventReader } from '../storage/event-reader.js';
import { TOMBSTONE, type RecordedEvent } from '../storage/recorded-event.js';
import { eventAnswer, resolvedAnswer } from '../wire/wire-event.js';

/** An event as a reader gets it, encoded; for a link whose target has to be read first, what reads it. */
export type ToAnswer = (event: RecordedEvent) => Buffer | (() => Promise<Buffer>);

const LINK_TYPE = '$>';
/** The revision, then the stream: the first `@` ends the revision. The revision may stand alone, and is then a link to nothing. */
const LINK = /^\s*([+-]?\d+)\s*(?:@(.*))?$/s;
const LAST_EVENT = -1n;

/**
 * @param resolveLinks whether the reader gets the events that links point to. A link to what is not there, or not to be
 *   read any more, comes without one, and what is no link at all comes as it is.
 */
export function answersOf(reader: EventReader, resolveLinks: boolean): ToAnswer {
  if (!resolveLinks) return eventAnswer;
  return (event) => {
    const parts = event.type === LINK_TYPE ? LINK.exec(event.data.toString('utf8')) : null;
    if (!parts) return eventAnswer(event);
    const [, revision = '', stream = ''] = parts;
    return async () => resolvedAnswer(event, await target(reader, stream, BigInt(revision)));
  };
}

/** @throws StoreError when the database is lost */
async function target(
  reader: EventReader,
  stream: string,
  revision: bigint,
): Promise<RecordedEvent | undefined> {
  if (stream === '' || revision < LAST_EVENT || revision >= TOMBSTONE) return undefined;
  const window = await reader.streamWindow(stream);
  if (window.last === TOMBSTONE || window.softDeleted) return undefined;
  const wanted = revision === LAST_EVENT ? window.last : revision;
  if (wanted < window.first) return undefined;
  const [event] = await reader.streamPage(stream, 'forwards', wanted, wanted, window.notBefore, 1);
  return event;
}

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
