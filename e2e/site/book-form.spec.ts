import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer';
import sharp from 'sharp';
import { startBookServices, type BookServices } from '../../test-support/book-services.js';
import { openBrowser, type BrowserWindow, type TestBrowser } from '../../test-support/browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startInstallation, type InstallationProcess } from '../../test-support/installation-process.js';
import { apiCaller, type ApiCaller } from '../api-caller.js';
import { PASSWORDS, signIn, signedIn } from '../people.js';
import { answering, problem } from './calls.js';
import { field } from './field.js';
import { toast } from './toast.js';

const ISBN = 'ISBN is required and must be between 10 and 13 characters.';
const COPIES = 'Copies available is required and must be at least 1.';
const MESSAGES = [
  ['ISBN', ISBN],
  ['Title', 'Title is required.'],
  ['Description', 'Description is required.'],
  ['Authors', 'At least one author is required.'],
  ['Genres', 'At least one genre is required.'],
  ['Publication date', 'Publication date is required.'],
  ['Copies available', COPIES],
  ['Publisher', 'Publisher is required.'],
] as const;

/** A book that the world knows and the library does not have yet. */
const NEW_ISBN = '9791234567896';

describe('the form of a book', () => {
  let services: BookServices;
  let product: InstallationProcess;
  let browser: TestBrowser;
  let window: BrowserWindow;
  let page: BrowserPage;
  let admin: ApiCaller;
  let known: { authors: string[]; genre: string; publisher: string; isbn: string; id: number };
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-covers-'));
    services = await startBookServices();
    product = await startInstallation({
      environment: { OPEN_LIBRARY_URL: `${services.url}/ol/`, GOOGLE_BOOKS_URL: `${services.url}/google` },
    });
    browser = await openBrowser();
    admin = await apiCaller(product.url, 'admin', PASSWORDS.admin);
    const [authors, [genre], [publisher], books] = await Promise.all([
      admin.get<{ fullname: string }[]>('Author'),
      admin.get<{ name: string }[]>('Genre'),
      admin.get<{ name: string }[]>('Publisher'),
      admin.get<{ items: { id: number; isbn: string }[] }>('Book?SortBy=Title&pageNumber=2&pageSize=10'),
    ]);
    const [book] = books.items;
    known = {
      authors: authors.slice(0, 4).map(({ fullname }) => fullname),
      genre: genre?.name ?? '',
      publisher: publisher?.name ?? '',
      isbn: book?.isbn ?? '',
      id: book?.id ?? 0,
    };
    window = await browser.window();
    page = await signedIn(
      window,
      product.url,
      { username: 'admin', password: PASSWORDS.admin },
      '/admin/books/save',
    );
    await page.sees('Add New Book');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const gone = (selector: string) =>
    page.until(async () => (await page.raw.$(selector)) === null, `${selector} is gone`);
  const press = async (selector: string, words: string, where = page) => {
    await where.raw.bringToFront();
    await where.clickOn(`${selector} ::-p-text(${words})`);
  };
  const save = (where = page) => where.click('button', 'Save');
  const chosen = (label: string) =>
    page.raw.evaluate(`(() => {
      const label = [...document.querySelectorAll('label')].find((each) => each.textContent === ${JSON.stringify(label)});
      return [...label.parentElement.querySelectorAll('button[aria-label^="Remove "]')].map((each) =>
        each.getAttribute('aria-label').slice('Remove '.length));
    })()`) as Promise<string[]>;
  const pick = async (label: string, name: string) => {
    // By its role: the menu beside the form has links of the same names.
    const combobox = `::-p-aria([name="${label}"][role="combobox"])`;
    await page.find(combobox);
    await page.raw.locator(combobox).fill(name);
    await page.until(async () => (await page.text('[role="option"]')) === name, `${name} is offered first`);
    await page.raw.keyboard.press('Enter');
    await page.raw.keyboard.press('Tab');
  };
  const file = async (name: string, width: number, height: number) => {
    const path = join(folder, name);
    const picture = sharp({ create: { width, height, channels: 3, background: { r: 170, g: 40, b: 60 } } });
    await picture.png().toFile(path);
    return path;
  };
  const upload = async (path: string) => {
    const input = (await page.raw.$('input[type="file"]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
  };

  describe('for a new one', () => {
    // spec 4.11
    it('says nothing at first, and everything that is missing when it is saved', async () => {
      await page.reads('main h2', 'Add New Book');
      for (const [label] of MESSAGES) await field(page, label).says();
      await save();
      for (const [label, message] of MESSAGES) await field(page, label).says(message);
      expect(await page.raw.evaluate('document.activeElement.name')).toBe('isbn');
      await page.isAt('/admin/books/save');
    });

    // spec 5.14
    it.each([
      ['123456789', [ISBN]],
      ['12345678901234', [ISBN]],
      ['978-0-15-602760-1', []],
      ['0156027607', []],
    ])('takes the ISBN %s by the number of its characters', async (isbn, messages) => {
      await field(page, 'ISBN').type(isbn);
      await field(page, 'ISBN').says(...messages);
    });

    it.each([
      ['0', [COPIES]],
      ['-1', [COPIES]],
      ['1.5', [COPIES]],
      ['2', []],
    ])('takes %s copies, or not', async (copies, messages) => {
      await field(page, 'Copies available').type(copies);
      await field(page, 'Copies available').says(...messages);
    });

    // spec 9.8
    it('shows at most three of the authors that were chosen', async () => {
      for (const author of known.authors) await pick('Authors', author);
      await field(page, 'Authors').says();
      expect(await chosen('Authors')).toEqual(known.authors.slice(0, 3));
      await page.sees('+1 more');
      for (const author of known.authors.slice(0, 3)) await page.click('button', `Remove ${author}`);
      expect(await chosen('Authors')).toEqual(known.authors.slice(3));
    });
  });

  describe('with Fetch Details', () => {
    // spec 5.15
    it('asks for an ISBN first', async () => {
      await field(page, 'ISBN').clear();
      await page.click('button', 'Fetch Details');
      await toast(page, 'warning', 'Please enter an ISBN first!');
      expect(await page.raw.evaluate('document.activeElement.name')).toBe('isbn');
    });

    it('says beside the field that nobody knows the book', async () => {
      await field(page, 'ISBN').type(NEW_ISBN);
      await page.click('button', 'Fetch Details');
      await page.has('main form div[role="alert"]');
      await page.isAt('/admin/books/save');
    });

    it('fills in what the world knows', async () => {
      services.replyJson('/ol/api/books', {
        [`ISBN:${NEW_ISBN}`]: {
          details: {
            title: 'The Phonograph of Ink',
            description: 'A planet with one ocean.',
            authors: [{ name: known.authors[0] }, { name: 'Homer Quill' }],
            publishers: [known.publisher],
            publish_date: 'November 20, 2002',
            subjects: [known.genre],
          },
        },
      });
      await page.click('button', 'Fetch Details');
      await toast(page, 'success', 'Book details fetched successfully!');
      expect(await field(page, 'Title').value()).toBe('The Phonograph of Ink');
      expect(await field(page, 'Description').value()).toBe('A planet with one ocean.');
      expect(await field(page, 'Publication date').value()).toBe('2002-11-20');
      expect(await chosen('Authors')).toEqual([known.authors[0]]);
      expect(await chosen('Genres')).toEqual([known.genre]);
      expect(await chosen('Publisher')).toEqual([known.publisher]);
    });

    it('offers to add a name that the catalogue does not have yet', async () => {
      await page.click('button', 'Add Homer Quill');
      await page.reads('[role="dialog"] h2', 'Add Author');
      expect(await field(page, 'Firstname').value()).toBe('Homer');
      expect(await field(page, 'Lastname').value()).toBe('Quill');
      await field(page, 'Nationality').type('Greek');
      await field(page, 'Biography').type('Sang of ships and the sea.');
      await page.clickOn('[role="dialog"] button[type="submit"]');
      await toast(page, 'success', 'Author successfully added');
      await gone('[role="dialog"]');
      expect(await chosen('Authors')).toEqual([known.authors[0], 'Homer Quill']);
    });
  });

  describe('with names of its own', () => {
    // spec 2.34
    it('adds a genre to those that are chosen', async () => {
      await page.click('button', '+ Add New Genre');
      await field(page, 'Name').type('Quillpunk');
      await field(page, 'Description').type('Feathers and ink.');
      await page.clickOn('[role="dialog"] button[type="submit"]');
      await toast(page, 'success', 'Genre successfully added');
      await gone('[role="dialog"]');
      expect(await chosen('Genres')).toEqual([known.genre, 'Quillpunk']);
    });

    it('puts a new publisher in the place of the one before', async () => {
      await page.click('button', '+ Add New Publisher');
      await field(page, 'Name').type('Quill House');
      await field(page, 'Address').type('ul. Piórkowa 3');
      await field(page, 'Phone').type('+48 123-456-789');
      await field(page, 'Website').type('https://quill.example.com');
      await page.clickOn('[role="dialog"] button[type="submit"]');
      await toast(page, 'success', 'Publisher successfully added');
      await gone('[role="dialog"]');
      expect(await chosen('Publisher')).toEqual(['Quill House']);
    });

    it('adds an author, and goes back with Cancel', async () => {
      await page.click('button', '+ Add New Author');
      expect(await field(page, 'Firstname').value()).toBe('');
      await press('[role="dialog"] button', 'Cancel');
      await gone('[role="dialog"]');
      expect(await chosen('Authors')).toEqual([known.authors[0], 'Homer Quill']);
    });
  });

  describe('with a cover', () => {
    it('refuses what is no picture', async () => {
      const path = join(folder, 'cover.txt');
      writeFileSync(path, 'no picture');
      await upload(path);
      await field(page, 'Cover image').says('The cover has to be a picture: JPEG, PNG, WebP, GIF or AVIF.');
    });

    // spec 9.11
    it('shows the chosen one in at most 200 by 300 pixels', async () => {
      await upload(await file('cover.png', 600, 900));
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
    });

    // spec 2.33
    it('is added with it, and stands in the catalogue', async () => {
      await field(page, 'Copies available').type('2');
      await save();
      await toast(page, 'success', 'Book successfully added');
      await page.isAt('/admin/books');
      await page.goTo('/catalog?q=Phonograph');
      await page.until(
        async () =>
          (await page.raw.evaluate(
            `[...document.querySelectorAll('article img')].some((image) => image.complete && image.naturalWidth > 0)`,
          )) as boolean,
        'the cover in the catalogue',
      );
      await page.sees('The Phonograph of Ink');
    });
  });

  describe('with a cover of any proportion', () => {
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

    it.each([
      ['a tall', 300, 1200],
      ['a wide', 1200, 300],
      ['a small', 40, 50],
    ])('shows of %s picture the very part that its page shows', async (_name, width, height) => {
      await page.goTo(`/admin/books/save/${known.id}`);
      await page.reads('main h2', 'Edit Book');
      await page.has('input[type="file"]');
      await upload(await chart(width, height));
      const before = await seen('img[alt="The chosen cover"]');
      await save();
      await toast(page, 'success', 'Book successfully updated');
      await page.isAt('/admin/books');
      await page.goTo(`/book/${known.id}`);
      // The list has it too, small; and the page may show the one of before until it has asked again.
      const { photo } = await admin.get<{ photo: { url: string } }>(`Book/${known.id}`);
      expect(before.ratio).toBeCloseTo(2 / 3, 1);
      // A picture that was just loaded may not be drawn yet, and what tells of a request may lie over it.
      await page.until(async () => {
        const after = await seen(`main article img[src="${photo.url}"]`);
        expect(after.ratio).toBeCloseTo(2 / 3, 1);
        const apart = before.places.map((level, at) => Math.abs(level - (after.places[at] ?? 0)));
        return Math.max(...apart) < 20;
      }, 'the same part of the picture');
    });
  });

  describe('for a book that is there', () => {
    // spec 4.10
    it('is where Fetch Details leads for an ISBN of the catalogue', async () => {
      await page.goTo('/admin/books/save');
      await page.sees('Add New Book');
      await field(page, 'ISBN').type(known.isbn);
      await page.click('button', 'Fetch Details');
      await page.isAt(`/admin/books/save/${known.id}`);
      await page.sees('Edit Book');
      await page.has('main form');
      await page.until(async () => (await field(page, 'ISBN').value()) === known.isbn, 'the book');
    });

    it('asks before changes are lost', async () => {
      await field(page, 'Title').type('Unsaved title');
      await page.click('link', 'Close');
      await page.sees('Leave without saving?');
      await press('[role="alertdialog"] button', 'Stay');
      await gone('[role="alertdialog"]');
      await page.isAt(`/admin/books/save/${known.id}`);
      expect(await field(page, 'Title').value()).toBe('Unsaved title');
      await page.click('link', 'Close');
      await press('[role="alertdialog"] button', 'Leave');
      await page.isAt('/admin/books');
      await page.until(async () => (await page.route()) === '/admin/books', 'the list');
    });

    it('is not saved over what another window saved, and keeps what was typed', async () => {
      await page.goTo(`/admin/books/save/${known.id}`);
      await page.has('main form');
      const other = await window.page(`${product.url}/#/admin/books/save/${known.id}`);
      await other.has('main form');
      await field(other, 'Copies available').type('7');
      await save(other);
      await toast(other, 'success', 'Book successfully updated');
      await other.raw.close();
      await field(page, 'Title').type('The Other Title');
      await save();
      await page.click('button', 'Load the newer version');
      await page.sees('The newer version is loaded. What you had changed is kept: title.');
      expect(await field(page, 'Title').value()).toBe('The Other Title');
      expect(await field(page, 'Copies available').value()).toBe('7');
      await save();
      await toast(page, 'success', 'Book successfully updated');
      await page.until(async () => (await page.route()) === '/admin/books', 'the list');
      const book = await admin.get<{ title: string; copiesAvailable: number }>(`Book/${known.id}`);
      expect(book).toMatchObject({ title: 'The Other Title', copiesAvailable: 7 });
    });

    it('keeps what was typed when the session ends while it is saved', async () => {
      await page.goTo(`/admin/books/save/${known.id}`);
      await page.has('main form');
      await field(page, 'Description').type('Typed before the session ended.');
      await answering(page, `PUT Book/${known.id}`, problem(401, 'The session is over.'), async () => {
        await save();
        await page.isAt('/login');
      });
      await signIn(page, 'admin', PASSWORDS.admin);
      await page.isAt(`/admin/books/save/${known.id}`);
      await page.has('main form');
      expect(await field(page, 'Description').value()).toBe('Typed before the session ended.');
      await save();
      await toast(page, 'success', 'Book successfully updated');
    });

    // spec 8.14
    it('says on the form why it was not saved', async () => {
      await page.goTo(`/admin/books/save/${known.id}`);
      await page.has('main form');
      await field(page, 'ISBN').type(NEW_ISBN);
      await save();
      await page.until(
        async () => /already/.test((await field(page, 'ISBN').messages()).join()),
        'the ISBN is another book’s',
      );
      await field(page, 'ISBN').type(known.isbn);
      await answering(page, `PUT Book/${known.id}`, problem(500, 'The shelves fell over.'), async () => {
        await save();
        await page.sees('The shelves fell over.');
      });
      await page.isAt(`/admin/books/save/${known.id}`);
    });

    it('asks about a number with a wrong check digit, once', async () => {
      const doubtful = `${known.isbn.slice(0, -1)}${(Number(known.isbn.at(-1)) + 1) % 10}`;
      await field(page, 'ISBN').type(doubtful);
      await save();
      await page.sees('Is this number really printed in the book?');
      await press('[role="alertdialog"] button', 'No, correct it');
      await gone('[role="alertdialog"]');
      await page.until(
        async () => (await page.raw.evaluate('document.activeElement.name')) === 'isbn',
        'the focus is in the ISBN',
      );
      await save();
      await page.sees('Is this number really printed in the book?');
      await press('[role="alertdialog"] button', 'Yes, save it so');
      await toast(page, 'success', 'Book successfully updated');
      expect(await admin.get(`Book/${known.id}`)).toMatchObject({ isbn: doubtful });
    });
  });
});
