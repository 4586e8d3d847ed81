import { z } from 'zod';
import { borrowStatusSchema, type BorrowStatus } from '../borrowing/borrow-status.js';
import { MAX_BOOKS_PER_BORROW } from '../borrowing/borrow-views.js';
import { BOOK_KINDS, READER_KINDS } from '../rules/kinds.js';
import { actorSchema, type Actor } from './audit-events.js';

/** Events of one answer. */
export const TIMELINE_EVENTS = 2_000;

const index = z.int().min(0);

/** In place of the index of a borrow, where an event is of none. */
export const NO_BORROW = 2 ** 31 - 1;

/**
 * An event in few bytes: revision, index in `types`, index in `borrows`, index in `actors`, occurred at and
 * recorded at (milliseconds since 1970), amount in grosze or null, policy version or null, when the books are due
 * from this event on (milliseconds since 1970) or null, the borrow's status after it (index in `borrowStatusSchema`'s options) or
 * null where there is no borrow.
 */
export const timelineRowSchema = z.tuple([
  z.int().min(0),
  index,
  index,
  index,
  z.int(),
  z.int(),
  z.int().nullable(),
  z.int().nullable(),
  z.int().nullable(),
  index.nullable(),
]);
export type TimelineRow = z.infer<typeof timelineRowSchema>;

/** A reader's history, made to be drawn: ten thousand events are well under two megabytes. */
export const timelineSchema = z.object({
  reader: z.object({ id: z.uuid(), fullname: z.string() }),
  /** Events in the stream, and the revision of the last one (-1 where there is none). */
  totalCount: z.int().min(0),
  lastRevision: z.int().min(-1),
  types: z.array(z.string()).max(TIMELINE_EVENTS),
  borrows: z
    .array(z.object({ id: z.uuid(), titles: z.array(z.string()).max(MAX_BOOKS_PER_BORROW) }))
    .max(TIMELINE_EVENTS),
  actors: z.array(actorSchema).max(TIMELINE_EVENTS),
  /** The titles of events of holds, by their revisions. */
  holds: z.record(z.string(), z.string()).meta({ maxProperties: TIMELINE_EVENTS }),
  /** For which kinds of readers and books the rules of events were applied, by revisions: the first kinds are left out. */
  kinds: z
    .record(
      z.string(),
      z.array(z.enum([...READER_KINDS, ...BOOK_KINDS])).max(READER_KINDS.length + BOOK_KINDS.length),
    )
    .meta({ maxProperties: TIMELINE_EVENTS }),
  /** The first ones after the revision that was asked for; the next call goes on after the last of them. */
  rows: z.array(timelineRowSchema).max(TIMELINE_EVENTS),
});
export type Timeline = z.infer<typeof timelineSchema>;

/** A row of the timeline with its names. */
export interface TimelineEvent {
  revision: number;
  type: string;
  /** Empty where it is of none. */
  borrowId: string;
  titles: string[];
  actor: Actor;
  /** Milliseconds since 1970. */
  occurredAt: number;
  recordedAt: number;
  /** Grosze. */
  amount: number | null;
  policyVersion: number | null;
  /** For which kinds of readers and books, where they are not the first ones. */
  kinds: Timeline['kinds'][string];
  /** When the books are due from this event on: of an issue, a renewal, or the undoing of an issue. */
  dueAt: number | null;
  /** Of the borrow after it; null where there is no borrow. */
  status: BorrowStatus | null;
}

function titlesOfHold({ holds }: Timeline, revision: number): string[] {
  const title = holds[revision];
  return title === undefined ? [] : [title];
}

const NOBODY: Actor = { id: '', name: '', kind: 'job' };

/** A row of the timeline with its names in place of the indexes. */
export function timelineEvent(timeline: Timeline, row: TimelineRow): TimelineEvent {
  const [revision, type, borrow, actor, occurredAt, recordedAt, amount, policyVersion, dueAt, status] = row;
  return {
    revision,
    type: timeline.types[type] ?? '',
    borrowId: timeline.borrows[borrow]?.id ?? '',
    titles: timeline.borrows[borrow]?.titles ?? titlesOfHold(timeline, revision),
    actor: timeline.actors[actor] ?? NOBODY,
    occurredAt,
    recordedAt,
    amount,
    policyVersion,
    kinds: timeline.kinds[revision] ?? [],
    dueAt,
    status: status === null ? null : (borrowStatusSchema.options[status] ?? null),
  };
}
