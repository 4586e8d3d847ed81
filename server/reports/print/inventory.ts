import { isInternalNumber, yearText } from '#contracts/catalogue/book-facts.js';
import * as m from '#words/messages.js';
import type { Fonts } from './fonts.js';
import { escapeMarkup } from '#platform/markup.js';
import { htmlDocument, printed, textElement, type PrintedPages, pageStyle } from './html.js';
import type { InventoryBook } from './print-books.js';
import type { Printer } from './printer.js';

/** Shown on every page. */
export interface InventoryHead {
  library: string;
  /** The library's own words on the first page, and at the foot of each; empty for none. */
  head: string;
  foot: string;
  /** In local time, `yyyy-MM-dd HH:mm`. */
  madeAt: string;
}

/** Batch sizes of measured rows and printed pages: some 250 MB of browser memory. */
const MEASURED = 800;
const PAGES = 30;
/** Named authors of one book, at most. */
const MAX_AUTHORS = 12;
/** Characters of a title in the running head, at most. */
const GUIDE = 44;

const HEADINGS = [m.common_isbn, m.common_book_title, m.common_authors, m.common_genre, m.common_publisher];
const NUMBERS = [m.print_year, m.print_copies];
const TOTALS = [m.common_titles, m.common_copies, m.common_on_shelf, m.print_total_lent];

/**
 * Prints the inventory of these books, in their order. Rows are measured first, so that none is split between pages and
 * every page knows their number, though only a few pages are in the browser at a time.
 * @param onProgress receives the completed share, from 0 to 1
 */
export async function* printInventory(
  printer: Printer,
  fonts: Fonts,
  books: InventoryBook[],
  head: InventoryHead,
  onProgress: (share: number) => void,
): AsyncGenerator<PrintedPages> {
  const rows = books.map(rowOf);
  const heights: number[] = [];
  for (let from = 0; from < rows.length; from += MEASURED) {
    const batch = rows.slice(from, from + MEASURED);
    const body = `<div class="measured">${batch.map(({ html }) => html).join('')}</div>`;
    heights.push(...(await printer.measure(documentOf(fonts, batch, head, body), '.row')));
    onProgress((0.3 * heights.length) / rows.length);
    await printer.refresh();
  }
  const pages = intoPages(rows, heights);
  const totals = totalsOf(books);
  for (let from = 0; from < pages.length; from += PAGES) {
    const some = pages.slice(from, from + PAGES);
    const body = some
      .map((page, at) => pageHtml(page, from + at, pages.length, head, from + at === 0 ? totals : undefined))
      .join('');
    yield {
      pdf: await printer.print(documentOf(fonts, some.flat(), head, body)),
      expected: some.map((page, at) => [
        ...HEADINGS.map((heading) => heading()),
        ...page.flatMap(({ isbn, title }) => [isbn, title]),
        m.print_page_of({ page: from + at + 1, pages: pages.length }),
      ]),
    };
    onProgress(0.3 + (0.7 * (from + some.length)) / pages.length);
    await printer.refresh();
  }
}

interface Row {
  isbn: string;
  title: string;
  texts: string[];
  html: string;
}

function rowOf(book: InventoryBook): Row {
  // An internal number is on its labels; it is no ISBN.
  const [isbn, title, publisher] = [
    isInternalNumber(book.isbn) ? '' : book.isbn,
    book.title,
    book.publisher ?? '',
  ].map(printed) as [string, string, string];
  const more = book.authors.length - MAX_AUTHORS;
  const named = book.authors.slice(0, MAX_AUTHORS).map(printed).join(', ');
  const authors = more > 0 ? m.print_authors_and_more({ authors: named, count: more }) : named;
  const genres = book.genres.map(printed).join(', ');
  return {
    isbn,
    title,
    texts: [isbn, title, authors, genres, publisher],
    html: `<div class="row"><div class="isbn">${escapeMarkup(isbn)}</div>${textElement('div', 'title', title)}${textElement('div', 'authors', authors)}${textElement('div', 'genres', genres)}${textElement('div', 'publisher', publisher)}<div class="number">${yearText(book.published)}</div><div class="number">${book.copiesAvailable} / ${book.copiesTotal}</div></div>`,
  };
}

/** Distributes rows over pages; at least one page. */
function intoPages(rows: Row[], heights: number[]): Row[][] {
  const pages: Row[][] = [[]];
  let room = roomForRows(0);
  for (const [at, row] of rows.entries()) {
    const height = heights[at] ?? 0;
    let page = pages[pages.length - 1] ?? [];
    if (height > room && page.length > 0) {
      room = roomForRows(pages.length);
      page = [];
      pages.push(page);
    }
    page.push(row);
    room -= height;
  }
  return pages;
}

function totalsOf(books: InventoryBook[]): [name: string, value: string][] {
  const owned = books.reduce((sum, { copiesTotal }) => sum + copiesTotal, 0);
  const shelf = books.reduce((sum, { copiesAvailable }) => sum + copiesAvailable, 0);
  const values = [books.length, owned, shelf, owned - shelf];
  return TOTALS.map((name, at) => [name(), (values[at] ?? 0).toLocaleString('en').replaceAll(',', '\u202f')]);
}

function pageHtml(
  rows: Row[],
  at: number,
  pages: number,
  { library, head, foot, madeAt }: InventoryHead,
  totals: [string, string][] | undefined,
): string {
  const top = totals
    ? `<header class="masthead"><div>${textElement('div', 'library', library)}<div class="what">${escapeMarkup(m.print_inventory())}</div>${own(head)}</div><dl class="totals">${totals.map(([name, value]) => `<div><dd>${value}</dd><dt>${escapeMarkup(name)}</dt></div>`).join('')}</dl></header>`
    : `<header class="running"><div>${escapeMarkup(m.print_inventory_of_library({ library }))}</div>${textElement('div', 'guide', guide(rows))}</header>`;
  const heads = [
    ...HEADINGS.map((heading) => `<div>${escapeMarkup(heading())}</div>`),
    ...NUMBERS.map((heading) => `<div class="number">${escapeMarkup(heading())}</div>`),
  ].join('');
  const empty = rows.length === 0 ? `<div class="empty">${escapeMarkup(m.print_no_books())}</div>` : '';
  return `<section class="page${totals ? ' first' : ''}">${top}<div class="body"><div class="head">${heads}</div>${rows.map(({ html }) => html).join('')}${empty}</div><footer class="foot"><div>${escapeMarkup(m.print_copies_explained({ at: madeAt }))}</div><div>${escapeMarkup(m.print_page_of({ page: at + 1, pages }))}</div>${own(foot)}</footer></section>`;
}

const own = (text: string) => (text === '' ? '' : textElement('div', 'own', text));

/** The first and the last title of a page, as in a dictionary. */
function guide(rows: Row[]): string {
  const ends = [rows[0], rows[rows.length - 1]].map((row) => {
    const letters = [...(row?.title ?? '')];
    return letters.length > GUIDE ? `${letters.slice(0, GUIDE).join('').trimEnd()}…` : letters.join('');
  });
  return ends.join(' – ');
}

function documentOf(fonts: Fonts, rows: Row[], head: InventoryHead, body: string): string {
  const said = [...HEADINGS, ...NUMBERS, ...TOTALS, m.print_inventory, m.print_no_books].map((say) => say());
  const texts = [
    ...said,
    head.head,
    head.foot,
    m.print_page_of({ page: '0123456789', pages: '–…' }),
    m.print_copies_explained({ at: head.madeAt }),
    m.print_inventory_of_library(head),
    ...rows.flatMap(({ texts }) => texts),
  ];
  return htmlDocument(
    m.print_inventory(),
    `${fonts.faceRules(texts)}${fonts.families()}${INVENTORY_STYLE}`,
    body,
  );
}

/** A4 landscape, as the ledgers that it replaces: one line per book, seldom two. */
const WIDTH = 297;
const HEIGHT = 210;

/** From the top of the paper to the first row, in millimetres: on the first page, and on the others. */
const FIRST_ROWS_AT = 50;
const ROWS_AT = 24;
/** The space below the last row: the footer, and a margin for rounding. */
const BELOW_ROWS = 16;

/** The height available for rows on a page, in millimetres. */
const roomForRows = (page: number) => HEIGHT - BELOW_ROWS - (page === 0 ? FIRST_ROWS_AT : ROWS_AT);

const INVENTORY_STYLE = `${pageStyle(WIDTH, HEIGHT)}
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
.own { font-size: 7pt; line-height: 1.3; }
.masthead .own { margin-top: 1mm; max-width: 150mm; }
.foot .own { position: absolute; top: 100%; left: 0; right: 0; margin-top: 0.6mm; overflow: hidden; }
.empty { padding: 8mm 0; font: 400 11pt var(--serif); }
.measured { width: 269mm; }`;
