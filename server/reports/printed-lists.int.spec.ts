import { copyCode, readCopyCode } from '#contracts/catalogue/copy-code.js';
import { startProduct } from '../../test-support/product/product.js';
import { canaryTexts, startCanary } from '../../test-support/arbitraries/canary-texts.js';
import { withPdfPages, type Area } from '../../test-support/services/pdf-pages.js';
import { addBooks, download, type Download } from '../../test-support/product/reports.js';
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

const product = shared(() => startProduct());
const admin = shared(() => product.account('Admin'));

describe('the inventory of books', () => {
  let report: Download;
  let beside: Download;
  const pages: { text: string; width: number; height: number }[] = [];
  let books: Awaited<ReturnType<typeof addBooks>>;

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

// The inventory leaves no book behind.
/** The places of the default sheet, row by row. */
const PLACES: Area[] = Array.from({ length: 24 }, (_, at) => ({
  left: (at % 3) * 70,
  top: 0.5 + Math.floor(at / 3) * 37,
  width: 70,
  height: 37,
}));

describe('the labels of the copies', () => {
  beforeAll(async () => {
    await addBooks(product, [
      { title: 'Ächte Lager', copies: 7 },
      { title: '吾輩は猫である', copies: 3 },
      { title: 'Nobody owns this one', copies: 0 },
      ...Array.from({ length: 20 }, (_, at) => ({
        title: `The story of ${at} and of everything that happened to everybody after it was told`,
        copies: 2,
      })),
    ]);
  });

  /** The codes as the database has them, in the order of the labels. */
  async function codes(where = 'true'): Promise<string[]> {
    const rows = await product.rows<{ id: number; copies: number }>(
      `select id, copies_total as copies from book where ${where} order by title collate "pl-x-icu", id`,
    );
    return rows.flatMap(({ id, copies }) =>
      Array.from({ length: copies }, (_, at) => copyCode({ bookId: id, copy: at + 1 })),
    );
  }

  // spec 2.42, 7.19
  it('are one for each copy, and a scanner reads every one of them', async () => {
    const { pdf, ...answer } = await download(product, admin, 'generate-stickers');
    expect(answer).toMatchObject({
      status: 200,
      type: 'application/pdf',
      disposition: 'attachment; filename="InventoryStickers.pdf"',
    });
    const expected = await codes();
    expect(expected).toHaveLength(50);
    const scanned: string[] = [];
    const words: string[] = [];
    const pages = await withPdfPages(pdf, async ({ texts, width, height, barcodes }) => {
      expect([Math.round(width), Math.round(height)]).toEqual([210, 297]);
      words.push(...texts.map(({ text }) => text));
      scanned.push(...(await barcodes(PLACES)).flat());
    });
    expect(pages).toBe(3);
    expect(scanned).toEqual(expected);
    const text = words.join('').replace(/\s/g, '');
    for (const code of expected) expect(text).toContain(code);
    expect(text.match(/吾輩は猫である/g)).toHaveLength(3);
    expect(text).not.toContain('Nobodyowns');
  });

  it('begin where a sheet was left, on a sheet of another kind, for some of the books', async () => {
    const [first = ''] = await codes(`title = 'Ächte Lager'`);
    const { bookId: id = 0 } = readCopyCode(first) ?? {};
    // Its label is taken off: the numbers of the others stay.
    const gone = copyCode({ bookId: id, copy: 2 });
    expect((await admin.post(`Copy/${gone}/withdraw`)).status).toBe(200);
    const query = `columns=2&rows=5&labelWidth=90&labelHeight=50&marginLeft=10&marginTop=15&gapX=4&gapY=2&start=8&bookIds=${id}`;
    const { pdf } = await download(product, admin, `generate-stickers?${query}`);
    const places = Array.from({ length: 10 }, (_, at) => ({
      left: 10 + (at % 2) * 94,
      top: 15 + Math.floor(at / 2) * 52,
      width: 90,
      height: 50,
    }));
    const scanned: string[][] = [];
    await withPdfPages(pdf, async ({ barcodes }) => {
      scanned.push(...(await barcodes(places)));
    });
    const expected = [1, 3, 4, 5, 6, 7].map((copy) => [copyCode({ bookId: id, copy })]);
    const none = (count: number) => Array.from({ length: count }, () => []);
    expect(scanned).toEqual([...none(7), ...expected, ...none(7)]);
  });

  it('are for the books that came since a day', async () => {
    await product.rows(`update book set created = '2020-01-01' where title <> '吾輩は猫である'`);
    const { pdf } = await download(product, admin, 'generate-stickers?addedSince=2021-01-01');
    const printed: string[] = [];
    await withPdfPages(pdf, ({ texts }) => {
      printed.push(
        ...(texts
          .map(({ text }) => text)
          .join(' ')
          .match(/\b\d+-\d+-\d\b/g) ?? []),
      );
    });
    expect(printed).toEqual(await codes(`title = '吾輩は猫である'`));
    const none = await download(product, admin, 'generate-stickers?addedSince=2999-01-01');
    expect([none.status, none.body.code]).toEqual([409, 'NothingToPrint']);
  });

  it.each([
    ['start=25', 'start'],
    ['columns=4', 'labelWidth'],
    ['rows=9', 'labelHeight'],
    ['marginLeft=5', 'labelWidth'],
    ['columns=6&labelWidth=30', 'labelWidth'],
    ['columns=0', 'columns'],
    ['columns=two', 'columns'],
    ['bookIds=1,x', 'bookIds.1'],
    ['addedSince=yesterday', 'addedSince'],
    ['colums=3', 'request'],
  ])('are refused with %s', async (query, field) => {
    const { status, body } = await download(product, admin, `generate-stickers?${query}`);
    expect([status, body.code, Object.keys(body.errors ?? {})]).toEqual([400, 'ValidationFailed', [field]]);
  });
});
