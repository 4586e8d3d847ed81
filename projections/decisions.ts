import { streamNamed, streamOf } from '#contracts/event-log/categories.js';
import { eventMetadataSchema } from '#contracts/event-entry.js';
import { setAsideBy, type EventSetAside } from '#contracts/event-log/set-aside.js';
import type { EventLog, LogPosition, StoredEvent } from '#platform/event-log/event-log.js';
import { UnreadableEvent, type EventPlace } from '#platform/event-log/upcast.js';

/** An event that is left out, or that was: only its place counts. */
export interface LeftOut {
  readonly id: string;
  readonly position: LogPosition;
  readonly event: undefined;
}

/** The events that are not left out. */
export function storedAmong(events: readonly (StoredEvent | LeftOut)[]): StoredEvent[] {
  return events.filter((each): each is StoredEvent => each.event !== undefined);
}

/** A decision sets an event aside that this release can apply, and did: another one could not. All begins anew. */
export class DecidedLater extends Error {}

/** What was decided of the event at a revision of a stream. */
export interface KnownDecision {
  stream: string;
  revision: number;
  code: SetAside['code'];
  /** ISO time. */
  at: string;
  /** Who decided, as the log names him. */
  by: string;
  decisionId: string;
}
type SetAside = EventSetAside['data'];

/** What operators decided of events: they are in the streams that they speak of, and are looked for where one is needed. */
export class Decisions {
  private readonly setAside = new Map<string, KnownDecision>();

  constructor(private readonly log: EventLog) {}

  /** Whether it is known that the event is set aside. */
  has(eventId: string): boolean {
    return this.setAside.has(eventId);
  }

  /** All that are known. */
  get known(): readonly KnownDecision[] {
    return [...this.setAside.values()];
  }

  /** Looks through the rest of its stream for a decision that sets the event aside. */
  async find({ stream, revision }: Pick<EventPlace, 'stream' | 'revision'>): Promise<boolean> {
    const named = streamNamed(stream);
    if (!named) return false;
    const later = await this.log.readRecorded(named.category, named.key, revision + 1n);
    for (const recorded of later) {
      const decision = setAsideBy(recorded);
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
   * Takes note of the decisions among events.
   * @throws DecidedLater
   */
  learn(events: readonly (StoredEvent | LeftOut)[]): void {
    for (const stored of storedAmong(events)) {
      if (stored.event.type !== 'EventSetAside') continue;
      const { eventId } = stored.event.data;
      const isApplied = !this.has(eventId) && !events.some(({ id }) => id === eventId);
      this.note(streamOf(stored.category, stored.key), stored.id, stored.event.data, stored.metadata.actor);
      if (isApplied) throw new DecidedLater();
    }
  }

  private note(
    stream: string,
    id: string,
    { revision, eventId, code, setAsideAt }: SetAside,
    by: string,
  ): void {
    this.setAside.set(eventId, { stream, revision, code, at: setAsideAt, by, decisionId: id });
  }

  /**
   * As `EventLog.read`; an event that cannot be read and is set aside is left out.
   * @throws UnreadableEvent where nobody decided
   */
  async *read(
    after: LogPosition | undefined,
    until: bigint,
    signal: AbortSignal,
  ): AsyncGenerator<StoredEvent | LeftOut> {
    let position = after;
    for (;;) {
      try {
        for await (const event of this.log.read(['borrows'], position, until, signal)) {
          yield this.has(event.id) ? { id: event.id, position: event.position, event: undefined } : event;
          position = event.position;
        }
        return;
      } catch (error) {
        if (!(error instanceof UnreadableEvent && error.place)) throw error;
        if (!(await this.find(error.place))) throw error;
        position = error.place.position;
        yield { id: error.place.id, position, event: undefined };
      }
    }
  }
}
