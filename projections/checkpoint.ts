import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import type { LogPosition } from '#platform/event-log/event-log.js';

/** The position up to which a schema's rows contain the log. */
export interface Checkpoint {
  /** `undefined` before the first event. */
  position: LogPosition | undefined;
  /** Number of events in the rows. */
  events: bigint;
}

const checkpointRow = z.object({
  commit_position: z.coerce.bigint(),
  prepare_position: z.coerce.bigint(),
  events: z.coerce.bigint(),
});

/** Reads the checkpoint of a schema. */
export async function readCheckpoint(connection: Queryable, schema: string): Promise<Checkpoint> {
  const row = await queryRow(
    connection,
    checkpointRow,
    `select commit_position, prepare_position, events from ${schema}.checkpoint`,
  );
  if (!row) throw new Error(`${schema}.checkpoint has lost its row`);
  const { commit_position: commit, prepare_position: prepare, events } = row;
  return { position: commit < 0n ? undefined : { commit, prepare }, events };
}

/** A place in the log: that of an event. */
export interface EventAt {
  readonly id: string;
  readonly position: LogPosition;
}

/** A step of the checkpoint, from where it is expected to be. */
export interface CheckpointStep {
  from: LogPosition | undefined;
  /** The last event of the step. */
  to: EventAt;
  events: number;
  /** The log that the events came from; nothing where nobody asked which one it is. */
  logId: string | undefined;
}

/** The assignments of a step, and the condition under which it is made. */
export const STEP = {
  set: 'commit_position = $1, prepare_position = $2, last_event = $3, last_event_at = $1, events = events + $4',
  where: 'commit_position = $5 and ($6::uuid is null or log_id = $6)',
};

/** The parameters of `STEP`. */
export function stepValues({ from, to, events, logId }: CheckpointStep): unknown[] {
  const { commit, prepare } = to.position;
  return [String(commit), String(prepare), to.id, events, String(from?.commit ?? -1n), logId ?? null];
}

/**
 * Moves the checkpoint, if it is still where the caller expects it, and of the log that the caller has the events from.
 * @returns whether it was; if not, another process has applied these events, or another log was taken up
 */
export async function moveCheckpoint(
  connection: Queryable,
  schema: string,
  step: CheckpointStep,
): Promise<boolean> {
  const { rowCount } = await connection.query({
    name: `checkpoint-${schema}`,
    text: `update ${schema}.checkpoint set ${STEP.set} where ${STEP.where}`,
    values: stepValues(step),
  });
  return rowCount === 1;
}
