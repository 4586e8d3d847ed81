import { randomUUID } from 'node:crypto';
import * as m from '#words/messages.js';
import { isBorrowEventType, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { isHoldEventType, type HoldEvent } from '#contracts/holds/hold-events.js';
import { streamNamed, type CategoryName } from '#contracts/event-log/categories.js';
import { withoutSkipped, type EventSkipped } from '#contracts/event-log/skipped-events.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import {
  readAsCurrent,
  RevisionConflict,
  type EventLog,
  type LoggedEvent,
} from '#platform/event-log/event-log.js';
import { UnreadableEvent } from '#platform/event-log/upcast.js';
import { EventWithoutRent, evolveBorrow, type Borrow } from '#circulation/borrow/borrow-state.js';
import { EventWithoutHold, evolveHold, type Hold } from '#circulation/borrow/hold-state.js';

/** The actor of a decision without a named author. */
const COMMAND_LINE = 'command line';

/** An event that can be neither read nor applied, and has no decision. */
export interface UndecidedEvent {
  category: CategoryName;
  key: string;
  id: string;
  type: string;
  revision: bigint;
  position: bigint;
  created: Date;
  /** Why it cannot be applied. */
  why: string;
  /** Of the stream when it was checked: the decision is appended right after it or not at all. */
  lastRevision: bigint;
}

export interface Decision {
  code: EventSkipped['data']['code'];
  /** Free text: kept beside the log, where it can be erased. */
  reason: string;
  /** The author's pseudonym; nothing for the command line. */
  by: string | null;
  at: Date;
}

/**
 * The event to skip.
 * @throws an Error with a sentence for the operator, if it may not be skipped
 */
export async function findUndecided(
  log: EventLog,
  stream: string,
  revision: bigint,
): Promise<UndecidedEvent> {
  const named = streamNamed(stream);
  if (!named) throw new Error(m.cli_skip_no_such_stream({ stream }));
  const { category, key } = named;
  const recorded = await log.readRecorded(category, key, 0n);
  const last = recorded.at(-1);
  if (!last) throw new Error(m.cli_skip_no_stream({ stream }));
  const found = recorded.find((event) => event.revision === revision);
  if (!found) {
    const there = { stream, revision: String(revision), last: String(last.revision) };
    throw new Error(m.cli_skip_no_event(there));
  }
  const what = { type: found.type, revision: String(revision), stream };
  const counted = withoutSkipped(recorded);
  if (!counted.includes(found)) throw new Error(m.cli_skip_already(what));
  const why = whyNot(counted, found);
  if (why === undefined) throw new Error(m.cli_skip_applicable(what));
  return {
    ...{ category, key, revision, why, lastRevision: last.revision },
    ...{ id: found.id, type: found.type, position: found.position.commit, created: found.created },
  };
}

const NOT_APPLIED = [UnreadableEvent, EventWithoutRent, EventWithoutHold];

/** Why an event cannot be applied to the state before it; nothing if it can. */
function whyNot(counted: readonly LoggedEvent[], wanted: LoggedEvent): string | undefined {
  const borrows = new Map<string, Borrow | undefined>();
  const holds = new Map<string, Hold | undefined>();
  for (const recorded of counted) {
    try {
      const { event } = readAsCurrent(recorded);
      if (isBorrowEventType(event.type)) {
        const { data } = event as BorrowEvent;
        const before = borrows.get(data.borrowId);
        borrows.set(data.borrowId, evolveBorrow(before, event as BorrowEvent, Number(recorded.revision)));
      } else if (isHoldEventType(event.type)) {
        const { holdId } = (event as HoldEvent).data;
        const after = evolveHold(holds.get(holdId), event as HoldEvent, Number(recorded.revision));
        holds.set(holdId, after);
      }
    } catch (error) {
      if (!NOT_APPLIED.some((kind) => error instanceof kind)) throw error;
      // An earlier event that fails too needs a decision of its own.
      if (recorded === wanted) return (error as Error).message;
    }
    if (recorded === wanted) return undefined;
  }
  return undefined;
}

/**
 * Appends the decision to the event's own stream, and stores its reason beside the log.
 * @throws an Error with a sentence if the stream has moved on since it was checked; DomainError EventStoreUnavailable
 */
export async function skipEvent(
  log: EventLog,
  database: Database,
  { category, key, revision, id, lastRevision }: UndecidedEvent,
  { code, reason, by, at }: Decision,
): Promise<void> {
  const decisionId = randomUUID();
  const decision: EventSkipped = {
    type: 'EventSkipped',
    data: { revision: Number(revision), eventId: id, code, skippedAt: at.toISOString() },
  };
  const metadata = {
    ...{ actor: by ?? COMMAND_LINE, $correlationId: decisionId, $causationId: decisionId },
    ...{ commandId: decisionId, commandDigest: 'skip-event' },
  };
  await inTransaction(database, async (transaction) => {
    // An account that is gone has nobody's words to take with it.
    await transaction.query(
      `insert into event_note (event_id, note, written_by, about)
       values ($1, $2, $3, (select pseudonym from account where pseudonym::text = $4))`,
      [decisionId, reason, by, key],
    );
    try {
      await log.append(category, key, [{ id: decisionId, event: decision, metadata }], lastRevision);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      throw new Error(m.cli_skip_look_again(), { cause: error });
    }
  });
}
