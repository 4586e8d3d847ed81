import type { At, AsOf } from '#contracts/audit/as-of.js';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { type HoldEvent, readerEventTime, type ReaderEvent } from '#contracts/holds/hold-events.js';
import {
  evolveBorrow,
  readerBorrows,
  renewalBy,
  waiversAfter,
  type Borrow,
  type GivenWaiver,
  type ReaderBorrows,
  type Renewal,
} from './borrow-state.js';
import { evolveHold, type Hold } from './hold-state.js';

/** An event with its revision in the reader's stream. Times are milliseconds since 1970. */
export interface ReplayedEvent {
  readonly revision: number;
  readonly position: bigint;
  readonly type: string;
  /** null for an event without effect on any borrow: of a hold, a decision about the stream, or an event that one skipped. */
  readonly event: BorrowEvent | null;
  /** Of a hold. */
  readonly hold?: HoldEvent;
  /** An account id, or the name of a job. */
  readonly actor: string;
  /** The event's own time. */
  readonly occurredAt: number;
  readonly recordedAt: number;
}

/** A borrow's state from one of its events until the next. */
export interface BorrowVersion {
  readonly revision: number;
  readonly position: bigint;
  readonly borrow: Borrow;
}

const NO_VERSIONS: readonly BorrowVersion[] = [];

/**
 * A reader's history, to be queried as of any of its events. It keeps every version of each borrow, folded as for
 * commands. An event changes one borrow, so a state consists of each borrow's last version that is not later.
 * Appending events does not change the past.
 */
export class BorrowReplay {
  readonly events: ReplayedEvent[] = [];
  private readonly versions = new Map<string, BorrowVersion[]>();
  private readonly renewals: { revision: number; borrowId: string; renewal: Renewal }[] = [];
  /** Each borrow's after each event that changed them. */
  private readonly waivers: { revision: number; borrowId: string; waivers: readonly GivenWaiver[] }[] = [];
  private readonly abandoned: { revision: number; borrowId: string }[] = [];
  /** Each hold after each of its events; nothing where that ended it. */
  private readonly holds: { revision: number; holdId: string; hold: Hold | undefined }[] = [];
  /** The same as they are now, as a long history has many. */
  private readonly lastHolds = new Map<string, Hold | undefined>();
  private readonly waitedFor = new Map<string, string>();
  /** For each event, the latest time up to it: instants are looked up in it. */
  private readonly latest: number[] = [];

  /**
   * @param event the next one of the stream
   * @throws EventWithoutRent, EventWithoutHold
   */
  add(event: ReplayedEvent): void {
    if (event.event) this.addToBorrow(event.event, event);
    if (event.hold) this.addToHold(event.hold, event.revision);
    this.events.push(event);
    this.latest.push(Math.max(this.latest.at(-1) ?? -Infinity, event.occurredAt));
  }

  private addToBorrow(event: BorrowEvent, { revision, position }: ReplayedEvent): void {
    const { borrowId } = event.data;
    const known = this.versions.get(borrowId);
    const before = known?.at(-1)?.borrow;
    const borrow = evolveBorrow(before, event, revision);
    const renewal = renewalBy(event, before);
    if (renewal) this.renewals.push({ revision, borrowId, renewal });
    const last = () => this.waivers.findLast((each) => each.borrowId === borrowId)?.waivers;
    const waivers = waiversAfter(event, revision, last);
    if (waivers) this.waivers.push({ revision, borrowId, waivers });
    if (!borrow) {
      this.abandoned.push({ revision, borrowId });
      return;
    }
    const version = { revision, position, borrow };
    if (known) known.push(version);
    else this.versions.set(borrowId, [version]);
  }

  private addToHold(event: HoldEvent, revision: number): void {
    const { holdId } = event.data;
    const hold = evolveHold(this.lastHolds.get(holdId), event, revision);
    this.lastHolds.set(holdId, hold);
    this.holds.push({ revision, holdId, hold });
    if (event.type === 'HoldPlaced') this.waitedFor.set(holdId, event.data.title);
  }

  /** The title that a hold was placed on. */
  titleOfHold(holdId: string): string | undefined {
    return this.waitedFor.get(holdId);
  }

  /** At most so many of the events after a revision, in their order. */
  eventsAfter(revision: number, most: number): ReplayedEvent[] {
    const from = countUpTo(this.events, (event) => event.revision <= revision);
    return this.events.slice(from, from + most);
  }

  /** Of the last event, -1 if there is none. */
  get lastRevision(): number {
    return this.events.at(-1)?.revision ?? -1;
  }

  /**
   * The revision of the last event as of a moment.
   * @param at an instant: the last event such that it and all before it are not later; a revision beyond the last event
   *   means the last; `undefined` for now
   */
  asOf(at?: At): AsOf {
    const count =
      at === undefined
        ? this.events.length
        : 'revision' in at
          ? countUpTo(this.events, (event) => event.revision <= at.revision)
          : countUpTo(this.latest, (time) => time <= Date.parse(at.instant));
    const last = this.events[count - 1];
    const own = last ? new Date(last.occurredAt).toISOString() : null;
    return { revision: last?.revision ?? -1, at: at && 'instant' in at ? at.instant : own };
  }

  /** Every borrow as of an event, newest first, as in lists. */
  borrowsAt(revision: number): BorrowVersion[] {
    return [...this.versions.keys()]
      .flatMap((borrowId) => this.borrowAt(borrowId, revision) ?? [])
      .sort(
        (a, b) => descending(a.borrow.rentedAt, b.borrow.rentedAt) || descending(a.borrow.id, b.borrow.id),
      );
  }

  /** One borrow as of an event; `undefined` if it had not been rented. */
  borrowAt(borrowId: string, revision: number): BorrowVersion | undefined {
    const versions = this.versions.get(borrowId) ?? NO_VERSIONS;
    return versions[countUpTo(versions, (version) => version.revision <= revision) - 1];
  }

  /** The state for commands as of an event. */
  stateAt(revision: number): ReaderBorrows {
    return readerBorrows(
      [...this.versions.keys()].flatMap((borrowId) => this.borrowAt(borrowId, revision)?.borrow ?? []),
      this.renewalsAt(revision),
      new Set(this.abandoned.filter((rent) => rent.revision <= revision).map(({ borrowId }) => borrowId)),
      Math.min(revision, this.lastRevision),
      this.holdsAt(revision),
      this.waiversAt(revision),
    );
  }

  /** The holds that are not over as of an event. */
  private holdsAt(revision: number): Map<string, Hold> {
    const open = new Map<string, Hold>();
    for (const { revision: at, holdId, hold } of this.holds) {
      if (at > revision) break;
      if (hold) open.set(holdId, hold);
      else open.delete(holdId);
    }
    return open;
  }

  private waiversAt(revision: number): Map<string, readonly GivenWaiver[]> {
    const until = this.waivers.slice(
      0,
      countUpTo(this.waivers, (each) => each.revision <= revision),
    );
    return new Map(until.map(({ borrowId, waivers }) => [borrowId, waivers]));
  }

  private renewalsAt(revision: number): Map<string, Renewal[]> {
    const renewals = new Map<string, Renewal[]>();
    for (const renewed of this.renewals) {
      if (renewed.revision > revision) break;
      const { borrowId, renewal } = renewed;
      renewals.set(borrowId, [...(renewals.get(borrowId) ?? []), renewal]);
    }
    return renewals;
  }

  has(borrowId: string): boolean {
    return this.versions.has(borrowId);
  }
}

/** The event's own time, in milliseconds since 1970. */
export function occurredAt(event: ReaderEvent): number {
  return Date.parse(readerEventTime(event));
}

/** How many items from the start hold; those that do are all before those that do not. */
function countUpTo<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function descending(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0;
}
