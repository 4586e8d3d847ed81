import { z } from 'zod';
import { holdEnd, holdEventTime } from '#contracts/holds/hold-events.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import type { StoredHoldEvent } from '#platform/event-log/reader-events-in.js';
import { allocationsSettled, type PlacedEvent } from '../borrowing/borrow-batch.js';
import type { Decisions } from '../decisions.js';
import { placeOfStored } from '#platform/event-log/event-log.js';
import { EventWithoutHold, evolveHold, type Hold } from '#circulation/borrow/hold-state.js';

/** What the functions of PostgreSQL take: events in the order of the log. */
export function eventsOf(events: readonly Pick<StoredHoldEvent, 'id' | 'event' | 'revision'>[]): string {
  return JSON.stringify(
    events.map(({ id, event, revision }) => ({
      ...{ id, ...event, revision: revision.toString() },
      ...{ at: holdEventTime(event), ended_as: holdEnd(event) },
    })),
  );
}

/**
 * Locks the titles of a batch with events of holds, all at once and in the order in which rents do: what comes back and what is
 * given on would otherwise be locked one after the other.
 */
export async function lockTitles(
  connection: Queryable,
  borrowed: readonly PlacedEvent[],
  held: readonly StoredHoldEvent[],
): Promise<void> {
  if (held.length === 0) return;
  const { released, bound } = allocationsSettled(borrowed);
  await connection.query({
    name: 'lock-titles',
    text: `
      select from book where id = any($4::integer[])
        or id in (select h.book_id from hold h where h.hold_id = any($3::uuid[]))
        or id in (
          select a.book_id from copy_allocation a
          join unnest($1::uuid[], $2::integer[]) as r (borrow_id, book_id)
            on r.borrow_id = a.borrow_id and (r.book_id is null or r.book_id = a.book_id))
      order by id for no key update`,
    values: [
      released.map(([borrowId]) => borrowId),
      released.map(([, bookId]) => bookId),
      held.map(({ event }) => event.data.holdId),
      [
        ...bound.map(([, bookId]) => bookId),
        ...held.flatMap(({ event: { type, data } }) => (type === 'HoldPlaced' ? data.bookId : [])),
      ],
    ],
  });
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

/** Folds the events of holds from the beginning of the log on, and leaves out those that are skipped. */
export class ApplicableHolds {
  private readonly holds = new Map<string, Hold | undefined>();

  constructor(private readonly decisions: Decisions) {}

  /**
   * Those of the next events that have an effect, each with the hold after it; nothing where that is over.
   * @throws EventWithoutHold without a decision
   */
  async of(
    events: readonly StoredHoldEvent[],
  ): Promise<{ stored: StoredHoldEvent; hold: Hold | undefined }[]> {
    const applicable: { stored: StoredHoldEvent; hold: Hold | undefined }[] = [];
    for (const stored of events) {
      const { id, event, revision } = stored;
      if (this.decisions.has(id)) continue;
      const { holdId } = event.data;
      try {
        const hold = evolveHold(this.holds.get(holdId), event, Number(revision));
        this.holds.set(holdId, hold);
        applicable.push({ stored, hold });
      } catch (error) {
        if (!(error instanceof EventWithoutHold)) throw error;
        if (!(await this.decisions.find(placeOfStored(stored)))) throw error;
      }
    }
    return applicable;
  }
}
