import * as m from '#words/messages.js';
import { z } from 'zod';
import { BOOK_KINDS, READER_KINDS } from './kinds.js';

const days = (least: number) => z.int().min(least).max(365);
/** At most 10,000 of the currency: who types more has mistaken its hundredths for it. */
const grosze = z.int().min(0).max(1_000_000);
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: () => m.rules_not_a_time() });

/** The numbers that depend on the reader and the book. Amounts in grosze. */
const perBook = {
  loanDays: days(1),
  maxRenewals: z.int().min(0).max(99),
  /** How many days before the due day a renewal becomes possible; null from the first day on. */
  renewableDaysBefore: days(0).nullable(),
  finePerBookAndDay: grosze,
  lossPrice: grosze,
  lossFee: grosze,
};

/** Those that depend on the reader alone. */
const perReader = {
  collectDays: days(1),
  maxBooksPerReader: z.int().min(1).max(999),
  maxHolds: z.int().min(0).max(999),
  fineCap: grosze,
  graceDays: days(0),
};

const openHours = z.object({ opens: time, closes: time }).refine(({ opens, closes }) => opens < closes, {
  error: () => m.rules_opens_after_closing(),
  path: ['closes'],
});

const daysClosed = z
  .object({ from: z.iso.date(), to: z.iso.date() })
  .refine(({ from, to }) => from <= to, { error: () => m.rules_last_day_too_early(), path: ['to'] })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < 366 * 86_400_000, {
    error: () => m.rules_closed_too_long(),
    path: ['to'],
  });

/** What differs for a kind of reader, a kind of book, or the one with the other; null stands for every kind. */
const exception = z
  .object({
    reader: z.enum(READER_KINDS).nullable(),
    book: z.enum(BOOK_KINDS).nullable(),
    numbers: z
      .object({ ...perBook, ...perReader })
      .partial()
      .refine((numbers) => Object.keys(numbers).length > 0, { error: () => m.rules_exception_empty() }),
  })
  .superRefine(({ reader, book, numbers }, context) => {
    if (reader === null && book === null) {
      context.addIssue({ code: 'custom', path: ['reader'], message: m.rules_exception_of_nothing() });
    }
    if (book === null) return;
    for (const name of Object.keys(perReader)) {
      if (name in numbers) {
        const message = m.rules_limit_of_reader();
        context.addIssue({ code: 'custom', path: ['numbers', name], message });
      }
    }
  });

/** The rules of the library, as an admin sets them and the log keeps them. Amounts in grosze. */
export const ruleSetSchema = z.object({
  ...perBook,
  ...perReader,
  /** Not above the minutes for which borrows keep what it takes to undo something. */
  undoMinutes: z.int().min(0).max(10),
  /** How many days before the due day the reminder is sent. */
  reminderDays: z.int().min(0).max(30),
  exceptions: z
    .array(exception)
    .max(READER_KINDS.length * BOOK_KINDS.length * 2)
    .refine((all) => new Set(all.map(({ reader, book }) => `${reader} ${book}`)).size === all.length, {
      error: () => m.rules_exceptions_twice(),
    }),
  /** From Monday to Sunday; null for a day on which the library is closed. Null altogether: open every day. */
  week: z
    .array(openHours.nullable())
    .length(7)
    .refine((week) => week.some((day) => day !== null), { error: () => m.rules_never_open() })
    .nullable(),
  closedDays: z.array(daysClosed).max(400),
});
export type RuleSet = z.infer<typeof ruleSetSchema>;
