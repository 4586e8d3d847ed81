import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import type { StoredHoldEvent } from '#platform/event-log/hold-events-in.js';
import type { Decisions } from '../decisions.js';
import { ApplicableHolds } from './applicable-holds.js';

/** What the functions of PostgreSQL take: events in the order of the log. */
function eventsOf(events: readonly StoredHoldEvent[]): string {
  return JSON.stringify(
    events.map(({ id, event: { type, data }, revision, position }) => ({
      ...{ id, type, data },
      revision: revision.toString(),
      position: position.commit.toString(),
    })),
  );
}

/**
 * Writes down what events of holds say, and gives copies that are free to who waits now. Part of the transaction that moves the
 * checkpoint. An event that a row contains changes nothing, so two releases may do it side by side.
 * @returns the books whose holds changed
 */
export async function settleHolds(
  connection: Queryable,
  events: readonly StoredHoldEvent[],
): Promise<number[]> {
  if (events.length === 0) return [];
  const row = await queryRow(connection, z.object({ books: z.array(z.int()) }), {
    name: 'settle-holds',
    text: 'select settle_holds($1::jsonb) as books',
    values: [eventsOf(events)],
  });
  return row?.books ?? [];
}

/** Makes the table of holds anew from all events of holds that there are. Part of the caller's transaction. */
export async function replayHolds(
  connection: Queryable,
  events: readonly StoredHoldEvent[],
  decisions: Decisions,
): Promise<void> {
  const applicable = await new ApplicableHolds(decisions).of(events);
  await connection.query('select replay_holds($1::jsonb)', [
    eventsOf(applicable.map(({ stored }) => stored)),
  ]);
}
