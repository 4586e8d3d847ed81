import { z } from 'zod';
import { borrowViewSchema, MAX_BOOKS_PER_BORROW } from '../borrowing/borrow-views.js';
import { call } from '../call.js';

/** The lists of work, in the order in which they are shown. Each has a whole list of its own in the queue. */
export const WORK = ['toHandOut', 'dueToday', 'overdue', 'fees', 'toPayOut', 'lastDayToCollect'] as const;
export type Work = (typeof WORK)[number];

/** How many borrows of each list are shown; the others are a click away. */
export const WORK_SHOWN = 5;

const workListSchema = z.object({ total: z.int().min(0), items: z.array(borrowViewSchema).max(WORK_SHOWN) });
export type WorkList = z.infer<typeof workListSchema>;

const count = z.int().min(0);

/** The work of the day, holds in figures, and a month of rents and returns. */
export const todaySchema = z.object({
  /** The library's. */
  day: z.iso.date(),
  work: z.object({
    toHandOut: workListSchema,
    dueToday: workListSchema,
    overdue: workListSchema,
    fees: workListSchema,
    toPayOut: workListSchema,
    lastDayToCollect: workListSchema,
  } satisfies Record<Work, z.ZodType>),
  holds: z.object({
    /** How many wait for a copy, those that are paused with them. */
    waiting: count,
    /** How many copies are kept for readers, and of these how many until the end of this day. */
    onShelf: count,
    lastDay: count,
    /** Copies for which nobody came in the last `LAPSED_SHOWN_DAYS`. */
    notCollected: count,
  }),
  /** By the readers' ids: how to reach those whose books are overdue. */
  emails: z.record(z.string(), z.string()).meta({ maxProperties: WORK_SHOWN }),
  /** Borrows rented and borrows returned on each day of the last month, the oldest first, this one last. */
  month: z.array(z.object({ day: z.iso.date(), rents: count, returns: count })).max(31),
});
export type Today = z.infer<typeof todaySchema>;

export const LAST_EVENTS_SHOWN = 10;

/** The last thing that happened to each of the borrows that changed last, the newest first. */
export const lastEventsSchema = z
  .array(
    z.object({
      /** The event's name in the log, and the word for it. */
      type: z.string(),
      word: z.string(),
      at: z.iso.datetime({ offset: true }),
      /** Grosze, where it is about money. */
      amount: z.int().nullable(),
      borrow: z.object({
        id: z.uuid(),
        user: z.object({ id: z.uuid(), fullname: z.string() }),
        titles: z.array(z.string()).max(MAX_BOOKS_PER_BORROW),
      }),
    }),
  )
  .max(LAST_EVENTS_SHOWN);
export type LastEvent = z.infer<typeof lastEventsSchema>[number];

export const readToday = call('GET Dashboard/today', { may: ['queue'], answer: todaySchema });

export const readLastEvents = call('GET Dashboard/last-events', { may: ['queue'], answer: lastEventsSchema });
