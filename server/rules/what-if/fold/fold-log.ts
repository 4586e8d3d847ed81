import { DomainError } from '#contracts/domain-error.js';
import { CATEGORIES, type CategoryName } from '#contracts/event-log/categories.js';
import { setAsideBy } from '#contracts/event-log/set-aside.js';
import { isReaderEventType, type ReaderEvent } from '#contracts/holds/reader-events.js';
import { LIBRARY } from '#contracts/rules/rule-events.js';
import { EventWithoutRent } from '#borrowing/borrow-state.js';
import { EventWithoutHold } from '#borrowing/hold-state.js';
import { isRuleEvent, RuleBook } from '#borrowing/rule-book.js';
import { Trial, type TrialOrder, type TrialResult } from '#borrowing/trial.js';
import { readAsCurrent, type EventLog, type LoggedEvent } from '#platform/event-log/event-log.js';
import { UnreadableEvent } from '#platform/event-log/upcast.js';

/** An event can be neither read nor applied, and no operator has set it aside. */
export class LogUnreadable extends Error {}

/** The log ended its answer before its end. */
export class LogBrokeOff extends Error {}

/** All of them, so that the last event of the log is among what is read. */
const ALL = Object.keys(CATEGORIES) as CategoryName[];

/**
 * Reads the log from its beginning to what is its end now, and folds it under other rules. Only reads.
 * @param progress called with the percentage of the log, each time that events have come
 * @throws LogUnreadable, LogBrokeOff; the log's error when it is unavailable
 */
export async function foldLog(
  log: EventLog,
  order: TrialOrder,
  progress: (percent: number) => void,
): Promise<TrialResult> {
  const stored = await log.readStream('rules', LIBRARY);
  const book = RuleBook.of(stored.map(({ event }) => event).filter(isRuleEvent));
  const end = await log.last();
  let setAside: ReadonlySet<string> = new Set();
  for (;;) {
    const reading = new Reading(new Trial(order, book), setAside);
    if (end) await reading.readTo(log, end.commit, progress);
    // An operator decided later on to leave out what was folded: that is rare, and the log is read again without it.
    if (reading.decidedLater.size === 0) return reading.finish();
    setAside = new Set([...setAside, ...reading.decidedLater]);
  }
}

/** One passage through the log. */
class Reading {
  /** Events that were folded, and that a later one sets aside. */
  readonly decidedLater = new Set<string>();
  /** Events that could not be folded, and that nothing has set aside yet. */
  private readonly failures = new Map<string, Error>();

  constructor(
    private readonly trial: Trial,
    private readonly setAside: ReadonlySet<string>,
  ) {}

  async readTo(log: EventLog, end: bigint, progress: (percent: number) => void): Promise<void> {
    const ending = new AbortController();
    try {
      for await (const events of log.followRecorded(ALL, undefined, ending.signal)) {
        for (const event of events) if (event.position.commit <= end) this.add(event);
        const reached = events.at(-1)?.position.commit ?? 0n;
        progress(end === 0n ? 100 : Math.min(100, Number((reached * 100n) / end)));
        if (reached >= end) return;
      }
      throw new LogBrokeOff('the event log ended its answer before its end');
    } finally {
      ending.abort();
    }
  }

  /** @throws LogUnreadable */
  finish(): TrialResult {
    const [failure] = this.failures.values();
    if (failure) throw new LogUnreadable(failure.message, { cause: failure });
    return this.trial.finish();
  }

  private add(recorded: LoggedEvent): void {
    if (recorded.category !== 'borrows' || this.setAside.has(recorded.id)) return;
    const decision = setAsideBy(recorded);
    if (decision) {
      const { eventId } = decision;
      if (!this.failures.delete(eventId) && !this.setAside.has(eventId)) this.decidedLater.add(eventId);
      return;
    }
    try {
      const { event } = readAsCurrent(recorded);
      if (isReaderEventType(event.type))
        this.trial.add(recorded.key, event as ReaderEvent, Number(recorded.revision));
    } catch (error) {
      if (!isOfEvent(error)) throw error;
      this.failures.set(recorded.id, error);
    }
  }
}

/** Whether an event is the trouble, which an operator can set aside. */
function isOfEvent(error: unknown): error is Error {
  return (
    error instanceof UnreadableEvent ||
    error instanceof EventWithoutRent ||
    error instanceof EventWithoutHold ||
    (error instanceof DomainError && error.code === 'HistoryUnreadable')
  );
}
