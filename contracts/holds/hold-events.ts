import * as m from '#words/messages.js';
import { z } from 'zod';
import type { EventEntry, EventLabels } from '../event-entry.js';
import { BOOK_KINDS, READER_KINDS } from '../rules/kinds.js';
import {
  BORROW_EVENTS,
  borrowEventTime,
  isBorrowEventType,
  type BorrowEvent,
  type BorrowEventType,
} from '../borrowing/borrow-events.js';

/**
 * The events of a hold: a reader waits for a title. They lie in the reader's stream, beside those of their borrows, and follow
 * the same rules (`contracts/borrowing/borrow-events.ts`): ids, titles, times and codes, never a name and no free text.
 */
const time = z.iso.datetime();
const holdId = z.uuid();
const readerKind = z.enum(READER_KINDS).exactOptional();
/** A person's pseudonym; null where a job did it. */
const person = z.uuid().nullable();

/** Why a librarian moved a hold. In words it is a note under the event's id, and never in the log. */
export const MOVE_REASONS = ['library-error', 'urgent', 'study', 'other'] as const;
export type MoveReason = (typeof MOVE_REASONS)[number];

/** Why a hold ended by itself: its day has passed, or the reader has the book by other means. */
const NOT_NEEDED_REASONS = ['day-passed', 'has-the-book'] as const;

/** The letters about holds that came to nothing. */
export const HOLD_LETTERS = ['hold-cancelled', 'hold-not-needed'] as const;
export type HoldLetter = (typeof HOLD_LETTERS)[number];

export function isHoldLetter(kind: string): kind is HoldLetter {
  return (HOLD_LETTERS as readonly string[]).includes(kind);
}

/** What became of a hold that is over. */
type HoldEnd = 'collected' | 'lapsed' | 'cancelled' | 'not-needed';

/** All that is known of an event. */
interface HoldEventEntry<Data extends z.ZodObject, Ends extends HoldEnd | null>
  extends EventEntry<Data>, EventLabels {
  /** The event's own time. */
  time: (data: z.infer<Data>) => string;
  /** As what the hold is over then; null: it is not. */
  ends: Ends;
  /**
   * The letter that the reader gets, whose stream it is in. What becomes of a copy that is kept is in the letters about its rent;
   * whoever gives up the place, or has the book by other means, knows it.
   */
  letter: ((data: z.infer<Data>, reader: string) => HoldLetter | null) | null;
  /** Whether a person may give a reason in words, as a note under the event's id. Absent: no. */
  noted?: boolean;
}

const event = <Data extends z.ZodObject, const Ends extends HoldEnd | null>(
  entry: HoldEventEntry<Data, Ends>,
) => ({ noted: false, ...entry });

export const HOLD_EVENTS = {
  /** The reader waits for a copy of the book: after everybody who has placed a hold on it before. */
  HoldPlaced: event({
    version: 1,
    data: z.object({
      holdId,
      readerId: z.uuid(),
      bookId: z.int(),
      title: z.string(),
      /** The last instant at which they need it; null: no day was named. */
      neededUntil: time.nullable(),
      placedBy: z.uuid(),
      placedAt: time,
      /** The version of the rules by which it was allowed, and for which kinds; absent: those that nobody has to name. */
      policyVersion: z.int(),
      readerKind,
      bookKind: z.enum(BOOK_KINDS).exactOptional(),
    }),
    time: ({ placedAt }) => placedAt,
    label: m.event_hold_placed,
    icon: 'rented',
    ends: null,
    letter: null,
  }),
  /** Until `until` copies pass them by; their place stays theirs. */
  HoldPaused: event({
    version: 1,
    data: z.object({ holdId, until: time, pausedBy: z.uuid(), pausedAt: time }),
    time: ({ pausedAt }) => pausedAt,
    label: m.event_hold_paused,
    icon: 'moved',
    ends: null,
    letter: null,
  }),
  HoldResumed: event({
    version: 1,
    data: z.object({ holdId, resumedBy: person, resumedAt: time }),
    time: ({ resumedAt }) => resumedAt,
    label: m.event_hold_resumed,
    icon: 'moved',
    ends: null,
    letter: null,
  }),
  /** The last instant at which they need the book is another one; null: any. */
  HoldNeededUntil: event({
    version: 1,
    data: z.object({ holdId, neededUntil: time.nullable(), changedBy: z.uuid(), changedAt: time }),
    time: ({ changedAt }) => changedAt,
    label: m.event_hold_needed_until,
    icon: 'moved',
    ends: null,
    letter: null,
  }),
  /** A librarian gave it another place: right before another hold on the title, or last of all. */
  HoldMoved: event({
    version: 1,
    data: z.object({
      holdId,
      before: z.uuid().nullable(),
      reason: z.enum(MOVE_REASONS),
      movedBy: z.uuid(),
      movedAt: time,
    }),
    time: ({ movedAt }) => movedAt,
    label: m.event_hold_moved,
    icon: 'moved',
    ends: null,
    letter: null,
    noted: true,
  }),
  /**
   * A copy is kept for the reader. The rent `borrowId`, stored by the same append, says which book and until when: from here on
   * it is like any other.
   */
  HoldReady: event({
    version: 1,
    data: z.object({
      holdId,
      borrowId: z.uuid(),
      collectBy: time,
      readyAt: time,
      policyVersion: z.int(),
      readerKind,
    }),
    time: ({ readyAt }) => readyAt,
    label: m.event_hold_ready,
    icon: 'arrived',
    ends: null,
    letter: null,
  }),
  /** The copy that was kept is needed otherwise; the reader has their place again. Its rent is cancelled by the same append. */
  HoldSetBack: event({
    version: 1,
    data: z.object({ holdId, borrowId: z.uuid(), setBackBy: z.uuid(), setBackAt: time }),
    time: ({ setBackAt }) => setBackAt,
    label: m.event_hold_set_back,
    icon: 'undone',
    ends: null,
    letter: null,
  }),
  /** The reader has the book: the hold is over. */
  HoldCollected: event({
    version: 1,
    data: z.object({ holdId, borrowId: z.uuid(), collectedAt: time }),
    time: ({ collectedAt }) => collectedAt,
    label: m.event_hold_collected,
    icon: 'issued',
    letter: null,
    ends: 'collected',
  }),
  /** The copy waited in vain: the hold is over. */
  HoldLapsed: event({
    version: 1,
    data: z.object({ holdId, borrowId: z.uuid(), lapsedAt: time }),
    time: ({ lapsedAt }) => lapsedAt,
    label: m.event_hold_lapsed,
    icon: 'expired',
    letter: null,
    ends: 'lapsed',
  }),
  /** The reader, or a librarian for them, gave it up. */
  HoldCancelled: event({
    version: 1,
    data: z.object({ holdId, cancelledBy: z.uuid(), cancelledAt: time }),
    time: ({ cancelledAt }) => cancelledAt,
    label: m.event_hold_cancelled,
    icon: 'expired',
    ends: 'cancelled',
    letter: ({ cancelledBy }, reader) => (cancelledBy === reader ? null : 'hold-cancelled'),
  }),
  HoldNoLongerNeeded: event({
    version: 1,
    data: z.object({ holdId, reason: z.enum(NOT_NEEDED_REASONS), endedAt: time }),
    time: ({ endedAt }) => endedAt,
    label: m.event_hold_no_longer_needed,
    icon: 'expired',
    ends: 'not-needed',
    letter: ({ reason }) => (reason === 'day-passed' ? 'hold-not-needed' : null),
  }),
};

export type HoldEventType = keyof typeof HOLD_EVENTS;

type DataOf = { [Type in HoldEventType]: z.infer<(typeof HOLD_EVENTS)[Type]['data']> };

/** An event of a hold: its type and its data. */
export type HoldEvent<Type extends HoldEventType = HoldEventType> = {
  [Each in Type]: { type: Each; data: DataOf[Each] };
}[Type];

type EndingType = {
  [Type in HoldEventType]: (typeof HOLD_EVENTS)[Type]['ends'] extends HoldEnd ? Type : never;
}[HoldEventType];

/** Whether the hold is over with this event. */
export function endsHold(event: HoldEvent): event is HoldEvent<EndingType> {
  return holdEnd(event) !== null;
}

/** As what the hold is over with this event; null: it is not. */
export function holdEnd({ type }: HoldEvent): HoldEnd | null {
  return HOLD_EVENTS[type].ends;
}

export function isHoldEventType(type: string): type is HoldEventType {
  return Object.hasOwn(HOLD_EVENTS, type);
}

/** What the entry of an event says of one that happened. */
type Said<Data> = {
  time: (data: Data) => string;
  letter: ((data: Data, reader: string) => HoldLetter | null) | null;
};
const ENTRIES: { [Type in HoldEventType]: Said<DataOf[Type]> } = HOLD_EVENTS;

/** The event's own time, ISO 8601 in UTC. */
export function holdEventTime<Type extends HoldEventType>({ type, data }: HoldEvent<Type>): string {
  return ENTRIES[type].time(data);
}

/** @param reader whose stream it is in */
export function holdLetter<Type extends HoldEventType>(
  { type, data }: HoldEvent<Type>,
  reader: string,
): HoldLetter | null {
  return ENTRIES[type].letter?.(data, reader) ?? null;
}

/** An event of a reader's stream: of one of their borrows, or of one of their holds. */
export type ReaderEvent = BorrowEvent | HoldEvent;
export type ReaderEventType = BorrowEventType | HoldEventType;

/** The types: first those of borrows. */
export const READER_EVENT_TYPES = [...Object.keys(BORROW_EVENTS), ...Object.keys(HOLD_EVENTS)] as [
  ReaderEventType,
  ...ReaderEventType[],
];

export function isReaderEventType(type: string): type is ReaderEventType {
  return isBorrowEventType(type) || isHoldEventType(type);
}

export function isHoldEvent(event: ReaderEvent): event is HoldEvent {
  return isHoldEventType(event.type);
}

/** The event's own time, ISO 8601 in UTC. */
export function readerEventTime(event: ReaderEvent): string {
  return isHoldEvent(event) ? holdEventTime(event) : borrowEventTime(event);
}
