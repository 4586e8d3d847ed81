import { z } from 'zod';
import * as m from '#words/messages.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { call } from '../call.js';
import { bookIdSchema } from '../catalogue/book-views.js';
import { pagedSchema, pageQuery } from '../paging.js';
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

/** Those that are not over, the ready ones first. */
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

/** All holds on a title that are not over, the ready ones first, the others by their places. */
const holdQueueSchema = z.array(queuedHoldSchema).max(HOLDS_SHOWN);

export const QUEUES_PAGE_SIZE = 20;

/** `MoreThanCopies`: more wait than there are copies; `NoCopy`: there is none that could come back. */
export const QUEUE_PARTS = ['All', 'MoreThanCopies', 'NoCopy'] as const;
export const QUEUE_SORTS = ['Waiting', 'Since', 'Title'] as const;

const queueListQuerySchema = z.object({
  /** Of the title, or of somebody who waits. */
  SearchTerm: z.string().max(200).default(''),
  Only: z.preprocess(emptyAsUndefined, z.enum(QUEUE_PARTS).default('All')),
  SortBy: z.preprocess(emptyAsUndefined, z.enum(QUEUE_SORTS).default('Waiting')),
  ...pageQuery(QUEUES_PAGE_SIZE),
});
export type QueueListQuery = z.infer<typeof queueListQuerySchema>;

/** A title for which somebody waits. */
const titleQueueSchema = z.object({
  bookId: z.int(),
  title: z.string(),
  copies: z.int().min(0),
  /** How many wait, those that are paused with them, and since when the first of them does. */
  waiting: z.int().min(1),
  since: z.iso.datetime(),
  /** Who gets the next copy. */
  first: person,
  /** In about how many days that may be; null where nobody can say. */
  estimateDays: z.int().min(0).nullable(),
});
export type TitleQueue = z.infer<typeof titleQueueSchema>;

/** What a hold placed now would get. */
const holdProspectSchema = z.object({
  /** How many wait. */
  waiting: z.int().min(0),
  place: z.int().min(1),
  /** 0 where a copy is on the shelf; null where nobody can say. */
  estimateDays: z.int().min(0).nullable(),
});
export type HoldProspect = z.infer<typeof holdProspectSchema>;

/** What is kept for readers, by the day until which it is. */
const shelfHoldsSchema = z
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

/** What was not collected in the last days, the latest first. */
const lapsedHoldsSchema = z
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

/** The answer to a command on a hold. */
const holdAnswerSchema = z.object({
  id: z.uuid(),
  /** From 1; null where a copy is ready, or the hold is over. */
  place: z.int().min(1).nullable(),
  /** Log position of the stored events. */
  position: z.string(),
});
export type HoldAnswer = z.infer<typeof holdAnswerSchema>;

/** The reader, where a librarian asks for them. */
const ofReader = z.object({ userId: z.preprocess(emptyAsUndefined, z.uuid().optional()) });
const onTitle = z.object({ bookId: z.coerce.number().pipe(bookIdSchema) });
const day = z.iso.date({ error: m.common_not_a_day });

/** What a reader may do with a hold of theirs, a librarian may do for them. */
const command = { may: ['SignedIn'], forOthers: ['holds'], answer: holdAnswerSchema, keyed: true } as const;
const change = { ...command, params: z.object({ id: z.uuid() }) } as const;

/** Reserves a title for the caller, or, by staff, for a reader. */
export const placeHold = call('POST Hold', {
  ...command,
  query: ofReader,
  body: z.object({
    bookId: bookIdSchema,
    neededUntil: z.preprocess(emptyAsUndefined, day.nullable().default(null)),
  }),
});

/** The caller's holds, or, for staff, those of a reader. */
export const readHolds = call('GET Hold/mine', {
  may: ['SignedIn'],
  forOthers: ['desk', 'holds'],
  query: ofReader,
  answer: ownHoldsSchema,
});

export const readProspect = call('GET Hold/prospect', {
  may: ['SignedIn'],
  query: onTitle,
  answer: holdProspectSchema,
});

export const readHoldShelf = call('GET Hold/shelf', { may: ['holds'], answer: shelfHoldsSchema });

export const readLapsedHolds = call('GET Hold/lapsed', { may: ['holds'], answer: lapsedHoldsSchema });

/** All titles for which somebody waits. */
export const listHoldQueues = call('GET Hold/queues', {
  may: ['holds'],
  query: queueListQuerySchema,
  answer: pagedSchema(titleQueueSchema),
});

/** Who waits for a title. */
export const readHoldQueue = call('GET Hold', { may: ['holds'], query: onTitle, answer: holdQueueSchema });

/** Gives a hold up, and with it the copy that is kept for it. */
export const cancelHold = call('DELETE Hold/:id', change);

/** Copies pass the hold by until a day; its place stays. */
export const pauseHold = call('POST Hold/:id/pause', { ...change, body: z.object({ until: day }) });

export const resumeHold = call('POST Hold/:id/resume', change);

/** Names the last day on which the reader needs the book, or none. */
export const changeNeededUntil = call('POST Hold/:id/needed-until', {
  ...change,
  body: z.object({ day: day.nullable() }),
});

/** Gives a hold another place: right before another one on the title, or last of all. */
export const moveHold = call('POST Hold/:id/move', {
  ...change,
  may: ['holds'],
  body: z.object({
    before: z.uuid().nullable(),
    reason: z.enum(MOVE_REASONS),
    /** The reason in words, which lies beside the log. */
    note: z.preprocess(emptyAsUndefined, oneLine(z.string().max(500)).optional()),
  }),
});
