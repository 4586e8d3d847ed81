import { v5 as uuidFromName } from 'uuid';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { Queryable } from '#platform/database/database.js';
import type { StoredBorrowEvent } from '#platform/event-log/borrow-events-in.js';

/** What an event says of the copy of a book that was lost or damaged; nothing if it is about no loss. */
function lossOf({ type, data }: BorrowEvent) {
  if (type === 'BookLost' || type === 'BookDamaged') {
    const { borrowId, bookId, reportedBy: by, reportedAt: at } = data;
    return { what: type === 'BookLost' ? 'lost' : 'damaged', borrowId, bookId, by, at };
  }
  if (type === 'LostBookFound') {
    const { borrowId, bookId, foundBy: by, foundAt: at } = data;
    return { what: 'found', borrowId, bookId, by, at };
  }
  if (type === 'FindingUndone') {
    const { borrowId, bookId, undoneBy: by, undoneAt: at } = data;
    return { what: 'lost again', borrowId, bookId, by, at };
  }
  if (type !== 'LossUndone') return undefined;
  const { borrowId, bookId, undoneBy: by, undoneAt: at } = data;
  return { what: 'undone', borrowId, bookId, by, at };
}

export function isOfLoss({ event }: { event: BorrowEvent }): boolean {
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
