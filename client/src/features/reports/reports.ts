import type { ReportKind } from '#contracts/reports/report.js';
import { labels } from '../../domain/labels.js';

export interface Report {
  kind: ReportKind;
  /** What its button says. */
  button: string;
  /** What it is called in the list of those that were made. */
  name: string;
  about: string;
}

/** The reports of the specification (section 2, "Admin reports"). */
export const REPORTS = {
  inventory: {
    kind: 'inventory',
    button: labels.downloadInventory,
    name: 'Inventory of books',
    about: 'Every book of the collection with its copies, for a stocktaking.',
  },
  stickers: {
    kind: 'stickers',
    button: 'Download inventory stickers',
    name: 'Inventory stickers',
    about: 'A sheet of labels with barcodes, to be stuck into the books.',
  },
} as const satisfies Record<ReportKind, Report>;
