import { startProduct } from '../../test-support/product.js';
import { canaryTexts, startCanary } from '../../test-support/canary-texts.js';
import { withPdfPages } from '../../test-support/pdf-pages.js';
import { addBooks, download, type Download } from '../../test-support/reports.js';
import { shared } from '../../test-support/shared.js';
import { readPdf, textOfPages } from './print/printed-text.js';

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
/** Has characters that no font has. */
const SIAMESE = 'ทดสอบ Siamese \u{1f9ff} \ue000';
/** More than are measured, and fill more pages than are printed, at once. */
const MANY = 820;

const plain = (text: string) => text.normalize('NFKC').replace(/\s/g, '');
const letters = (text: string) => [...plain(text)].sort().join('');

describe('the inventory of books', () => {
  let report: Download;
  let beside: Download;
  const pages: { text: string; width: number; height: number }[] = [];
  let books: Awaited<ReturnType<typeof addBooks>>;

  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));
  const inventory = () => download(product, admin, 'bookRaport');
  const textOf = async ({ pdf }: Download) => plain(textOfPages(await readPdf(pdf)).join(''));
  beforeAll(async () => {
    const titles = [...LEFT_TO_RIGHT, ...RIGHT_TO_LEFT];
    books = await addBooks(product, [
      ...titles.map((title) => ({ title, copies: 3 })),
      { title: SIAMESE },
      ...Array.from({ length: MANY - titles.length - 1 }, () => ({})),
    ]);
    await product.rows('update book set copies_available = 1 where title = any($1)', RIGHT_TO_LEFT);
    [report, beside] = await Promise.all([inventory(), inventory()]);
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
    const rows = await product.rows<{ isbn: string }>(
      'select isbn from book order by title collate "pl-x-icu", id',
    );
    const printed = [...text.matchAll(/979\d{10}/g)].map(([isbn]) => isbn);
    expect(printed).toEqual(rows.map(({ isbn }) => isbn));
    const apart = [SIAMESE, ...RIGHT_TO_LEFT];
    const missing = books.filter(({ title }) => !apart.includes(title) && !text.includes(plain(title)));
    expect(missing).toEqual([]);
    // What can be printed of a title is.
    expect(text).toContain('Siamese');
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

  it('is one file for all who ask at once or a moment later', async () => {
    expect(beside.pdf.equals(report.pdf)).toBe(true);
    expect((await inventory()).pdf.equals(report.pdf)).toBe(true);
  });

  it('is another once the catalogue has changed; it and the labels print texts as texts: none runs, calls anybody or shows a file', async () => {
    await product.rows('delete from book where title ~ $1', '^Book');
    await product.rows(`update author set lastname = 'Penname'`);
    const canary = await startCanary();
    try {
      const hostile = canaryTexts(canary.host).map((text) => ({
        ...{ title: text.slice(0, 500), authors: [{ firstname: text, lastname: text }] },
        ...{ genres: [text], publisher: text },
      }));
      await addBooks(product, hostile);
      for (const path of ['bookRaport', 'generate-stickers']) {
        const answer = await download(product, admin, path);
        expect(answer.status).toBe(200);
        const text = await textOf(answer);
        for (const { title } of hostile) expect(text).toContain(plain(title).slice(0, 15));
        expect(text).not.toMatch(/root:x:0|(?<!')RAN/);
        expect(text).toContain('Penname');
        const count = LEFT_TO_RIGHT.length + RIGHT_TO_LEFT.length + 1 + hostile.length;
        if (path === 'bookRaport') expect(text).toContain(`Inventoryofbooks${count}Titles`);
      }
      expect(canary.calls).toEqual([]);
    } finally {
      await canary.close();
    }
  });

  it('of no books says so', async () => {
    await product.rows('delete from book');
    expect(await textOf(await inventory())).toContain(plain('There are no books in the catalogue yet.'));
  });
});
