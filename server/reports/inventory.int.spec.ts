import { startProduct } from '../../test-support/product.js';
import { canaryTexts, startCanary } from '../../test-support/canary-texts.js';
import { withPdfPages } from '../../test-support/pdf-pages.js';
import { addBooks, download, type Download } from '../../test-support/reports.js';
import { shared } from '../../test-support/shared.js';
import { readPdf } from './print/make-report.js';
import { textOfPages } from './print/printed-text.js';

const LEFT_TO_RIGHT = [
  'Zażółć gęślą jaźń, czyli ﬁlozoﬁa łąki',
  '吾輩は猫である',
  '红楼梦',
  '채식주의자',
  'Война и мир',
  'Η Οδύσσεια',
  'Dế Mèn phiêu lưu ký',
  '<b>Tom & "Jerry"</b> {{x}}',
  'A title that goes on and on '.repeat(16).trim(),
];
const RIGHT_TO_LEFT = ['ثلاثية غرناطة', 'סיפור על אהבה וחושך'];
/** More than are measured, and fill more pages than are printed, at once. */
const MANY = 850;

const plain = (text: string) => text.normalize('NFKC').replace(/\s/g, '');
const letters = (text: string) => [...plain(text)].sort().join('');

describe('the inventory of books', () => {
  let report: Download;
  const pages: { text: string; width: number; height: number }[] = [];
  let books: Awaited<ReturnType<typeof addBooks>>;

  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));
  beforeAll(async () => {
    const titles = [...LEFT_TO_RIGHT, ...RIGHT_TO_LEFT];
    books = await addBooks(product, [
      ...titles.map((title) => ({ title, copies: 3 })),
      ...Array.from({ length: MANY - titles.length }, () => ({})),
    ]);
    await product.database.query('update book set copies_available = 1 where title = any($1)', [
      RIGHT_TO_LEFT,
    ]);
    report = await download(product, admin, 'bookRaport');
    await withPdfPages(report.pdf, ({ texts, width, height }) => {
      pages.push({ text: plain(texts.map(({ text }) => text).join('')), width, height });
    });
  });

  // spec 1.6
  it('is a file to be saved under its name', () => {
    expect({ ...report, pdf: undefined }).toMatchObject({
      status: 200,
      type: 'application/pdf',
      disposition: 'attachment; filename="BookRaport.pdf"',
      length: report.pdf.length,
    });
  });

  // spec 7.19
  it('has every book once, in the order of the titles', async () => {
    const text = pages.map((page) => page.text).join('');
    const rows = await product.database.query<{ isbn: string }>(
      'select isbn from book order by title collate "pl-x-icu", id',
    );
    const printed = [...text.matchAll(/979\d{10}/g)].map(([isbn]) => isbn);
    expect(printed).toEqual(rows.rows.map(({ isbn }) => isbn));
    const missing = books.filter(
      ({ title }) => !RIGHT_TO_LEFT.includes(title) && !text.includes(plain(title)),
    );
    expect(missing).toEqual([]);
  });

  it('has titles that are written from right to left', async () => {
    const text = textOfPages(await readPdf(report.pdf)).join('');
    const foreign = text.match(/[\u0590-\u06ff ]{8,}/g)?.map(letters) ?? [];
    for (const title of RIGHT_TO_LEFT)
      expect(foreign.some((found) => found.includes(letters(title)))).toBe(true);
  });

  it('numbers its pages and repeats the heads of the columns on each', () => {
    expect(pages.length).toBeGreaterThan(30);
    for (const [at, { text, width, height }] of pages.entries()) {
      expect(text).toContain(`Page${at + 1}of${pages.length}`);
      expect(text).toContain('ISBNTitleAuthorsGenrePublisherYearCopies');
      expect(text).toContain(at === 0 ? 'Inventoryofbooks' : 'Lectern,inventoryofbooks');
      expect([Math.round(width), Math.round(height)]).toEqual([297, 210]);
    }
  });

  it('says whose it is, of when, and how many', () => {
    const copies = MANY + 2 * (LEFT_TO_RIGHT.length + RIGHT_TO_LEFT.length);
    const lent = 2 * RIGHT_TO_LEFT.length;
    expect(pages[0]?.text).toContain(
      `LecternInventoryofbooks${MANY}Titles${copies}Copies${copies - lent}Ontheshelf${lent}Lent`,
    );
    expect(pages[0]?.text).toContain(new Date().toISOString().slice(0, 4));
    expect(pages.map(({ text }) => text).join('')).toContain('1/3');
  });

  it('is one file for all who ask at once or a moment later, and another once the catalogue has changed', async () => {
    await product.database.query('delete from book where title ~ $1', ['^Book']);
    const [first, beside] = await Promise.all([
      download(product, admin, 'bookRaport'),
      download(product, admin, 'bookRaport'),
    ]);
    const later = await download(product, admin, 'bookRaport');
    expect([first.status, beside.pdf.equals(first.pdf), later.pdf.equals(first.pdf)]).toEqual([
      200,
      true,
      true,
    ]);
    expect(plain(textOfPages(await readPdf(later.pdf)).join(''))).toContain(
      `Inventoryofbooks${LEFT_TO_RIGHT.length + RIGHT_TO_LEFT.length}Titles`,
    );
    await product.database.query(`update author set lastname = 'Penname'`);
    const other = await download(product, admin, 'bookRaport');
    expect(textOfPages(await readPdf(other.pdf)).join('')).toContain('Penname');
  });

  it('prints what it can of a title with characters that no font has', async () => {
    await addBooks(product, [{ title: 'ทดสอบ Siamese \u{1f9ff} \ue000' }]);
    const answer = await download(product, admin, 'bookRaport');
    expect(answer.status).toBe(200);
    expect(plain(textOfPages(await readPdf(answer.pdf)).join(''))).toContain('Siamese');
  });

  it('of no books says so', async () => {
    await product.database.query('delete from book');
    const { pdf } = await download(product, admin, 'bookRaport');
    expect(textOfPages(await readPdf(pdf))).toEqual([
      expect.stringContaining('There are no books in the catalogue yet.'),
    ]);
  });

  it('and the labels print texts as texts: none runs, calls anybody or shows a file', async () => {
    const canary = await startCanary();
    try {
      const texts = canaryTexts(canary.host);
      const hostile = texts.map((text) => ({
        title: text.slice(0, 500),
        authors: [{ firstname: text, lastname: text }],
        genres: [text],
        publisher: text,
        copies: 1,
      }));
      await addBooks(product, hostile);
      for (const path of ['bookRaport', 'generate-stickers']) {
        const { status, pdf } = await download(product, admin, path);
        expect(status).toBe(200);
        const text = plain(textOfPages(await readPdf(pdf)).join(''));
        for (const { title } of hostile) expect(text).toContain(plain(title).slice(0, 15));
        expect(text).not.toMatch(/root:x:0|(?<!')RAN/);
      }
      expect(canary.calls).toEqual([]);
    } finally {
      await canary.close();
    }
  });
});
