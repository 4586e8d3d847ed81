import { LRUCache } from 'lru-cache';
import type { EventLog, LoggedEvent } from '#platform/event-log/event-log.js';

/**
 * Events a call of the log gives: few enough for a busy machine to send them well within a call's deadline, and to take in what came
 * at once while others wait.
 */
const PAGE = 500;
/** Cache limit, in events of all interrupted reads together: one or two kilobytes each. */
const MAX_EVENTS = 50_000;
/** Milliseconds for which the events of an interrupted read are kept. */
const MAX_AGE = 60_000;

/**
 * Reads readers' streams in pages. What a read has got when it fails, for instance as its caller's time is up, is kept for
 * the next one: so repeated reads get to the end of a long history on a slow machine too.
 */
export class ResumedRead {
  private readonly interrupted = new LRUCache<string, readonly LoggedEvent[]>({
    maxSize: MAX_EVENTS,
    sizeCalculation: (events) => events.length,
    ttl: MAX_AGE,
  });

  constructor(private readonly log: Pick<EventLog, 'readRecorded'>) {}

  /**
   * The events of a reader's stream from a revision to its end, as recorded.
   * @throws DomainError EventStoreUnavailable
   */
  async from(readerId: string, revision: bigint): Promise<readonly LoggedEvent[]> {
    const before = this.interrupted.get(readerId);
    let events = before?.[0]?.revision === revision ? before : [];
    for (;;) {
      const next = (events.at(-1)?.revision ?? revision - 1n) + 1n;
      const page = await this.log.readRecorded('borrows', readerId, next, PAGE);
      events = events.length === 0 ? page : [...events, ...page];
      if (page.length < PAGE) break;
      this.interrupted.set(readerId, events);
    }
    this.interrupted.delete(readerId);
    return events;
  }
}
