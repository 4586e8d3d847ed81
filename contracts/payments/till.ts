import { z } from 'zod';
import * as m from '#words/messages.js';
import { call } from '../call.js';

/** More people do not work at a desk on one day. */
const MAX_LINES = 1_000;

/** What one member of staff took, or handed back, at the desk on a day. What was undone is not in it. */
const tillLineSchema = z.object({
  /** Of the account that took it; null where it was removed. */
  byId: z.uuid().nullable(),
  /** The name as it is now. */
  by: z.string().nullable(),
  kind: z.enum(['fee', 'refund']),
  times: z.int().min(1),
  /** grosze, below 0 where money was handed back */
  amount: z.int(),
});
export type TillLine = z.infer<typeof tillLineSchema>;

/** What changed hands at the desk on a day of the library. */
const tillSchema = z.object({
  day: z.iso.date(),
  lines: z.array(tillLineSchema).max(MAX_LINES),
  /** What should be in the till of it, in grosze. */
  sum: z.int(),
});
export type Till = z.infer<typeof tillSchema>;

const ofDay = {
  may: ['till'],
  query: z.object({ day: z.iso.date({ error: m.common_not_a_day }) }),
} as const;

export const readTill = call('GET Payment/till', { ...ofDay, answer: tillSchema, tag: '' });

export const fetchTill = call('GET Payment/till/file', { ...ofDay, answer: 'text/csv', tag: '' });
