import { z } from 'zod';
import type { EventEntry, EventWords } from '../event-entry.js';
import { BOOK_KINDS, READER_KINDS } from '../rules/kinds.js';

/**
 * The events of a hold: a reader waits for a title. They lie in the reader's stream, beside those of his borrows, and follow
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

interface HoldEventEntry<Data extends z.ZodObject> extends EventEntry<Data>, EventWords {
  /** The event's own time. */
  time: (data: z.infer<Data>) => string;
}

const event = <Data extends z.ZodObject>(entry: HoldEventEntry<Data>) => entry;

export const HOLD_EVENTS = {
  /** The reader waits for a copy of the book: after everybody who has placed a hold on it before. */
  HoldPlaced: event({
    version: 1,
    data: z.object({
      holdId,
      readerId: z.uuid(),
      bookId: z.int(),
      title: z.string(),
      /** The last instant at which he needs it; null: no day was named. */
      neededUntil: time.nullable(),
      placedBy: z.uuid(),
      placedAt: time,
      /** The version of the rules by which it was allowed, and for which kinds; absent: those that nobody has to name. */
      policyVersion: z.int(),
      readerKind,
      bookKind: z.enum(BOOK_KINDS).exactOptional(),
    }),
    time: ({ placedAt }) => placedAt,
    word: 'Reserved',
    mark: 'rented',
  }),
  /** Until `until` copies pass him by; his place stays his. */
  HoldPaused: event({
    version: 1,
    data: z.object({ holdId, until: time, pausedBy: z.uuid(), pausedAt: time }),
    time: ({ pausedAt }) => pausedAt,
    word: 'Reservation paused',
    mark: 'moved',
  }),
  HoldResumed: event({
    version: 1,
    data: z.object({ holdId, resumedBy: person, resumedAt: time }),
    time: ({ resumedAt }) => resumedAt,
    word: 'Reservation resumed',
    mark: 'moved',
  }),
  /** The last instant at which he needs the book is another one; null: any. */
  HoldNeededUntil: event({
    version: 1,
    data: z.object({ holdId, neededUntil: time.nullable(), changedBy: z.uuid(), changedAt: time }),
    time: ({ changedAt }) => changedAt,
    word: 'Reservation needed until another day',
    mark: 'moved',
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
    word: 'Reservation moved',
    mark: 'moved',
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
    word: 'Reserved copy ready',
    mark: 'arrived',
  }),
  /** The copy that was kept is needed otherwise; the reader has his place again. Its rent is cancelled by the same append. */
  HoldSetBack: event({
    version: 1,
    data: z.object({ holdId, borrowId: z.uuid(), setBackBy: z.uuid(), setBackAt: time }),
    time: ({ setBackAt }) => setBackAt,
    word: 'Reserved copy no longer ready',
    mark: 'undone',
  }),
  /** The reader has the book: the hold is over. */
  HoldCollected: event({
    version: 1,
    data: z.object({ holdId, borrowId: z.uuid(), collectedAt: time }),
    time: ({ collectedAt }) => collectedAt,
    word: 'Reserved copy collected',
    mark: 'issued',
  }),
  /** The copy waited in vain: the hold is over. */
  HoldLapsed: event({
    version: 1,
    data: z.object({ holdId, borrowId: z.uuid(), lapsedAt: time }),
    time: ({ lapsedAt }) => lapsedAt,
    word: 'Reservation lapsed',
    mark: 'expired',
  }),
  /** The reader, or a librarian for him, gave it up. */
  HoldCancelled: event({
    version: 1,
    data: z.object({ holdId, cancelledBy: z.uuid(), cancelledAt: time }),
    time: ({ cancelledAt }) => cancelledAt,
    word: 'Reservation cancelled',
    mark: 'expired',
  }),
  HoldNoLongerNeeded: event({
    version: 1,
    data: z.object({ holdId, reason: z.enum(NOT_NEEDED_REASONS), endedAt: time }),
    time: ({ endedAt }) => endedAt,
    word: 'Reservation no longer needed',
    mark: 'expired',
  }),
};

export type HoldEventType = keyof typeof HOLD_EVENTS;

type DataOf = { [Type in HoldEventType]: z.infer<(typeof HOLD_EVENTS)[Type]['data']> };

/** An event of a hold: its type and its data. */
export type HoldEvent<Type extends HoldEventType = HoldEventType> = {
  [Each in Type]: { type: Each; data: DataOf[Each] };
}[Type];

export function isHoldEventType(type: string): type is HoldEventType {
  return Object.hasOwn(HOLD_EVENTS, type);
}

const TIMES: { [Type in HoldEventType]: { time: (data: DataOf[Type]) => string } } = HOLD_EVENTS;

/** The event's own time, ISO 8601 in UTC. */
export function holdEventTime<Type extends HoldEventType>({ type, data }: HoldEvent<Type>): string {
  return TIMES[type].time(data);
}
