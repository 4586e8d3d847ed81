import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { PROJECTED } from '#contracts/event-log/categories.js';
import { withoutSkipped } from '#contracts/event-log/skipped-events.js';
import type { EventPayload } from '#contracts/webhooks/webhooks.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import {
  EventLog,
  readAsCurrent,
  type LoggedEvent,
  type LogPosition,
  type StoredEvent,
} from '#platform/event-log/event-log.js';
import { UnreadableEvent } from '#platform/event-log/upcast.js';
import { DATABASE } from '#platform/tokens.js';

/** Milliseconds after which a page ends even if it is empty, as where hardly any event is of its kinds. */
const LONGEST_SEARCH = 5_000;

/** An event, and the place of what is before it in the log. */
export interface PlacedEvent {
  stored: StoredEvent;
  after: LogPosition | undefined;
}

interface PageOfLog {
  after: LogPosition | undefined;
  /** All without it. */
  kinds?: readonly string[] | undefined;
  limit: number;
  /** Seconds to wait for an event where there is none. */
  wait: number;
}

/** The log, as others get to know it. */
@Injectable()
export class PublicEvents {
  constructor(
    private readonly log: EventLog,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /**
   * A page of events in the order of the log, and the place after which the next one begins.
   * @throws UnreadableEvent at one that a newer server may be able to read
   */
  async page({ after, kinds, limit, wait }: PageOfLog, ending?: AbortSignal) {
    const end = (await this.log.last(PROJECTED))?.commit ?? -1n;
    const over = AbortSignal.timeout(wait * 1000 || LONGEST_SEARCH);
    const signal = ending ? AbortSignal.any([ending, over]) : over;
    const events: PlacedEvent[] = [];
    let next = after;
    const isWhole = () => (events.length > 0 || wait === 0) && (next?.commit ?? -1n) >= end;
    if (isWhole()) return { events, next };
    for await (const arrived of this.log.followRecorded(PROJECTED, after, signal)) {
      for (const recorded of arrived) {
        const stored = await this.read(recorded);
        if (stored && kinds?.includes(stored.event.type) !== false) events.push({ stored, after: next });
        next = recorded.position;
        if (events.length === limit) return { events, next };
      }
      if (isWhole()) break;
    }
    return { events, next };
  }

  /** @returns nothing where this release cannot read it, and the operator has decided to skip it */
  async read(recorded: LoggedEvent): Promise<StoredEvent | undefined> {
    try {
      return readAsCurrent(recorded);
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      const rest = await this.log.readRecorded(recorded.category, recorded.key, recorded.revision);
      if (withoutSkipped(rest).some(({ id }) => id === recorded.id)) throw error;
      return undefined;
    }
  }

  /** @param withName whether the reader's name and address are added, as long as there is an account that has them */
  async payloadOf(stored: StoredEvent, withName: boolean): Promise<EventPayload> {
    const { event, category, key, created } = stored;
    const isOfReader = category === 'borrows';
    const reader = isOfReader && withName ? await readerCalled(this.database, key) : undefined;
    return {
      type: event.type,
      timestamp: created.toISOString(),
      data: { ...event.data, ...(isOfReader ? { readerId: key } : { code: key }), ...(reader && { reader }) },
    };
  }
}

const readerRow = z.object({ name: z.string(), email: z.string() });
const readerCalled = (database: Database, pseudonym: string) =>
  queryRow(database, readerRow, 'select fullname as name, email from account where pseudonym = $1', [
    pseudonym,
  ]);
