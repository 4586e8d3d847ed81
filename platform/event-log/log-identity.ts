import {
  BACKWARDS,
  END,
  FORWARDS,
  UnknownError,
  type EventStoreDBClient,
  type Position,
  type RecordedEvent,
} from '@eventstore/db-client';
import { z } from 'zod';
import type { Queryable } from '../database/database.js';
import { queryRow, queryRows } from '../database/query-rows.js';
import { ReadModelSchema } from '../database/read-model-schema.js';
import {
  otherLog,
  divergedLog,
  movedLog,
  truncatedLog,
  unfinishedMove,
  type ExpectedLog,
  type LogPlace,
  type LogProof,
} from './log-proof.js';
import { LogRecord } from './log-record.js';
import { collect, retryWithDeadline } from './retry-with-deadline.js';

const stampRow = z.object({
  log_id: z.string().nullable(),
  commit: z.string(),
  prepare: z.string(),
  event: z.string().nullable(),
});
type Stamp = z.output<typeof stampRow>;

/** A checkpoint as a `Stamp`. Where letters begin in an adopted log, it was moved without an event. */
const stampOf = (schema: string) =>
  `select log_id, case when last_event_at = commit_position then last_event end as event,
     commit_position::text as commit, prepare_position::text as prepare
   from ${schema}.checkpoint`;

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

  /** For new rows, which have no stamp yet. */
  private async recognise(store: EventStoreDBClient, schema: string): Promise<string | undefined> {
    const record = new LogRecord(store);
    const self = await record.read();
    if (self?.moved) throw movedLog(self.moved);
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
    for (const stamped of [schema, 'letters']) {
      await this.database.query(`update ${stamped}.checkpoint set log_id = $1 where log_id is null`, [logId]);
    }
    const { log_id: stamped } = await this.stamp(schema);
    // Another process was faster, with another log.
    if (stamped !== null && stamped !== logId) throw otherLog(logId, stamped);
  }
}

/**
 * Compares the log of a store with what it must be.
 * @returns its identity
 * @throws WrongLog; the error of the store when it is unavailable
 */
export async function proveLog(store: EventStoreDBClient, { logId, reached }: ExpectedLog): Promise<string> {
  const self = await new LogRecord(store).read();
  if (self?.moved) throw movedLog(self.moved);
  if (self?.logId !== logId)
    throw self?.continued?.from === logId ? unfinishedMove() : otherLog(self?.logId, logId);
  const end = await endOf(store);
  for (const { commit } of reached) if (end < BigInt(commit)) throw truncatedLog(end, BigInt(commit));
  for (const { commit, prepare, event } of reached) {
    if (event === null) continue;
    const position = { commit: BigInt(commit), prepare: BigInt(prepare) };
    if ((await eventAt(store, position))?.id !== event) throw divergedLog(position.commit);
  }
  return logId;
}

/** Where a log ends; -1 if it is empty. A cluster's follower may lag, and its log seem shorter than it is. */
async function endOf(store: EventStoreDBClient): Promise<bigint> {
  const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true } as const;
  const [last] = await retryWithDeadline(store, (waiting) => collect(store.readAll(newest), waiting));
  return last?.position?.commit ?? -1n;
}

/**
 * The event at a position before the end of the log.
 * @returns nothing if none begins there
 */
async function eventAt(store: EventStoreDBClient, position: Position): Promise<RecordedEvent | undefined> {
  const from = { direction: FORWARDS, fromPosition: position, maxCount: 1, requiresLeader: true } as const;
  try {
    const [event] = await retryWithDeadline(store, (waiting) => collect(store.readAll(from), waiting));
    return event?.position?.commit === position.commit ? event : undefined;
  } catch (error) {
    // EventStoreDB fails where the position lies within an event.
    if (error instanceof UnknownError) return undefined;
    throw error;
  }
}
