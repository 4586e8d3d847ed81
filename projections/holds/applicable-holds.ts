import type { StoredHoldEvent } from '#platform/event-log/hold-events-in.js';
import { placeOfStored } from '#platform/event-log/event-log.js';
import { EventWithoutHold, evolveHold, type Hold } from '#circulation/borrow/hold-state.js';
import type { Decisions } from '../decisions.js';

/** Folds the events of holds from the beginning of the log on, and leaves out those that are set aside. */
export class ApplicableHolds {
  private readonly holds = new Map<string, Hold | undefined>();

  constructor(private readonly decisions: Decisions) {}

  /**
   * Those of the next events that have an effect, each with the hold after it; nothing where that is over.
   * @throws EventWithoutHold without a decision
   */
  async of(
    events: readonly StoredHoldEvent[],
  ): Promise<{ stored: StoredHoldEvent; hold: Hold | undefined }[]> {
    const applicable: { stored: StoredHoldEvent; hold: Hold | undefined }[] = [];
    for (const stored of events) {
      const { id, event, revision } = stored;
      if (this.decisions.has(id)) continue;
      const { holdId } = event.data;
      try {
        const hold = evolveHold(this.holds.get(holdId), event, Number(revision));
        this.holds.set(holdId, hold);
        applicable.push({ stored, hold });
      } catch (error) {
        if (!(error instanceof EventWithoutHold)) throw error;
        if (!(await this.decisions.find(placeOfStored(stored)))) throw error;
      }
    }
    return applicable;
  }
}
