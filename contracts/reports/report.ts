import { z } from 'zod';
import * as m from '#words/messages.js';
import { bookIdSchema } from '../catalogue/book-views.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { call } from '../call.js';

/** The inventory of books, and the labels of their copies (specification, section 2, "Admin reports"). */
export const REPORT_KINDS = ['inventory', 'stickers'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** The name that a report is saved under. */
export const REPORT_FILES: Record<ReportKind, string> = {
  inventory: 'BookRaport.pdf',
  stickers: 'InventoryStickers.pdf',
};

const number = (schema: z.ZodNumber) =>
  z.preprocess(emptyAsUndefined, z.coerce.number().pipe(schema).optional());
const millimetres = (least: number, most: number) =>
  number(
    z
      .number()
      .min(least, { error: () => m.report_at_least_millimetres({ least }) })
      .max(most, { error: () => m.report_at_most_millimetres({ most }) }),
  );
const whole = (most: number) =>
  number(
    z
      .int({ error: () => m.report_not_whole() })
      .min(1, { error: () => m.report_at_least({ least: 1 }) })
      .max(most, { error: () => m.report_at_most({ most }) }),
  );

/**
 * Which labels, and on what sheet of A4. What is not given is as the installation is set, by default 3 times 8 labels
 * of 70 by 37 millimetres. Margins that nobody gives centre the labels on the sheet.
 */
export const stickerOptionsSchema = z.strictObject({
  columns: whole(20),
  rows: whole(50),
  labelWidth: millimetres(20, 210),
  labelHeight: millimetres(15, 297),
  marginLeft: millimetres(0, 100),
  marginTop: millimetres(0, 100),
  /** Between two columns, and two rows. */
  gapX: millimetres(0, 50),
  gapY: millimetres(0, 50),
  /** The place on the first sheet of the first label, from 1, row by row: for a sheet that was begun before. */
  start: whole(1000),
  /** Only these books, as a list or as `1,2,3`. */
  bookIds: z.preprocess(
    (value) => (typeof value === 'string' ? (value === '' ? undefined : value.split(',')) : value),
    z
      .array(z.coerce.number().pipe(bookIdSchema))
      .min(1, { error: () => m.report_no_books_named() })
      .max(1000, { error: () => m.report_too_many_books({ most: 1000 }) })
      .optional(),
  ),
  /** Only books added on or after this day. */
  addedSince: z.preprocess(emptyAsUndefined, z.iso.date({ error: m.common_not_a_day }).optional()),
});
export type StickerOptions = z.infer<typeof stickerOptionsSchema>;

/** The inventory is of the whole catalogue. */
const inventoryOptionsSchema = z.strictObject({});

const reportRequestSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('inventory'), options: inventoryOptionsSchema.prefault({}) }),
  z.object({ kind: z.literal('stickers'), options: stickerOptionsSchema.prefault({}) }),
]);
export type ReportRequest = z.infer<typeof reportRequestSchema>;

export const REPORT_STATES = ['waiting', 'printing', 'ready', 'failed'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** Reports of the last day that are listed: the newest. */
export const REPORTS_SHOWN = 100;

/** A report of the last day. */
export const reportViewSchema = z.object({
  id: z.uuid(),
  kind: z.enum(REPORT_KINDS),
  state: z.enum(REPORT_STATES),
  /** Percent. */
  progress: z.int().min(0).max(100),
  /** Of labels: the sheet and the choice of books that they were made for. */
  options: z.record(z.string(), z.unknown()).meta({ maxProperties: 20 }),
  askedAt: z.iso.datetime(),
  /** The user name; null once the account is gone. */
  askedBy: z.string().nullable(),
  /** Until `ready`: null. */
  madeAt: z.iso.datetime().nullable(),
  /** Bytes. */
  size: z.int().nullable(),
  pages: z.int().nullable(),
  /** Where it failed: a sentence for the person who asked. */
  failure: z.string().nullable(),
  /** Until then it can be downloaded again. */
  keptUntil: z.iso.datetime(),
});
export type ReportView = z.infer<typeof reportViewSchema>;

const staff = { may: ['printing'] } as const;

export const printInventory = call('GET Dashboard/bookRaport', {
  ...staff,
  query: inventoryOptionsSchema,
  answer: 'application/pdf',
  takesLong: true,
});

export const printStickers = call('GET Dashboard/generate-stickers', {
  ...staff,
  query: stickerOptionsSchema,
  answer: 'application/pdf',
  takesLong: true,
});

/** Like the two above, without waiting for the file: it is fetched when ready. */
export const askForReport = call('POST Dashboard/reports', {
  ...staff,
  body: reportRequestSchema,
  answer: z.object({ reportId: z.uuid() }),
  status: 202,
});

export const listReports = call('GET Dashboard/reports', {
  ...staff,
  answer: z.array(reportViewSchema).max(REPORTS_SHOWN),
});

export const fetchReport = call('GET Dashboard/reports/:id/file', {
  ...staff,
  params: z.object({ id: z.uuid({ error: () => m.report_not_a_report() }) }),
  answer: 'application/pdf',
});
