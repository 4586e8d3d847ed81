import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer';
import sharp from 'sharp';
import { sharedFolder } from '../../test-support/shared.js';
import { siteUnderTest } from '../site-under-test.js';
import { field } from './field.js';
import { toast } from './toast.js';

describe('the administration of the catalogue', () => {
  let bookId: number;
  const { pageOf, callerOf } = siteUnderTest();
  const admin = callerOf('admin');
  const page = pageOf('admin');
  const folder = sharedFolder();

  beforeAll(async () => {
    const { items } = await admin.get<{ items: { id: number }[] }>(
      'Book?SortBy=Title&pageNumber=2&pageSize=10',
    );
    bookId = items[0]?.id ?? 0;
  });

  const gone = (selector: string) =>
    page.until(async () => (await page.raw.$(selector)) === null, `${selector} is gone`);
  const edit = async () => {
    await page.goTo(`/admin/books/save/${bookId}`);
    await page.reads('main h2', 'Edit book');
    await page.has('input[type="file"]');
  };
  const save = () => page.click('button', 'Save');
  const upload = async (path: string) => {
    const input = (await page.raw.$('input[type="file"]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
  };
  /** Red grows to the right and green downwards: of each place one sees where in the picture it is. */
  const chart = async (width: number, height: number) => {
    const pixels = Buffer.alloc(width * height * 3, 90);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        pixels[(y * width + x) * 3] = (255 * x) / width;
        pixels[(y * width + x) * 3 + 1] = (255 * y) / height;
      }
    }
    const path = join(folder, `${width}-by-${height}.png`);
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(path);
    return path;
  };
  /** What is to be seen of it, without its edges, in 8 by 12 places. */
  const seen = async (selector: string) => {
    const image = await page.find(selector);
    const isLoaded = `[...document.images].some((image) => image.matches(${JSON.stringify(selector)}) && image.naturalWidth > 0)`;
    await page.until(async () => (await page.raw.evaluate(isLoaded)) as boolean, 'the picture');
    await image.scrollIntoView();
    // It is drawn only once it is decoded, which the page does not wait for.
    await image.evaluate((shown) => (shown as unknown as { decode(): Promise<void> }).decode());
    const shot = sharp(await image.screenshot());
    const { width, height } = await shot.metadata();
    const inner = { left: 8, top: 8, width: width - 16, height: height - 16 };
    const { data } = await shot
      .extract(inner)
      .resize(8, 12, { fit: 'fill' })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { ratio: width / height, places: [...data] };
  };

  // spec 9.11
  it('shows a chosen cover in at most 200 by 300 pixels, and in the list in 50 by 50', async () => {
    await edit();
    const path = join(folder, 'cover.png');
    const picture = { width: 600, height: 900, channels: 3 as const, background: { r: 170, g: 40, b: 60 } };
    await sharp({ create: picture }).png().toFile(path);
    await upload(path);
    await field(page, 'Cover image').says();
    const size = await page.until(
      async () =>
        (await page.raw.evaluate(`(() => {
          const image = document.querySelector('img[alt="The chosen cover"]');
          return image?.naturalWidth ? [image.naturalWidth, image.width, image.height] : false;
        })()`)) as number[] | false,
      'the preview',
    );
    expect(size[0]).toBe(600);
    expect(size[1]).toBeLessThanOrEqual(200);
    expect(size[2]).toBeLessThanOrEqual(300);
    expect(size[2]).toBeGreaterThan(250);
    await save();
    await toast(page, 'success', 'Book saved');
    await page.isAt('/admin/books');
    await page.has('[data-book-id] h3 button > :first-child');
    const thumbnail = await page.raw.$eval('[data-book-id] h3 button > :first-child', (cover) => {
      const { width, height } = cover.getBoundingClientRect();
      return [width, height];
    });
    expect(thumbnail).toEqual([50, 50]);
  });

  it.each([
    ['a tall', 300, 1200],
    ['a wide', 1200, 300],
    ['a small', 40, 50],
  ])('shows of %s cover the very part that the book’s page shows', async (_name, width, height) => {
    await edit();
    await upload(await chart(width, height));
    const before = await seen('img[alt="The chosen cover"]');
    await save();
    await toast(page, 'success', 'Book saved');
    await page.isAt('/admin/books');
    await page.goTo(`/book/${bookId}`);
    // The list has it too, small; and the page may show the one of before until it has asked again.
    const { photo } = await admin.get<{ photo: { url: string } }>(`Book/${bookId}`);
    expect(before.ratio).toBeCloseTo(2 / 3, 1);
    // A picture that was just loaded may not be drawn yet, and what tells of a request may lie over it.
    await page.until(async () => {
      const after = await seen(`main article img[src="${photo.url}"]`);
      expect(after.ratio).toBeCloseTo(2 / 3, 1);
      const apart = before.places.map((level, at) => Math.abs(level - (after.places[at] ?? 0)));
      return Math.max(...apart) < 20;
    }, 'the same part of the picture');
  });

  it('makes one of two spellings of an author from the list of duplicates, and two again from the toast', async () => {
    const known = await admin.get<{
      items: { id: number; firstname: string; lastname: string; fullname: string }[];
    }>('Author/paginated?SearchTerm=rowling&pageNumber=1&pageSize=10');
    const [first] = known.items;
    const { id } = await admin.post<{ id: number }>('Author/add', {
      firstname: `${first?.firstname} .`,
      lastname: first?.lastname,
      nationality: 'British',
      biography: 'The same, in another spelling.',
    });
    const proposal = `[data-proposal="${first?.id},${id}"]`;
    await page.goTo('/admin/authors');
    await page.has('table[aria-busy="false"]');
    await page.clickOn('main a ::-p-text(Find duplicates)');
    await page.has(proposal);
    await page.clickOn(`${proposal} button`);
    await page.has('[role="dialog"] input[type="radio"]:checked');
    // The one with books is proposed to stay.
    await page.clickOn(`[role="dialog"] button ::-p-text(Merge 1 into ${first?.fullname})`);
    await gone('[role="dialog"]');
    await gone(proposal);
    await page.clickOn('.Toastify__toast button ::-p-text(Undo merge)');
    await page.has(proposal);
    await page.goTo('/admin/duplicates?part=merges');
    await page.sees('Undone');
    expect((await admin.get<{ id: number }>(`Author/${id}`)).id).toBe(id);
  });
});
