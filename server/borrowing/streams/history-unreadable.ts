import { DomainError } from '#contracts/domain-error.js';
import { UnreadableEvent } from '#platform/event-log/upcast.js';
import { EventWithoutRent } from '#circulation/borrow/borrow-state.js';
import { EventWithoutHold } from '#circulation/borrow/hold-state.js';

const UNREADABLE = [UnreadableEvent, EventWithoutRent, EventWithoutHold];

/**
 * Reads and folds a reader's events.
 * @throws DomainError HistoryUnreadable, naming the event that cannot be read or applied: without a complete state,
 *   nothing is decided or shown
 */
export async function readable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!UNREADABLE.some((kind) => error instanceof kind)) throw error;
    const refusal = new DomainError(
      'HistoryUnreadable',
      `${(error as Error).message}. Nothing was changed. Please tell whoever runs the library's server: the event has to be looked at.`,
    );
    refusal.cause = error;
    throw refusal;
  }
}
