import { randomUUID } from 'node:crypto';
import {
  FORWARDS,
  NO_STREAM,
  START,
  StreamNotFoundError,
  WrongExpectedVersionError,
  jsonEvent,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { z } from 'zod';
import { DEADLINE, collect, retryWithDeadline } from './retry-with-deadline.js';

/** Not a reader's stream: followers of the borrows do not see it. */
export const LOG_STREAM = 'lectern-log';

const opened = z.object({ logId: z.uuid() });
const continued = z.object({
  logId: z.uuid(),
  /** The log that this one was copied from. */
  from: z.uuid(),
  /** How many events were copied, and the chain over them: see `projections/move-log/verbatim-event.ts`. */
  events: z.int(),
  chain: z.string(),
  at: z.iso.datetime(),
});
const moved = z.object({
  /** The log that goes on in the place of this one. */
  logId: z.uuid(),
  /** Where that is, without credentials. */
  to: z.string(),
  at: z.iso.datetime(),
});

/** A log that was copied from another one goes on in its place. */
export type LogContinued = z.output<typeof continued>;
/** A log that was moved away is closed. */
export type LogMoved = z.output<typeof moved>;

/** What a log says of itself. */
export interface LogSelf {
  logId: string;
  /** Of the log before it, if it is a copy. */
  continued?: LogContinued;
  /** Where it went; nothing for a log in use. */
  moved?: LogMoved;
  /** The id of the event that says so. */
  movedBy?: string;
  /** Of the last event of the record. */
  revision: bigint;
}

/** The record that a log keeps of its identity, in a stream of its own. */
export class LogRecord {
  constructor(private readonly client: EventStoreDBClient) {}

  /** Nothing for a log without a name. */
  async read(): Promise<LogSelf | undefined> {
    const options = { direction: FORWARDS, fromRevision: START, requiresLeader: true } as const;
    let self: LogSelf | undefined;
    try {
      const events = await retryWithDeadline(this.client, (waiting) =>
        collect(this.client.readStream(LOG_STREAM, options), waiting),
      );
      for (const { id, type, data, revision } of events) {
        if (type === 'LogContinued') {
          const goesOn = continued.parse(data);
          self = { logId: goesOn.logId, continued: goesOn, revision };
        } else if (type === 'LogMoved' && self) {
          self = { ...self, moved: moved.parse(data), movedBy: id, revision };
        } else self = { logId: opened.parse(data).logId, revision };
      }
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error;
    }
    return self;
  }

  /** Gives a log its identity: one without a name, or one that was moved away and is to be used again. */
  async open(before?: LogSelf): Promise<LogSelf> {
    return this.append('LogOpened', { logId: randomUUID() }, before);
  }

  /** The log's identity, created if missing. A log that was moved away gets a new one: it is taken up again. */
  async logId(): Promise<string> {
    const self = await this.read();
    return (self && !self.moved ? self : await this.open(self)).logId;
  }

  /** @param before the record as it was copied */
  async continue(data: LogContinued, before: LogSelf): Promise<LogSelf> {
    return this.append('LogContinued', { ...data }, before);
  }

  /** Closes the log. */
  async close(data: LogMoved, before: LogSelf): Promise<LogSelf> {
    return this.append('LogMoved', { ...data }, before);
  }

  /** Appends to the record as it was read. If another process was faster, its word counts. */
  private async append(type: string, data: Record<string, unknown>, before?: LogSelf): Promise<LogSelf> {
    const event = jsonEvent({ type, data });
    try {
      await retryWithDeadline(this.client, () =>
        this.client.appendToStream(LOG_STREAM, event, {
          expectedRevision: before?.revision ?? NO_STREAM,
          requiresLeader: true,
          deadline: DEADLINE,
        }),
      );
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw error;
    }
    const now = await this.read();
    if (!now) throw new Error('The event log has lost the record of its identity.');
    return now;
  }
}
