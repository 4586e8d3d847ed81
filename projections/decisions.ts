import { PROJECTED, streamNamed, streamOf } from '#contracts/event-log/categories.js';
import { eventMetadataSchema } from '#contracts/event-entry.js';
import { skippedBy, type EventSkipped } from '#contracts/event-log/skipped-events.js';
import {
  type EventLog,
  type LogPosition,
  type StoredEvent,
  placeOfStored,
} from '#platform/event-log/event-log.js';
import { UnreadableEvent, type EventPlace } from '#platform/event-log/upcast.js';
import type { StoredBorrowEvent } from '#platform/event-log/reader-events-in.js';
import { foldBatch, type BorrowBatch, EventNotApplied } from './borrowing/borrow-batch.js';
import type { BorrowRow } from '#platform/database/read-model.js';

/** An event with its place, which is all that a decision refers to. */
export interface EventReference {
  readonly id: string;
  readonly position: LogPosition;
  readonly event: undefined;
}

/** The events that are not skipped. */
export function withoutSkippedEvents(events: readonly (StoredEvent | EventReference)[]): StoredEvent[] {
  return events.filter((each): each is StoredEvent => each.event !== undefined);
}

/** A decision skips an event that this release could apply and did. Folding starts over. */
export class SkippedLater extends Error {}

/** The decision about the event at a revision of a stream. */
export interface KnownDecision {
  stream: string;
  revision: number;
  code: SetAside['code'];
  /** ISO time. */
  at: string;
  /** Its author's pseudonym in the log. */
  by: string;
  decisionId: string;
}
type SetAside = EventSkipped['data'];

/** Operators' decisions about events. They are in the streams of those events, and are looked up when needed. */
export class Decisions {
  private readonly skipped = new Map<string, KnownDecision>();

  constructor(private readonly log: EventLog) {}

  /** Whether a known decision skips the event. */
  has(eventId: string): boolean {
    return this.skipped.has(eventId);
  }

  /** All known decisions. */
  get known(): readonly KnownDecision[] {
    return [...this.skipped.values()];
  }

  /** Searches the rest of its stream for a decision that skips the event. */
  async find({ stream, revision }: Pick<EventPlace, 'stream' | 'revision'>): Promise<boolean> {
    const named = streamNamed(stream);
    if (!named) return false;
    const later = await this.log.readRecorded(named.category, named.key, revision + 1n);
    for (const recorded of later) {
      const decision = skippedBy(recorded);
      if (decision && BigInt(decision.revision) === revision) {
        const actor = eventMetadataSchema.shape.actor.safeParse(
          (recorded.metadata as { actor?: unknown })?.actor,
        );
        this.note(stream, recorded.id, decision, actor.data ?? 'unknown');
        return true;
      }
    }
    return false;
  }

  /**
   * Records the decisions among events.
   * @throws SkippedLater
   */
  learn(events: readonly (StoredEvent | EventReference)[]): void {
    for (const stored of withoutSkippedEvents(events)) {
      if (stored.event.type !== 'EventSkipped') continue;
      const { eventId } = stored.event.data;
      const isApplied = !this.has(eventId) && !events.some(({ id }) => id === eventId);
      this.note(streamOf(stored.category, stored.key), stored.id, stored.event.data, stored.metadata.actor);
      if (isApplied) throw new SkippedLater();
    }
  }

  private note(
    stream: string,
    id: string,
    { revision, eventId, code, skippedAt }: SetAside,
    by: string,
  ): void {
    this.skipped.set(eventId, { stream, revision, code, at: skippedAt, by, decisionId: id });
  }

  /**
   * As `EventLog.read`, without unreadable events that are skipped.
   * @throws UnreadableEvent without a decision
   */
  async *read(
    after: LogPosition | undefined,
    until: bigint,
    signal: AbortSignal,
  ): AsyncGenerator<(StoredEvent | EventReference)[]> {
    let position = after;
    for (;;) {
      try {
        for await (const events of this.log.read(PROJECTED, position, until, signal)) {
          yield events.map((event) => (this.has(event.id) ? leftOut(event) : event));
          position = events.at(-1)?.position ?? position;
        }
        return;
      } catch (error) {
        if (!(error instanceof UnreadableEvent && error.place)) throw error;
        if (!(await this.find(error.place))) throw error;
        position = error.place.position;
        yield [leftOut(error.place)];
      }
    }
  }
}

function leftOut({ id, position }: Pick<EventPlace, 'id' | 'position'>): EventReference {
  return { id, position, event: undefined };
}

/**
 * As `foldBatch`, without the events that are skipped.
 * @throws EventNotApplied without a decision
 */
export async function foldWithoutSkipped(
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
