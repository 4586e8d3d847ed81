import * as m from '#words/messages.js';
import { z } from 'zod';
import type { EventEntry, EventLabels } from '../event-entry.js';

/**
 * Where a copy is as far as the library itself is concerned; whether one that is there is lent, its borrow says. A copy
 * counts among the book's copies while it is `present`.
 */
export const COPY_CONDITIONS = ['present', 'lost', 'damaged', 'withdrawn'] as const;
export type CopyCondition = (typeof COPY_CONDITIONS)[number];

/**
 * Letters, digits and the signs that shelf marks are made of: it stands in the log, so it is no place for prose. A semicolon
 * separates several in a file of books.
 */
const SHELF_MARK = /^[\p{L}\p{N}](?:[\p{L}\p{N} .,:/+()-]{0,38}[\p{L}\p{N}.)])?$/u;
const SHELF_MARK_RULE = { error: m.copies_shelf_mark_rule };

/** Where a copy stands, as its label says it. */
export const shelfMarkSchema = z.string(SHELF_MARK_RULE).trim().regex(SHELF_MARK, SHELF_MARK_RULE);

const time = z.iso.datetime();
/** A copy of a book. `copy` is its number, from 1; together they make its code. */
const copy = { bookId: z.int().positive(), copy: z.int().positive() };
/** The borrow that it was lent with; null for a copy that was on the shelf. */
const borrowId = z.uuid().nullable();

interface CopyEventEntry<Data extends z.ZodObject> extends EventEntry<Data>, EventLabels {
  /** The event's own time. */
  time: (data: z.infer<Data>) => string;
  /** The condition that it leads to. */
  condition: CopyCondition | 'unchanged';
}

const event = <Data extends z.ZodObject>(entry: CopyEventEntry<Data>) => entry;

/**
 * What happens to a copy outside a borrow, one entry each, in the stream of the copy. They carry ids, marks, times and
 * codes; never a text that somebody wrote (a note is a row beside the log). A copy that came with its book, or was there
 * before the log knew copies, begins with its first event: `docs/decisions/024-copies.md`.
 */
export const COPY_EVENTS = {
  /** Bought or given, beside those that the book came with. */
  CopyAdded: event({
    version: 1,
    data: z.object({ ...copy, shelfMark: z.string().nullable(), addedBy: z.uuid(), addedAt: time }),
    time: ({ addedAt }) => addedAt,
    condition: 'present',
    label: m.event_copy_added,
    icon: 'arrived',
  }),
  /** It has another place; null: none of its own. */
  CopyMoved: event({
    version: 1,
    data: z.object({ ...copy, shelfMark: z.string().nullable(), movedBy: z.uuid(), movedAt: time }),
    time: ({ movedAt }) => movedAt,
    condition: 'unchanged',
    label: m.event_copy_moved,
    icon: 'moved',
  }),
  /** It is the library's no more. */
  CopyWithdrawn: event({
    version: 1,
    data: z.object({ ...copy, withdrawnBy: z.uuid(), withdrawnAt: time }),
    time: ({ withdrawnAt }) => withdrawnAt,
    condition: 'withdrawn',
    label: m.event_copy_withdrawn,
    icon: 'gone',
  }),
  CopyLost: event({
    version: 1,
    data: z.object({ ...copy, borrowId, reportedBy: z.uuid(), reportedAt: time }),
    time: ({ reportedAt }) => reportedAt,
    condition: 'lost',
    label: m.event_copy_lost,
    icon: 'gone',
  }),
  CopyDamaged: event({
    version: 1,
    data: z.object({ ...copy, borrowId, reportedBy: z.uuid(), reportedAt: time }),
    time: ({ reportedAt }) => reportedAt,
    condition: 'damaged',
    label: m.event_copy_damaged,
    icon: 'gone',
  }),
  /** A lost copy turned up, or one that was withdrawn is kept after all. */
  CopyFound: event({
    version: 1,
    data: z.object({ ...copy, foundBy: z.uuid(), foundAt: time }),
    time: ({ foundAt }) => foundAt,
    condition: 'present',
    label: m.event_copy_found,
    icon: 'arrived',
  }),
  CopyRepaired: event({
    version: 1,
    data: z.object({ ...copy, repairedBy: z.uuid(), repairedAt: time }),
    time: ({ repairedAt }) => repairedAt,
    condition: 'present',
    label: m.event_copy_repaired,
    icon: 'arrived',
  }),
};

export type CopyEventType = keyof typeof COPY_EVENTS;

type DataOf = { [Type in CopyEventType]: z.infer<(typeof COPY_EVENTS)[Type]['data']> };

/** An event of a copy: its type and its data. */
export type CopyEvent<Type extends CopyEventType = CopyEventType> = {
  [Each in Type]: { type: Each; data: DataOf[Each] };
}[Type];

export const COPY_EVENT_TYPES = Object.keys(COPY_EVENTS) as [CopyEventType, ...CopyEventType[]];

export function isCopyEventType(type: string): type is CopyEventType {
  return Object.hasOwn(COPY_EVENTS, type);
}

const TIMES: { [Type in CopyEventType]: { time: (data: DataOf[Type]) => string } } = COPY_EVENTS;

/** The event's own time, ISO 8601 in UTC. */
export function copyEventTime<Type extends CopyEventType>({ type, data }: CopyEvent<Type>): string {
  return TIMES[type].time(data);
}

/** The key of a copy's stream is its code. */
export const COPY_STREAM_PREFIX = 'copies-';
