import { pageStyle } from './html.js';

/** A4 landscape, as the ledgers that it replaces: one line per book, seldom two. */
const WIDTH = 297;
const HEIGHT = 210;

/** From the top of the paper to the first row, in millimetres: on the first page, and on the others. */
const FIRST_ROWS_AT = 50;
const ROWS_AT = 24;
/** The space below the last row: the footer, and a margin for rounding. */
const BELOW_ROWS = 16;

/** The height available for rows on a page, in millimetres. */
export const roomForRows = (page: number) => HEIGHT - BELOW_ROWS - (page === 0 ? FIRST_ROWS_AT : ROWS_AT);

export const INVENTORY_STYLE = `${pageStyle(WIDTH, HEIGHT)}
.masthead, .running, .body, .foot { position: absolute; left: 14mm; width: 269mm; }
.masthead { top: 13mm; height: 25mm; display: flex; justify-content: space-between; align-items: flex-end;
  padding-bottom: 4.5mm; border-bottom: 0.5mm solid #000; }
.library { font: 500 24pt/1.1 var(--serif); letter-spacing: -0.01em; max-width: 150mm; max-height: 2.2em; overflow: hidden; }
.what { font: 400 12pt/1.3 var(--serif); margin-top: 1.5mm; }
.totals { display: flex; gap: 9mm; text-align: right; margin: 0; }
.totals dd { margin: 0; font: 500 17pt/1.1 var(--serif); font-variant-numeric: lining-nums tabular-nums; }
.totals dt { font-size: 7pt; margin-top: 0.8mm; }
.running { top: 9mm; height: 6mm; display: flex; justify-content: space-between; font-size: 7pt; }
.running .guide { font-family: var(--serif); font-size: 8.5pt; white-space: nowrap; }
.body { top: ${ROWS_AT - 8}mm; }
.first .body { top: ${FIRST_ROWS_AT - 8}mm; }
.head, .row { display: grid; grid-template-columns: 25mm 1fr 52mm 38mm 40mm 9mm 14mm; column-gap: 3.5mm; }
.head { height: 8mm; align-items: end; padding-bottom: 1.4mm; font-size: 7pt; font-weight: 600;
  border-bottom: 0.3mm solid #000; }
.row { align-items: baseline; padding: 1mm 0 0.9mm; border-bottom: 0.1mm solid #999; font-size: 7.5pt; line-height: 1.3;
  max-height: 120mm; overflow: hidden; break-inside: avoid; }
.row > * { min-width: 0; overflow-wrap: anywhere; text-align: left; }
.row > .number { text-align: right; }
.row .title { font: 400 9.5pt/1.2 var(--serif); }
.row .isbn { letter-spacing: 0.01em; }
.number { text-align: right; white-space: nowrap; }
.foot { bottom: 8mm; display: flex; justify-content: space-between; font-size: 7pt; }
.empty { padding: 8mm 0; font: 400 11pt var(--serif); }
.measured { width: 269mm; }`;
