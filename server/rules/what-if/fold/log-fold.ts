import { DomainError } from '#contracts/domain-error.js';
import { skippedBy } from '#contracts/event-log/skipped-events.js';
import { isReaderEventType, type ReaderEvent } from '#contracts/holds/hold-events.js';
import { EventWithoutRent } from '#circulation/borrow/borrow-state.js';
import { EventWithoutHold } from '#circulation/borrow/hold-state.js';
import type { Simulation } from '#circulation/simulation/simulation.js';
import type { ParsedEvent } from '#platform/event-log/encoded-events.js';
import { currentEvent } from '#platform/event-log/event-log.js';
import { UnreadableEvent } from '#platform/event-log/upcast.js';
import type { FoldOutcome } from './fold-messages.js';

/** What one passage through the log comes to: it takes the events of readers' streams as recorded, in the log's order. */
export class LogFold {
  /** Events that were folded, and that a later one skips. */
  private readonly decidedLater = new Set<string>();
  /** Events that could not be folded, and that nothing has skipped yet. */
  private readonly failures = new Map<string, Error>();

  /** @param skipEvent the ids of events that are left out */
  constructor(
    private readonly simulation: Simulation,
    private readonly setAside: ReadonlySet<string>,
  ) {}

  add(recorded: ParsedEvent): void {
    const { id, key, revision } = recorded;
    if (this.setAside.has(id)) return;
    const decision = skippedBy(recorded);
    if (decision) {
      const { eventId } = decision;
      if (!this.failures.delete(eventId) && !this.setAside.has(eventId)) this.decidedLater.add(eventId);
      return;
    }
    try {
      const { event } = currentEvent('borrows', recorded);
      if (isReaderEventType(event.type)) this.simulation.add(key, event as ReaderEvent, Number(revision));
    } catch (error) {
      if (!isOfEvent(error)) throw error;
      this.failures.set(id, error);
    }
  }

  outcome(): FoldOutcome {
    if (this.decidedLater.size > 0) return { kind: 'skipped-later', events: [...this.decidedLater] };
    const [failure] = this.failures.values();
    if (failure) return { kind: 'unreadable', message: failure.message };
    return { kind: 'folded', result: this.simulation.finish() };
  }
}

/** Whether an event is the trouble, which an operator can skipped. */
function isOfEvent(error: unknown): error is Error {
  return (
    error instanceof UnreadableEvent ||
    error instanceof EventWithoutRent ||
    error instanceof EventWithoutHold ||
    (error instanceof DomainError && error.code === 'HistoryUnreadable')
  );
}
