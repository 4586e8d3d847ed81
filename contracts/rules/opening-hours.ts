import { z } from 'zod';
import { call } from '../call.js';

/** For how many days it is told when the library is open. */
export const DAYS_SHOWN = 14;
/** Spans of closed days that are told, at most. */
export const CLOSED_SPANS_SHOWN = 6;

const openingDaySchema = z.object({
  /** `yyyy-MM-dd`, by the library's calendar. */
  day: z.string(),
  isOpen: z.boolean(),
  /** `HH:mm`; null on a closed day, and where the library is open at no set hours. */
  hours: z.object({ opens: z.string(), closes: z.string() }).nullable(),
});
export type OpeningDay = z.infer<typeof openingDaySchema>;

/** When the library is open, by the rules of each day. */
export const openingHoursSchema = z.object({
  /** Today and the days after it. */
  days: z.array(openingDaySchema).max(DAYS_SHOWN),
  /** The next days on which it is closed beside those of the week: from a day to a day, both in it. */
  closed: z.array(z.object({ from: z.string(), to: z.string() })).max(CLOSED_SPANS_SHOWN),
});
export type OpeningHours = z.infer<typeof openingHoursSchema>;

export const readOpeningHours = call('GET Rules/hours', { may: ['Everybody'], answer: openingHoursSchema });
