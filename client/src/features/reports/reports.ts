import { labels } from '../../lib/labels.js';

export interface Report {
  /** What its button says. */
  button: string;
  about: string;
  /** The call that answers the file. */
  path: string;
  fileName: string;
}

/** The reports of the specification (section 2, "Admin reports"). */
export const REPORTS: readonly Report[] = [
  {
    button: labels.downloadInventory,
    about: 'Every book of the collection with its copies, for a stocktaking.',
    path: 'Dashboard/bookRaport',
    fileName: 'BookRaport.pdf',
  },
  {
    button: 'Download inventory stickers',
    about: 'A sheet of labels with barcodes, to be stuck into the books.',
    path: 'Dashboard/generate-stickers',
    fileName: 'InventoryStickers.pdf',
  },
];
