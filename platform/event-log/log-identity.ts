import { randomUUID } from 'node:crypto';
import {
  BACKWARDS,
  END,
  FORWARDS,
  NO_STREAM,
  START,
  StreamNotFoundError,
  WrongExpectedVersionError,
  jsonEvent,
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
import { DEADLINE, collect, retryWithDeadline } from './retry-with-deadline.js';

/** Not a reader's stream: followers of the borrows do not see it. */
const STREAM = 'lectern-log';
const openedSchema = z.object({ logId: z.uuid() });

/** The read model was made of another log, or the log has lost its end since then. */
export class WrongLog extends StartRefused {
  constructor(
    readonly kind: 'another' | 'shorter',
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

  /** @param mayWrite whether to give a new log its identity, and the rows their stamp */
  constructor(
    private readonly client: EventStoreDBClient,
    private readonly database: Queryable,
    private readonly schemas = new ReadModelSchema(database),
    private readonly mayWrite = true,
  ) {}

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

  /** The log's identity, created if missing. */
  async ofLog(): Promise<string> {
    return (await this.read()) ?? this.open();
  }

  private async compare(): Promise<void> {
    this.schema = await this.schemas.present();
    const stamp = await this.stamp();
    const [ofLog, end] = [await this.read(), (await this.end())?.position?.commit ?? -1n];
    const known = stamp.log_id ?? undefined;
    if (known !== undefined && known !== ofLog) throw another(ofLog, known);
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
    const [event] = await retryWithDeadline(this.client, (...waiting) =>
      collect(
        this.client.readAll({
          direction: FORWARDS,
          fromPosition: { commit, prepare },
          maxCount: 1,
          requiresLeader: true,
        }),
        ...waiting,
      ),
    );
    return event?.position?.commit === commit && this.isInRows(event);
  }

  /** Whether the rows contain the log's first borrow: then the log is theirs, and has lost its end. */
  private async isStartOfRows(): Promise<boolean> {
    let fromPosition: RecordedEvent['position'] | typeof START = START;
    for (;;) {
      const options = { direction: FORWARDS, fromPosition, maxCount: PAGE, requiresLeader: true } as const;
      const events: RecordedEvent[] = await retryWithDeadline(this.client, (...waiting) =>
        collect(this.client.readAll(options), ...waiting),
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

  private async read(): Promise<string | undefined> {
    const options = { direction: FORWARDS, fromRevision: START, maxCount: 1, requiresLeader: true } as const;
    try {
      const [opened] = await retryWithDeadline(this.client, (...waiting) =>
        collect(this.client.readStream(STREAM, options), ...waiting),
      );
      return opened && openedSchema.parse(opened.data).logId;
    } catch (error) {
      if (error instanceof StreamNotFoundError) return undefined;
      throw error;
    }
  }

  private async open(): Promise<string> {
    const logId = randomUUID();
    const opened = jsonEvent({ type: 'LogOpened', data: { logId } });
    try {
      await retryWithDeadline(this.client, () =>
        this.client.appendToStream(STREAM, opened, {
          expectedRevision: NO_STREAM,
          requiresLeader: true,
          deadline: DEADLINE,
        }),
      );
      return logId;
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw error;
      const theirs = await this.read();
      if (theirs === undefined) throw error;
      return theirs;
    }
  }

  /** A cluster's follower may lag, and its log seem shorter than it is. */
  private async end(): Promise<RecordedEvent | undefined> {
    const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true } as const;
    const [last] = await retryWithDeadline(this.client, (...waiting) =>
      collect(this.client.readAll(newest), ...waiting),
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
