import type pg from 'pg';
import { LOCKS } from '#platform/database/locks.js';
import type { StoredEvent } from '#platform/event-log/event-log.js';
import { readerEventsIn, type StoredReaderEvent } from '#platform/event-log/reader-events-in.js';
import { requestLetters, type NotificationRequest } from '#letters/notification-request.js';
import { isToldByVisit, requestVisitLetters } from '#letters/visit-letters.js';
import { Follower, type FollowerServices, type FollowerTiming } from '../follower.js';
import { BORROW_EVENTS, type EventLetter } from '#contracts/borrowing/borrow-events.js';
import {
  holdLetter,
  type HoldLetter,
  isHoldEvent,
  readerEventTime,
  type ReaderEvent,
} from '#contracts/holds/hold-events.js';

const SCHEMA = 'letters';
/** Batch size: events per transaction, at most. */
const MAX_EVENTS = 500;
/** Milliseconds: nobody waits for a letter as for a row. */
const GATHER = 200;

/**
 * Requests the letters that events cause: ledger and checkpoint in one transaction, so each event requests its
 * letter once. It has its own checkpoint: a rebuild of the read model sends nothing.
 */
export class LetterReactor extends Follower {
  /** @param quietSeconds after which a visit at the desk is over */
  constructor(
    services: FollowerServices,
    timing?: Partial<FollowerTiming>,
    private readonly quietSeconds = 300,
  ) {
    super(
      {
        name: 'letters',
        schema: SCHEMA,
        categories: ['borrows'],
        lock: LOCKS.letters,
        maxEvents: MAX_EVENTS,
        gather: GATHER,
      },
      services,
      timing,
    );
  }

  /** On the first start ever, letters start at the log's end: none is sent about the past. */
  protected override async begin(): Promise<void> {
    const { database, log } = this.services;
    const { rowCount } = await database.query(`select from ${SCHEMA}.checkpoint`);
    if (rowCount === 1) return;
    const logId = await log.confirmIdentity();
    const end = await log.end();
    await database.query(
      `insert into ${SCHEMA}.checkpoint (commit_position, prepare_position, events, log_id) values ($1, $2, 0, $3)
       on conflict do nothing`,
      [(end?.commit ?? -1n).toString(), (end?.prepare ?? -1n).toString(), logId],
    );
  }

  protected override async apply(connection: pg.Client, events: readonly StoredEvent[]): Promise<void> {
    const read = readerEventsIn(events);
    const requests = read.map(letterOfEvent).filter((request) => request !== undefined);
    await requestLetters(connection, requests);
    await requestVisitLetters(connection, read, this.quietSeconds);
  }
}

/** The letter that an event causes by itself, if any. */
export function letterOfEvent(stored: StoredReaderEvent): NotificationRequest | undefined {
  const { id, key, event, metadata } = stored;
  const letter = isToldByVisit(stored) ? null : letterOf(event, key);
  if (!letter) return undefined;
  const { kind, about } = letter;
  return {
    kind,
    data: { cause: id, accountId: key, borrowId: about },
    causedAt: readerEventTime(event),
    correlationId: metadata.$correlationId,
    ...(event.type === 'FineCharged' && { daysLate: event.data.daysLate }),
  };
}

/** @param reader whose stream it is in */
function letterOf(
  event: ReaderEvent,
  reader: string,
): { kind: EventLetter | HoldLetter; about: string } | null {
  const kind = isHoldEvent(event) ? holdLetter(event, reader) : BORROW_EVENTS[event.type].letter;
  return kind && { kind, about: isHoldEvent(event) ? event.data.holdId : event.data.borrowId };
}
