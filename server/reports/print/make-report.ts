import { PDFDocument } from '@cantoo/pdf-lib';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { localMinute } from '#contracts/local-day.js';
import { REPORT_KINDS } from '#contracts/reports/report.js';
import { currentLanguage } from '#platform/language.js';
import { queryRow } from '#platform/database/query-rows.js';
import * as m from '#words/messages.js';
import { labelSheetSchema } from '../label-sheet.js';
import { writeReportFile } from '../report-file.js';
import { Fonts } from './fonts.js';
import type { PrintedPages } from './html.js';
import { printInventory, type InventoryHead } from './inventory.js';
import { inventoryBooks, labelledBooks, type InventoryBook } from './print-books.js';
import type { PrintFailure, PrintRequest, PrintMessage } from './print-messages.js';
import { Printer } from './printer.js';
import { printStickers } from './stickers.js';
import { readPdf, textOfPages } from './printed-text.js';

/** A limit on paper; a larger report is refused before printing. */
const MAX_ROWS = 100_000;

/** The catalogue does not allow this report. Permanent: a retry would fail too. */
export class ReportRefused extends Error {
  constructor(
    readonly code: PrintFailure,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Prints a report in groups of pages, and writes it to the database once it is complete.
 * @throws PrinterUnavailable, PageUnreadable, ReportRefused
 */
export async function makeReport(
  database: Database,
  order: PrintRequest,
  tell: (report: PrintMessage) => void,
): Promise<void> {
  const report = await queryRow(
    database,
    z.object({ kind: z.enum(REPORT_KINDS), options: z.unknown() }),
    'select kind, options from report where id = $1',
    [order.reportId],
  );
  if (!report) throw new ReportRefused('ReportFailed', 'The report was removed before it was made.');
  const sheet = report.kind === 'stickers' ? labelSheetSchema.parse(report.options) : undefined;
  const books = sheet ? await labelledBooks(database, sheet, order.timeZone) : await inventoryBooks(database);
  refuse(books, sheet !== undefined);
  tell({ kind: 'progress', percent: 2 });

  const printer = await openPrinter(order, (message) => tell({ kind: 'warning', message }));
  try {
    if (printer.pid !== undefined) tell({ kind: 'browser', pid: printer.pid });
    const fonts = new Fonts();
    const onProgress = (share: number) => tell({ kind: 'progress', percent: 4 + Math.floor(share * 94) });
    const printed = sheet
      ? printStickers(printer, fonts, books, sheet, order.library, onProgress)
      : printInventory(printer, fonts, books, headOf(order), onProgress);
    const missing = fonts.missing(books.map(textOf).join(''));
    if (missing.length > 0) {
      tell({
        kind: 'warning',
        message: `No font of the product has these characters: ${missing.slice(0, 20).map(codePoint).join(' ')}`,
      });
    }
    const title = sheet ? m.print_stickers() : m.print_inventory();
    const madeAt = new Date(order.madeAt);
    const joined = await join(printed, { title, author: order.library, madeAt }, new Set(missing));
    const pages = joined.getPageCount();
    await writeReportFile(database, order.reportId, { file: await writePdf(joined), pages, madeAt });
  } finally {
    await printer.close();
  }
}

async function openPrinter(order: PrintRequest, warn: (message: string) => void): Promise<Printer> {
  try {
    return await Printer.open(order.chromium, order);
  } catch (error) {
    if (!order.sandbox || !order.mayDoWithoutSandbox) throw error;
    // Over a pipe the browser does not tell why it ended: without a sandbox it may start.
    const printer = await Printer.open(order.chromium, { ...order, sandbox: false });
    warn('The kernel allows the browser no sandbox. It prints without, as a user who owns nothing.');
    return printer;
  }
}

function refuse(books: InventoryBook[], labels: boolean): void {
  const count = labels ? books.reduce((sum, { copiesTotal }) => sum + copiesTotal, 0) : books.length;
  if (labels && count === 0) {
    throw new ReportRefused('NothingToPrint', m.report_nothing_to_label());
  }
  if (count <= MAX_ROWS) return;
  const tooMany = { count, limit: MAX_ROWS };
  throw new ReportRefused(
    'ReportTooLarge',
    labels ? m.report_too_many_labels(tooMany) : m.report_too_many_titles(tooMany),
  );
}

/** Joins the pages after checking each. */
async function join(
  printed: AsyncIterable<PrintedPages>,
  about: DocumentInfo,
  missing: Set<string>,
): Promise<PDFDocument> {
  const report = await newPdf(about);
  for await (const { pdf, expected } of printed) {
    const pages = await readPdf(pdf);
    checkPages(pages, expected, report.getPageCount(), (character) => missing.has(character));
    await addPages(report, pages);
  }
  return report;
}

function headOf({ library, head, foot, madeAt, timeZone }: PrintRequest): InventoryHead {
  return { library, head, foot, madeAt: localMinute(madeAt, timeZone) };
}

const textOf = (book: InventoryBook) =>
  [book.isbn, book.title, ...book.authors, ...book.genres, book.publisher ?? ''].join('').normalize('NFC');

const codePoint = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A page lacks something. Such a file is worse than none, as nobody checks for what is missing. */
class PageUnreadable extends Error {}

/** Ligatures and direction marks do not change the text. White space does not count. */
const comparable = (text: string) =>
  text.normalize('NFKC').replace(/[\s\p{Cf}\p{Cc}\ufe00-\ufe0f\u00ad]/gu, '');

/** Right-to-left scripts, or letters shaped by their neighbours: printed in another order. */
const REORDERED = /[\u0590-\u08ff\u0900-\u0dff\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * Extracts the text of printed pages, and checks that each contains what it should.
 * @param expected texts on each page
 * @param missing whether none of our fonts has this character
 * @throws PageUnreadable naming the page and what is missing
 */
function checkPages(
  printed: PDFDocument,
  expected: string[][],
  firstPage: number,
  missing: (character: string) => boolean,
): void {
  const texts = textOfPages(printed);
  if (texts.length !== expected.length) {
    throw new PageUnreadable(`${expected.length} pages were laid out and ${texts.length} were printed.`);
  }
  for (const [at, wanted] of expected.entries()) {
    const page = comparable(texts[at] ?? '');
    if (wanted.length > 0 && page === '')
      throw new PageUnreadable(`Page ${firstPage + at + 1} came out blank.`);
    const letters = counts(page);
    for (const text of wanted) {
      const readable = [...comparable(text)].filter((character) => !missing(character)).join('');
      const whole = readable === comparable(text) && !REORDERED.test(readable);
      if (whole ? page.includes(readable) : hasLetters(letters, readable)) continue;
      throw new PageUnreadable(`Page ${firstPage + at + 1} came out without “${text}”.`);
    }
  }
}

function counts(text: string): Map<string, number> {
  const counted = new Map<string, number>();
  for (const character of text) counted.set(character, (counted.get(character) ?? 0) + 1);
  return counted;
}

function hasLetters(letters: Map<string, number>, text: string): boolean {
  return [...counts(text)].every(([character, count]) => (letters.get(character) ?? 0) >= count);
}

/** Metadata of the joined document. */
interface DocumentInfo {
  title: string;
  author: string;
  madeAt: Date;
}

/** Creates the document that printed pages are appended to. */
async function newPdf({ title, author, madeAt }: DocumentInfo): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setAuthor(author);
  document.setProducer('Lectern');
  document.setCreationDate(madeAt);
  document.setLanguage(currentLanguage());
  return document;
}

/** Appends all pages of another document. */
async function addPages(document: PDFDocument, other: PDFDocument): Promise<void> {
  for (const page of await document.copyPages(other, other.getPageIndices())) document.addPage(page);
}

/** The bytes of the file. Compressing its few other objects would take as long as all the rest. */
async function writePdf(document: PDFDocument): Promise<Buffer> {
  const bytes = await document.save({
    useObjectStreams: false,
    objectsPerTick: Infinity,
    addDefaultPage: false,
  });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
