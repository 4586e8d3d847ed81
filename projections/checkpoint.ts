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

/**
 * Moves the checkpoint, if it is still where the caller expects it.
 * @returns whether it was; if not, another process has applied these events
 */
export async function moveCheckpoint(
  connection: Queryable,
  schema: string,
  from: LogPosition | undefined,
  to: LogPosition,
  events: number,
): Promise<boolean> {
  const { rowCount } = await connection.query({
    name: `checkpoint-${schema}`,
    text: `update ${schema}.checkpoint
      set commit_position = $1, prepare_position = $2, events = events + $3 where commit_position = $4`,
    values: [to.commit.toString(), to.prepare.toString(), events, (from?.commit ?? -1n).toString()],
  });
  return rowCount === 1;
}
