import { v5 as uuidFromName } from 'uuid';
import { borrowEventTime, copyEffect, doneBy, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { Queryable } from '#platform/database/database.js';
import type { StoredBorrowEvent } from '#platform/event-log/reader-events-in.js';

/** What an event says of the copy of a book that was lost or damaged; nothing if it is about no loss. */
function lossOf(event: BorrowEvent) {
  const effect = copyEffect(event);
  if (effect === null || !('loss' in effect)) return undefined;
  const { loss: what, bookId } = effect;
  return { what, borrowId: event.data.borrowId, bookId, by: doneBy(event), at: borrowEventTime(event) };
}

export function isLossEvent({ event }: { event: BorrowEvent }): boolean {
  return lossOf(event) !== undefined;
}

/**
 * Takes the copies of lost and damaged books out of their count, and puts back those that were found, in their order: rows, counters, allocations,
 * and the copies' own events, which are left for their outbox. They are part of the transaction that moves the checkpoint, so
 * each has its effect once, whatever process dies. The events' ids follow from those of the borrows' events.
 * @returns the books whose copies are others
 */
export async function settleLosses(
  connection: Queryable,
  events: readonly StoredBorrowEvent[],
): Promise<number[]> {
  const losses = events.flatMap(({ id, event, metadata }) => {
    const loss = lossOf(event);
    if (!loss) return [];
    const { actor, $correlationId, commandId, commandDigest } = metadata;
    return {
      ...loss,
      eventId: uuidFromName('copy', id),
      metadata: { actor, $correlationId, $causationId: id, commandId, commandDigest },
    };
  });
  if (losses.length === 0) return [];
  for (const loss of losses) {
    if (loss.what === 'lost again') await connection.query('select lose_again($1)', [loss]);
    else await connection.query('select settle_losses($1::jsonb)', [JSON.stringify([loss])]);
  }
  return losses.map(({ bookId }) => bookId);
}
