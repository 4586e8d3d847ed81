import type { EventLog, LoggedEvent } from '#platform/event-log/event-log.js';
import { timeSlicer } from '#platform/time-slices.js';

/** Batch size: events in memory at a time. */
const EVENTS_A_READ = 500;

/**
 * A reader's events up to a revision, as stored, in batches.
 * @param from the first revision
 * @param to the last one, -1 for none
 */
export async function* recordedPart(
  log: Pick<EventLog, 'readRecorded'>,
  readerId: string,
  from: number,
  to: number,
): AsyncGenerator<LoggedEvent> {
  let next = BigInt(from);
  // Who takes them hashes each.
  const giveWay = timeSlicer();
  while (next <= BigInt(to)) {
    const page = await log.readRecorded('borrows', readerId, next, EVENTS_A_READ);
    const last = page.at(-1);
    if (!last) return;
    for (const event of page) {
      await giveWay();
      if (event.revision <= BigInt(to)) yield event;
    }
    next = last.revision + 1n;
  }
}
