import { streamNamed } from '#contracts/event-log/categories.js';
import { setAsideBy } from '#contracts/event-log/set-aside.js';
import type { EventLog, LogPosition, StoredEvent } from '#platform/event-log/event-log.js';
import { UnreadableEvent, type EventPlace } from '#platform/event-log/upcast.js';

/** An event that is left out, or that was: only its place counts. */
export interface LeftOut {
  readonly id: string;
  readonly position: LogPosition;
  readonly event: undefined;
}

/** What operators decided of events: they are in the streams that they speak of, and are looked for where one is needed. */
export class Decisions {
  private readonly setAside = new Set<string>();

  constructor(private readonly log: EventLog) {}

  /** Whether it is known that the event is set aside. */
  has(eventId: string): boolean {
    return this.setAside.has(eventId);
  }

  /** Looks through the rest of its stream for a decision that sets the event aside. */
  async find({ stream, revision }: Pick<EventPlace, 'stream' | 'revision'>): Promise<boolean> {
    const named = streamNamed(stream);
    if (!named) return false;
    const later = await this.log.readRecorded(named.category, named.key, revision + 1n);
    for (const recorded of later) {
      const decision = setAsideBy(recorded);
      if (decision && BigInt(decision.revision) === revision) {
        this.setAside.add(decision.eventId);
        return true;
      }
    }
    return false;
  }

  /**
   * Takes note of the decisions among events.
   * @returns whether one names an event that was not known to be set aside: it was applied, as a release that knows it can
   */
  learn(events: readonly (StoredEvent | LeftOut)[]): boolean {
    const { size } = this.setAside;
    for (const { event } of events) {
      if (event?.type === 'EventSetAside') this.setAside.add(event.data.eventId);
    }
    return this.setAside.size > size;
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
