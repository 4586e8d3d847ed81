import { copyCode, readCopyCode } from '#contracts/catalogue/copy-code.js';
import { startProduct } from '../../test-support/product.js';
import { withPdfPages, type Area } from '../../test-support/pdf-pages.js';
import { addBooks, download } from '../../test-support/reports.js';
import { shared } from '../../test-support/shared.js';

/** The places of the default sheet, row by row. */
const PLACES: Area[] = Array.from({ length: 24 }, (_, at) => ({
  left: (at % 3) * 70,
  top: 0.5 + Math.floor(at / 3) * 37,
  width: 70,
  height: 37,
}));

describe('the labels of the copies', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));
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
