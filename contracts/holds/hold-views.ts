import { z } from 'zod';
import { blankIsAbsent } from '../blank.js';
import { bookIdSchema } from '../catalogue/book-views.js';
import { oneLine } from '../plain-text.js';
import { MOVE_REASONS } from './hold-events.js';

/** Holds that a list shows at most: as many as the rules may allow one reader. */
export const HOLDS_SHOWN = 1_000;

/** What a hold is while it is not over: it waits for a copy, copies pass it by, or one is kept for the reader. */
const HOLD_STATES = ['Waiting', 'Paused', 'Ready'] as const;

/** A hold of the caller, or of the reader whom a librarian asks about. Days are the library's. */
export const holdViewSchema = z.object({
  id: z.uuid(),
  bookId: z.int(),
  title: z.string(),
  /** From 1; null where a copy is ready. */
  place: z.int().min(1).nullable(),
  state: z.enum(HOLD_STATES),
  /** Until when the copy is kept. */
  collectBy: z.iso.datetime().nullable(),
  /** The rent by which the copy is kept. */
  borrowId: z.uuid().nullable(),
  placedAt: z.iso.datetime(),
  /** The day from which it waits again. */
  pausedUntil: z.iso.date().nullable(),
  /** The last day on which the reader needs the book. */
  neededUntil: z.iso.date().nullable(),
  /** In about how many days a copy may be ready, by the loans that stand before it; null where nobody can say. */
  estimateDays: z.int().min(0).nullable(),
});
export type HoldView = z.infer<typeof holdViewSchema>;

/** `GET Hold/mine`: those that are not over, the ready ones first. */
export const ownHoldsSchema = z.array(holdViewSchema).max(HOLDS_SHOWN);

const person = z.object({ id: z.uuid(), fullname: z.string() });

/** A hold as librarians see it. */
export const queuedHoldSchema = holdViewSchema.extend({
  user: person,
  /** The last time a librarian gave it another place; null: its place follows from when it was placed. */
  moved: z
    .object({
      at: z.iso.datetime(),
      by: person.nullable(),
      reason: z.enum(MOVE_REASONS),
      note: z.string().nullable(),
    })
    .nullable(),
});
export type QueuedHold = z.infer<typeof queuedHoldSchema>;

/** `GET Hold?bookId=`: all holds on a title that are not over, the ready ones first, the others by their places. */
export const holdQueueSchema = z.array(queuedHoldSchema).max(HOLDS_SHOWN);

/** A title, of `GET Hold?bookId=` and `GET Hold/prospect?bookId=`. */
export const holdBookQuerySchema = z.object({ bookId: z.coerce.number().pipe(bookIdSchema) });

/** `GET Hold/prospect?bookId=`: what a hold placed now would get. */
export const holdProspectSchema = z.object({
  /** How many wait. */
  waiting: z.int().min(0),
  place: z.int().min(1),
  /** 0 where a copy is on the shelf; null where nobody can say. */
  estimateDays: z.int().min(0).nullable(),
});
export type HoldProspect = z.infer<typeof holdProspectSchema>;

/** `GET Hold/shelf`: what is kept for readers, by the day until which it is. */
export const shelfHoldsSchema = z
  .array(
    z.object({
      id: z.uuid(),
      bookId: z.int(),
      title: z.string(),
      borrowId: z.uuid(),
      user: person,
      /** The copy that is kept, where its label was not scanned presumably. */
      copy: z.object({ code: z.string(), shelfMark: z.string().nullable() }).nullable(),
      readyAt: z.iso.datetime(),
      collectBy: z.iso.datetime(),
    }),
  )
  .max(HOLDS_SHOWN);
export type ShelfHold = z.infer<typeof shelfHoldsSchema>[number];

/** Days for which holds that lapsed are listed. */
export const LAPSED_SHOWN_DAYS = 30;

/** `GET Hold/lapsed`: what was not collected in the last days, the latest first. */
export const lapsedHoldsSchema = z
  .array(
    z.object({
      id: z.uuid(),
      bookId: z.int(),
      title: z.string(),
      borrowId: z.uuid(),
      user: person,
      collectBy: z.iso.datetime(),
      lapsedAt: z.iso.datetime(),
    }),
  )
  .max(HOLDS_SHOWN);
export type LapsedHold = z.infer<typeof lapsedHoldsSchema>[number];

export const holdParamsSchema = z.object({ id: z.uuid() });

/** Of `POST Hold` and `GET Hold/mine`: the reader, where a librarian asks for him. */
export const holdReaderQuerySchema = z.object({ userId: z.preprocess(blankIsAbsent, z.uuid().optional()) });

const day = z.iso.date('Name a day as 2026-11-30.');

/** `POST Hold` */
export const placeHoldBodySchema = z.object({
  bookId: bookIdSchema,
  neededUntil: z.preprocess(blankIsAbsent, day.nullable().default(null)),
});
export type PlaceHoldBody = z.infer<typeof placeHoldBodySchema>;

/** `POST Hold/{id}/pause`: from `until` on it waits again. */
export const pauseHoldBodySchema = z.object({ until: day });

/** `POST Hold/{id}/needed-until`: the last day on which the reader needs the book. */
export const neededUntilBodySchema = z.object({ day: day.nullable() });

/** `POST Hold/{id}/move`: right before another hold on the title, or last of all. */
export const moveHoldBodySchema = z.object({
  before: z.uuid().nullable(),
  reason: z.enum(MOVE_REASONS),
  /** The reason in words, which lies beside the log. */
  note: z.preprocess(blankIsAbsent, oneLine(z.string().max(500)).optional()),
});
export type MoveHoldBody = z.infer<typeof moveHoldBodySchema>;

/** The answer to a command on a hold. */
export const holdAnswerSchema = z.object({
  id: z.uuid(),
  /** From 1; null where a copy is ready, or the hold is over. */
  place: z.int().min(1).nullable(),
  /** Log position of the stored events. */
  position: z.string(),
  /** False if the lists did not catch up in time; the command has succeeded nevertheless. */
  upToDate: z.boolean(),
});
export type HoldAnswer = z.infer<typeof holdAnswerSchema>;
