/** The thread that decodes and folds what another reads. It has nearly all of the work, on a core of its own. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { RuleBook } from '#circulation/rules/rule-book.js';
import { Simulation } from '#circulation/simulation/simulation.js';
import { encodedEvents, parsedEvent, type ParsedEvent } from '#platform/event-log/encoded-events.js';
import {
  END_OF_LOG,
  type FoldRequest,
  type FoldChunk,
  type FoldMessage,
  type FoldOutcome,
} from './simulation-messages.js';
import { DomainError } from '#contracts/domain-error.js';
import { skippedBy } from '#contracts/event-log/skipped-events.js';
import { isReaderEventType, type ReaderEvent } from '#contracts/holds/hold-events.js';
import { EventWithoutRent } from '#circulation/borrow/borrow-state.js';
import { EventWithoutHold } from '#circulation/borrow/hold-state.js';
import { currentEvent } from '#platform/event-log/event-log.js';
import { UnreadableEvent } from '#platform/event-log/upcast.js';

/** What one passage through the log comes to: it takes the events of readers' streams as recorded, in the log's order. */
class LogFold {
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

if (parentPort) foldFor(parentPort, workerData as FoldRequest);

function foldFor(reader: MessagePort, { order, rules, setAside, end }: FoldRequest): void {
  const report = (message: FoldMessage) => reader.postMessage(message);
  const fold = new LogFold(new Simulation(order, RuleBook.of(rules)), new Set(setAside));
  let reached = 0n;
  reader.on('message', (piece: FoldChunk | typeof END_OF_LOG) => {
    if (piece === END_OF_LOG) {
      report(reached < end ? { kind: 'broke-off' } : fold.outcome());
      reader.close();
      return;
    }
    for (const encoded of encodedEvents(piece)) {
      reached = BigInt(encoded.getCommitPosition());
      // What was appended since the trial began is none of its events.
      if (reached > end) break;
      const event = parsedEvent(encoded);
      if (event?.category === 'borrows') fold.add(event);
    }
    report({ kind: 'piece-done', reached });
  });
}
