import type { HoldEvent } from '#contracts/holds/hold-events.js';
import type { BookKind } from '#contracts/rules/kinds.js';

/** A hold of a reader that is not over, folded from its events. Times are ISO 8601 in UTC. */
export interface Hold {
  readonly id: string;
  readonly bookId: number;
  readonly title: string;
  /** Of the book, as it was reserved; absent for one that is `loanable`. */
  readonly bookKind?: BookKind;
  /** Ready: the rent `borrowId` keeps a copy for him. */
  readonly state: 'waiting' | 'paused' | 'ready';
  readonly placedAt: string;
  readonly pausedUntil: string | null;
  readonly neededUntil: string | null;
  readonly borrowId: string | null;
  /** Of its last event, in the reader's stream. */
  readonly revision: number;
}

/** An event of a hold that was not placed, or is over. Its effect is unknown, so nothing is decided, shown or skipped. */
export class EventWithoutHold extends Error {
  constructor(readonly event: HoldEvent) {
    super(`${event.type} of hold ${event.data.holdId}, which waits for nothing`);
    this.name = 'EventWithoutHold';
  }
}

/**
 * The one fold of a hold: what it is after one of its events.
 * @returns nothing when it is over
 * @throws EventWithoutHold
 */
export function evolveHold(before: Hold | undefined, event: HoldEvent, revision: number): Hold | undefined {
  const { type, data } = event;
  if (type === 'HoldPlaced') {
    const { holdId: id, bookId, title, bookKind, placedAt, neededUntil } = data;
    return {
      ...{ id, bookId, title, placedAt, neededUntil, revision },
      ...(bookKind && { bookKind }),
      ...{ state: 'waiting', pausedUntil: null, borrowId: null },
    };
  }
  if (!before) throw new EventWithoutHold(event);
  const hold = { ...before, revision };
  switch (type) {
    case 'HoldPaused':
      return { ...hold, state: 'paused', pausedUntil: data.until };
    case 'HoldResumed':
      return { ...hold, state: 'waiting', pausedUntil: null };
    case 'HoldNeededUntil':
      return { ...hold, neededUntil: data.neededUntil };
    case 'HoldMoved':
      return hold;
    case 'HoldReady':
      return { ...hold, state: 'ready', borrowId: data.borrowId };
    case 'HoldSetBack':
      return { ...hold, state: 'waiting', borrowId: null };
    case 'HoldCollected':
    case 'HoldLapsed':
    case 'HoldCancelled':
    case 'HoldNoLongerNeeded':
      return undefined;
  }
}
