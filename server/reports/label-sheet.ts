import { z } from 'zod';
import type { StickerOptions } from '#contracts/reports/report.js';
import type { Settings } from '#platform/settings.js';
import * as m from '#words/messages.js';
import { RequestInvalid } from '../http/validation.js';

/** The labels of a report: their places on the A4 sheet, in millimetres, and their books. */
export const labelSheetSchema = z.object({
  columns: z.int(),
  rows: z.int(),
  labelWidth: z.number(),
  labelHeight: z.number(),
  marginLeft: z.number(),
  marginTop: z.number(),
  gapX: z.number(),
  gapY: z.number(),
  start: z.int(),
  bookIds: z.array(z.int()).optional(),
  addedSince: z.string().optional(),
});
export type LabelSheet = z.output<typeof labelSheetSchema>;

const SHEET_WIDTH = 210;
const SHEET_HEIGHT = 297;
/** The tolerance of cutting. */
const TOLERANCE = 0.05;

/**
 * The requested sheet; the installation's settings fill in what is missing.
 * @throws RequestInvalid naming the measure that does not fit on A4
 */
export function labelSheet(options: StickerOptions, settings: Settings): LabelSheet {
  const columns = options.columns ?? settings.STICKER_COLUMNS;
  const rows = options.rows ?? settings.STICKER_ROWS;
  const labelWidth = options.labelWidth ?? settings.STICKER_WIDTH;
  const labelHeight = options.labelHeight ?? settings.STICKER_HEIGHT;
  const gapX = options.gapX ?? settings.STICKER_GAP_X;
  const gapY = options.gapY ?? settings.STICKER_GAP_Y;
  const width = columns * labelWidth + (columns - 1) * gapX;
  const height = rows * labelHeight + (rows - 1) * gapY;
  const marginLeft =
    options.marginLeft ?? settings.STICKER_MARGIN_LEFT ?? Math.max(0, (SHEET_WIDTH - width) / 2);
  const marginTop =
    options.marginTop ?? settings.STICKER_MARGIN_TOP ?? Math.max(0, (SHEET_HEIGHT - height) / 2);
  const start = options.start ?? 1;

  const errors: Record<string, string[]> = {};
  if (marginLeft + width > SHEET_WIDTH + TOLERANCE) {
    errors['labelWidth'] = [
      m.report_labels_too_wide({
        columns,
        label: labelWidth,
        taken: round(marginLeft + width),
        sheet: SHEET_WIDTH,
      }),
    ];
  }
  if (marginTop + height > SHEET_HEIGHT + TOLERANCE) {
    errors['labelHeight'] = [
      m.report_labels_too_high({
        rows,
        label: labelHeight,
        taken: round(marginTop + height),
        sheet: SHEET_HEIGHT,
      }),
    ];
  }
  if (start > columns * rows) errors['start'] = [m.report_labels_on_sheet({ labels: columns * rows })];
  if (Object.keys(errors).length > 0) throw new RequestInvalid(errors);
  return {
    ...{ columns, rows, labelWidth, labelHeight, marginLeft, marginTop, gapX, gapY, start },
    ...(options.bookIds && { bookIds: [...new Set(options.bookIds)].sort((a, b) => a - b) }),
    ...(options.addedSince !== undefined && { addedSince: options.addedSince }),
  };
}

/** Horizontal margin of a label, in millimetres: printers do not reach the edge of the paper. */
export function labelPadding({ labelWidth }: Pick<LabelSheet, 'labelWidth'>): number {
  return labelWidth >= 60 ? 5 : labelWidth >= 40 ? 2.5 : 1;
}

const round = (millimetres: number) => Math.round(millimetres * 10) / 10;
