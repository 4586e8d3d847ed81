import type { StoredBorrowEvent } from '#platform/event-log/borrow-events-in.js';
import { placeOfStored } from '#platform/event-log/event-log.js';
import { foldBatch, type BorrowBatch } from './borrowing/borrow-batch.js';
import type { BorrowRow } from '#platform/database/read-model.js';
import { EventNotApplied } from './borrowing/borrow-row.js';
import type { Decisions } from './decisions.js';

/**
 * As `foldBatch`, without the events that are set aside.
 * @throws EventNotApplied without a decision
 */
export async function foldDecided(
  events: readonly StoredBorrowEvent[],
  before: ReadonlyMap<string, BorrowRow>,
  decisions: Decisions,
): Promise<BorrowBatch> {
  for (;;) {
    try {
      return foldBatch(
        events.filter(({ id }) => !decisions.has(id)),
        before,
      );
    } catch (error) {
      if (!(error instanceof EventNotApplied)) throw error;
      const failed = events.find(({ position }) => position.commit === error.placed.position.commit);
      if (!failed || decisions.has(failed.id) || !(await decisions.find(placeOfStored(failed)))) throw error;
    }
  }
}
