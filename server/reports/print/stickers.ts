import { copyCode } from '#contracts/catalogue/copy-code.js';
import * as m from '#words/messages.js';
import { labelPadding, type LabelSheet } from '../label-sheet.js';
import { barcode } from './barcode.js';
import type { Fonts } from './fonts.js';
import { escapeMarkup } from '#platform/markup.js';
import { htmlDocument, pageStyle, printed, textElement, type PrintedPages } from './html.js';
import type { InventoryBook } from './print-books.js';
import type { Printer } from './printer.js';

/** Batch size of the labels. */
const LABELS = 700;

/**
 * Prints a label for each copy of these books, in their order, on sheets of labels.
 * @param library its name, on each label
 * @param onProgress receives the completed share, from 0 to 1
 */
export async function* printStickers(
  printer: Printer,
  fonts: Fonts,
  books: InventoryBook[],
  sheet: LabelSheet,
  library: string,
  onProgress: (share: number) => void,
): AsyncGenerator<PrintedPages> {
  const copies = books.flatMap((book) =>
    book.numbers.map((copy) => ({ book, code: copyCode({ bookId: book.id, copy }) })),
  );
  const perSheet = sheet.columns * sheet.rows;
  const taken = sheet.start - 1;
  const sheets = Math.ceil((taken + copies.length) / perSheet);
  const atOnce = Math.max(1, Math.floor(LABELS / perSheet));
  for (let from = 0; from < sheets; from += atOnce) {
    const pages: { html: string; codes: string[]; texts: string[] }[] = [];
    for (let page = from; page < Math.min(from + atOnce, sheets); page += 1) {
      const first = page === 0 ? taken : 0;
      const labels = copies.slice(Math.max(0, page * perSheet - taken), (page + 1) * perSheet - taken);
      pages.push({
        html: `<section class="page">${labels.map(({ book, code }, at) => label(book, code, place(first + at, sheet), sheet, library)).join('')}</section>`,
        codes: labels.map(({ code }) => code),
        texts: labels.flatMap(({ book }) => [printed(book.title), author(book)]),
      });
    }
    const texts = ['0123456789-…', printed(library), ...pages.flatMap((page) => page.texts)];
    const style = `${fonts.faceRules(texts)}${fonts.families()}${pageStyle(210, 297)}${labelStyle(sheet)}`;
    const body = pages.map(({ html }) => html).join('');
    yield {
      pdf: await printer.print(htmlDocument(m.print_stickers(), style, body)),
      expected: pages.map(({ codes }) => codes),
    };
    onProgress((from + pages.length) / sheets);
    await printer.refresh();
  }
}

/** The upper left corner of a label on the sheet, counted row by row, in millimetres. */
function place(at: number, sheet: LabelSheet): { left: number; top: number } {
  return {
    left: sheet.marginLeft + (at % sheet.columns) * (sheet.labelWidth + sheet.gapX),
    top: sheet.marginTop + Math.floor(at / sheet.columns) * (sheet.labelHeight + sheet.gapY),
  };
}

function author({ authors }: InventoryBook): string {
  return printed(
    authors.length > 2 ? m.print_author_and_others({ author: authors[0] ?? '' }) : authors.join(', '),
  );
}

/** Labels from this height in millimetres on have two lines of title; lower ones have one. */
const TWO_LINES = 32;

function label(
  book: InventoryBook,
  code: string,
  { left, top }: { left: number; top: number },
  sheet: LabelSheet,
  library: string,
): string {
  const padding = labelPadding(sheet);
  const { svg, quietZone } = barcode(code, sheet.labelWidth - 2 * padding, barHeight(sheet));
  // Aligns the bars with the title's first letter, as far as the quiet zone allows.
  const shift = Math.min(padding, quietZone).toFixed(3);
  return `<div class="label" style="left:${left.toFixed(3)}mm;top:${top.toFixed(3)}mm"><div class="words">${textElement('div', 'title', printed(book.title))}${textElement('div', 'author', author(book))}</div><div class="code"><div style="margin-left:-${shift}mm">${svg}</div><div class="text"><span>${escapeMarkup(code)}</span>${textElement('span', 'library', printed(library))}</div></div></div>`;
}

const barHeight = ({ labelHeight }: LabelSheet) => Math.min(14, Math.max(5, labelHeight * 0.32));

function labelStyle(sheet: LabelSheet): string {
  const { labelWidth, labelHeight } = sheet;
  const lines = labelHeight >= TWO_LINES ? 2 : 1;
  const small = labelHeight < 25;
  return `
.label { position: absolute; width: ${labelWidth}mm; height: ${labelHeight}mm; overflow: hidden; contain: strict;
  padding: ${small ? 1 : 3}mm ${labelPadding(sheet)}mm; display: flex; flex-direction: column; justify-content: space-between; }
.words { min-height: 0; }
.words > * { text-align: left; }
.title { font: 500 ${small ? 8 : 10}pt/1.15 var(--serif); display: -webkit-box; -webkit-box-orient: vertical;
  -webkit-line-clamp: ${lines}; overflow: hidden; overflow-wrap: anywhere; }
.author { font-size: ${small ? 6 : 7.5}pt; line-height: 1.3; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.code svg { display: block; }
.text { display: flex; justify-content: space-between; align-items: baseline; gap: 3mm; margin-top: 0.8mm;
  font-size: ${small ? 6.5 : 8.5}pt; font-weight: 500; line-height: 1.2; letter-spacing: 0.06em; white-space: nowrap; }
.library { font-size: ${small ? 5.5 : 6.5}pt; font-weight: 400; letter-spacing: 0; min-width: 0; overflow: hidden;
  text-overflow: ellipsis; }`;
}
