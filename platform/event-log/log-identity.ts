import { FORWARDS, START, type EventStoreDBClient, type RecordedEvent } from '@eventstore/db-client';
import { z } from 'zod';
import { BORROW_STREAM_PREFIX } from '#contracts/borrowing/borrow-events.js';
import { STREAM_DECISIONS } from '#contracts/event-log/set-aside.js';
import type { Queryable } from '../database/database.js';
import { queryRow, queryRows } from '../database/query-rows.js';
import { ReadModelSchema } from '../database/read-model-schema.js';
import { another, movedAway, shorter, type ExpectedLog, type LogPlace, type LogProof } from './log-proof.js';
import { LogRecord } from './log-record.js';
import { endOf, eventAt, proveLog } from './prove-log.js';
import { collect, retryWithDeadline } from './retry-with-deadline.js';

const stampRow = z.object({
  log_id: z.string().nullable(),
  commit: z.string(),
  prepare: z.string(),
  event: z.string().nullable(),
});
type Stamp = z.output<typeof stampRow>;

/** A checkpoint as a `Stamp`. An earlier release may have made it without the later columns, or moved it without them. */
const stampOf = (schema: string) =>
  `select to_jsonb(c) ->> 'log_id' as log_id,
     case when (to_jsonb(c) ->> 'last_event_at')::bigint = c.commit_position then to_jsonb(c) ->> 'last_event' end as event,
     c.commit_position::text as commit, c.prepare_position::text as prepare
   from ${schema}.checkpoint c`;

/**
 * Checks that an event log is the one that the rows were made of, and no older copy. The log's identity is an event in a
 * stream of its own, and the rows are stamped with it, and with the last event that is in them.
 */
export class LogIdentity {
  /** @param mayWrite whether to give a new log its identity, and the rows their stamp */
  constructor(
    private readonly database: Queryable,
    private readonly schemas = new ReadModelSchema(database),
    private readonly mayWrite = true,
  ) {}

  readonly prove: LogProof = async (store, acknowledged) => {
    const schema = await this.schemas.present();
    // The rows first: the log has what they had before it was asked.
    const expected = await this.expected(schema);
    if (!expected) return this.recognise(store, schema);
    const reached =
      acknowledged?.logId === expected.logId ? [...expected.reached, acknowledged] : expected.reached;
    return proveLog(store, { ...expected, reached });
  };

  /** What the rows say of their log; nothing where they have no stamp yet. */
  async expected(schema?: string): Promise<ExpectedLog | undefined> {
    const { log_id: logId, ...rows } = await this.stamp(schema ?? (await this.schemas.present()));
    if (logId === null) return undefined;
    // They are followed apart from the rows, and may be ahead of them.
    const letters = await queryRows(this.database, stampRow, stampOf('letters'));
    const reached: LogPlace[] = [rows, ...letters.filter((each) => each.log_id === logId)];
    return { logId, reached: reached.filter(({ commit }) => BigInt(commit) >= 0n) };
  }

  /** For rows without a stamp: new ones, or those of an earlier release. */
  private async recognise(store: EventStoreDBClient, schema: string): Promise<string | undefined> {
    const stamp = await this.stamp(schema);
    const record = new LogRecord(store);
    const self = await record.read();
    if (self?.moved) throw movedAway(self.moved);
    const reached = BigInt(stamp.commit);
    if (reached >= 0n) {
      const end = await endOf(store);
      if (!(await this.holds(store, schema, stamp, end))) {
        throw (await this.isStartOfRows(store, schema))
          ? shorter(end, reached)
          : another(self?.logId, undefined);
      }
    }
    if (!this.mayWrite) return self?.logId;
    const { logId } = self ?? (await record.open());
    await this.write(schema, logId);
    return logId;
  }

  private async stamp(schema: string): Promise<Stamp> {
    const stamp = await queryRow(this.database, stampRow, stampOf(schema));
    if (!stamp) throw new Error(`${schema}.checkpoint has lost its row`);
    return stamp;
  }

  private async write(schema: string, logId: string): Promise<void> {
    await this.database.query(`alter table ${schema}.checkpoint add column if not exists log_id uuid`);
    for (const stamped of [schema, 'letters']) {
      await this.database.query(`update ${stamped}.checkpoint set log_id = $1 where log_id is null`, [logId]);
    }
    const { log_id: stamped } = await this.stamp(schema);
    // Another process was faster, with another log.
    if (stamped !== null && stamped !== logId) throw another(logId, stamped);
  }

  /** Whether the last event of unstamped rows is in its place in the log. */
  private async holds(
    store: EventStoreDBClient,
    schema: string,
    stamp: Stamp,
    end: bigint,
  ): Promise<boolean> {
    const position = { commit: BigInt(stamp.commit), prepare: BigInt(stamp.prepare) };
    // Asked for a position beyond its end, EventStoreDB answers with an exception.
    if (end < position.commit) return false;
    const event = await eventAt(store, position);
    return event !== undefined && this.isInRows(schema, event);
  }

  /** Whether the rows contain the log's first borrow: then the log is theirs, and has lost its end. */
  private async isStartOfRows(store: EventStoreDBClient, schema: string): Promise<boolean> {
    let fromPosition: RecordedEvent['position'] | typeof START = START;
    for (;;) {
      const options = { direction: FORWARDS, fromPosition, maxCount: PAGE, requiresLeader: true } as const;
      const events: RecordedEvent[] = await retryWithDeadline(store, (waiting) =>
        collect(store.readAll(options), waiting),
      );
      const first = events.find(({ streamId }) => streamId.startsWith(BORROW_STREAM_PREFIX));
      if (first) return this.isInRows(schema, first);
      const last = events.at(-1)?.position;
      if (!last || events.length < PAGE) return false;
      fromPosition = last;
    }
  }

  private async isInRows(schema: string, { streamId, type, data }: RecordedEvent): Promise<boolean> {
    if (!streamId.startsWith(BORROW_STREAM_PREFIX)) return false;
    // An abandoned rent has no row, nor has a decision to set an event aside.
    if (type === 'RentAbandoned' || Object.hasOwn(STREAM_DECISIONS, type)) return true;
    const { borrowId } = z.object({ borrowId: z.uuid() }).parse(data);
    const row = await queryRow(
      this.database,
      z.object({ found: z.boolean() }),
      `select exists (select from ${schema}.borrow where borrow_id = $1) as found`,
      [borrowId],
    );
    return row?.found === true;
  }
}

const PAGE = 500;
