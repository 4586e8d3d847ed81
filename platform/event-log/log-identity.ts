import {
  BACKWARDS,
  END,
  FORWARDS,
  START,
  type EventStoreDBClient,
  type RecordedEvent,
} from '@eventstore/db-client';
import { z } from 'zod';
import { BORROW_STREAM_PREFIX } from '#contracts/borrowing/borrow-events.js';
import { STREAM_DECISIONS } from '#contracts/event-log/set-aside.js';
import type { Queryable } from '../database/database.js';
import { queryRow } from '../database/query-rows.js';
import { ReadModelSchema } from '../database/read-model-schema.js';
import { StartRefused } from '../start-refused.js';
import { LogRecord, type LogMoved, type LogSelf } from './log-record.js';
import { collect, retryWithDeadline } from './retry-with-deadline.js';

/** The read model was made of another log, the log has lost its end since then, or it was moved away. */
export class WrongLog extends StartRefused {
  constructor(
    readonly kind: 'another' | 'shorter' | 'moved',
    message: string,
  ) {
    super(`${message}, or make the lists from this one: npm run rebuild -- --adopt-log`);
    this.name = 'WrongLog';
  }
}

const stampRow = z.object({
  log_id: z.string().nullable(),
  commit_position: z.string().transform(BigInt),
  prepare_position: z.string().transform(BigInt),
});
type Stamp = z.output<typeof stampRow>;

/**
 * Checks that the event log is the one that the read model was made of. The log's identity is an event in a stream of
 * its own, and the rows are stamped with it. Called before the first append, and before anything follows the log.
 */
export class LogIdentity {
  private answer: Promise<void> | undefined;

  private schema = '';
  private readonly record: LogRecord;

  /** @param mayWrite whether to give a new log its identity, and the rows their stamp */
  constructor(
    private readonly client: EventStoreDBClient,
    private readonly database: Queryable,
    private readonly schemas = new ReadModelSchema(database),
    private readonly mayWrite = true,
  ) {
    this.record = new LogRecord(client);
  }

  /**
   * Checks once, and again if there was no answer.
   * @throws WrongLog; the error of the log or the database when it is unavailable
   */
  async admit(): Promise<void> {
    this.answer ??= this.compare();
    try {
      await this.answer;
    } catch (error) {
      if (!(error instanceof WrongLog)) this.answer = undefined;
      throw error;
    }
  }

  /** Compares anew at the next call: the log may have been moved meanwhile. */
  forget(): void {
    this.answer = undefined;
  }

  /** The log's identity, created if missing. A log that was moved away gets a new one: it is taken up again. */
  async ofLog(): Promise<string> {
    const self = await this.record.read();
    return (self && !self.moved ? self : await this.record.open(self)).logId;
  }

  private async compare(): Promise<void> {
    this.schema = await this.schemas.present();
    const stamp = await this.stamp();
    const [self, end] = [await this.record.read(), (await this.end())?.position?.commit ?? -1n];
    const ofLog = self?.logId;
    const known = stamp.log_id ?? undefined;
    if (self?.moved) throw movedAway(self.moved);
    if (known !== undefined && known !== ofLog)
      throw isUnfinished(self, known) ? unfinished() : another(ofLog, known);
    if (known === undefined && stamp.commit_position >= 0n && !(await this.holds(stamp, end))) {
      throw (await this.isStartOfRows()) ? shorter(end, stamp) : another(ofLog, known);
    }
    if (known !== undefined && end < stamp.commit_position) throw shorter(end, stamp);
    if (known === undefined && this.mayWrite) await this.write(await this.ofLog());
  }

  private async stamp(): Promise<Stamp> {
    // An earlier release may have rebuilt the rows without this column.
    const stamp = await queryRow(
      this.database,
      stampRow,
      `select to_jsonb(c) ->> 'log_id' as log_id, c.commit_position, c.prepare_position
       from ${this.schema}.checkpoint c`,
    );
    if (!stamp) throw new Error(`${this.schema}.checkpoint has lost its row`);
    return stamp;
  }

  private async write(logId: string): Promise<void> {
    await this.database.query(`alter table ${this.schema}.checkpoint add column if not exists log_id uuid`);
    await this.database.query(`update ${this.schema}.checkpoint set log_id = $1 where log_id is null`, [
      logId,
    ]);
    const { log_id: stamped } = await this.stamp();
    // Another process was faster, with another log.
    if (stamped !== null && stamped !== logId) throw another(logId, stamped);
  }

  /** Whether the last event of unstamped rows, from an earlier release, is in its place in the log. */
  private async holds({ commit_position: commit, prepare_position: prepare }: Stamp, end: bigint) {
    // Asked for a position beyond its end, EventStoreDB answers with an exception.
    if (end < commit) return false;
    const [event] = await retryWithDeadline(this.client, (waiting) =>
      collect(
        this.client.readAll({
          direction: FORWARDS,
          fromPosition: { commit, prepare },
          maxCount: 1,
          requiresLeader: true,
        }),
        waiting,
      ),
    );
    return event?.position?.commit === commit && this.isInRows(event);
  }

  /** Whether the rows contain the log's first borrow: then the log is theirs, and has lost its end. */
  private async isStartOfRows(): Promise<boolean> {
    let fromPosition: RecordedEvent['position'] | typeof START = START;
    for (;;) {
      const options = { direction: FORWARDS, fromPosition, maxCount: PAGE, requiresLeader: true } as const;
      const events: RecordedEvent[] = await retryWithDeadline(this.client, (waiting) =>
        collect(this.client.readAll(options), waiting),
      );
      const first = events.find(({ streamId }) => streamId.startsWith(BORROW_STREAM_PREFIX));
      if (first) return this.isInRows(first);
      const last = events.at(-1)?.position;
      if (!last || events.length < PAGE) return false;
      fromPosition = last;
    }
  }

  private async isInRows({ streamId, type, data }: RecordedEvent): Promise<boolean> {
    if (!streamId.startsWith(BORROW_STREAM_PREFIX)) return false;
    // An abandoned rent has no row, nor has a decision to set an event aside.
    if (type === 'RentAbandoned' || Object.hasOwn(STREAM_DECISIONS, type)) return true;
    const { borrowId } = z.object({ borrowId: z.uuid() }).parse(data);
    const row = await queryRow(
      this.database,
      z.object({ found: z.boolean() }),
      `select exists (select from ${this.schema}.borrow where borrow_id = $1) as found`,
      [borrowId],
    );
    return row?.found === true;
  }

  /** A cluster's follower may lag, and its log seem shorter than it is. */
  private async end(): Promise<RecordedEvent | undefined> {
    const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true } as const;
    const [last] = await retryWithDeadline(this.client, (waiting) =>
      collect(this.client.readAll(newest), waiting),
    );
    return last;
  }
}

const PAGE = 500;

function another(ofLog: string | undefined, ofRows: string | undefined): WrongLog {
  const theirs = ofRows === undefined ? 'another event log' : `the event log ${ofRows}`;
  return new WrongLog(
    'another',
    `This is another event log: the lists were made of ${theirs}, and EVENTSTORE_URL leads to ${ofLog ?? 'one without a name'}. Set the EVENTSTORE_URL of theirs`,
  );
}

function shorter(end: bigint, { commit_position: reached }: Stamp): WrongLog {
  return new WrongLog(
    'shorter',
    `The event log is shorter than the lists that were made of it, as an older backup is: it ends at position ${end}, the lists are at ${reached}. Restore the newer log`,
  );
}

function movedAway({ to, at }: LogMoved): WrongLog {
  const next = to === EMBEDDED ? 'Unset EVENTSTORE_URL' : 'Set EVENTSTORE_URL to that one';
  const when = `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
  return new WrongLog('moved', `This event log was moved to ${to} on ${when} and is closed. ${next}`);
}

/** What a closed log says of where it went, if that is the embedded event store. */
export const EMBEDDED = 'the embedded event store';

/** Whether the log is a copy of the one that the rows were made of, and they are not made of this one yet. */
function isUnfinished(self: LogSelf | undefined, known: string): boolean {
  return self?.continued?.from === known;
}

function unfinished(): WrongLog {
  return new WrongLog(
    'another',
    'The event log is being moved here, and that is not finished: run npm run move-log again with the settings of before',
  );
}
