import { openBrowser, type TestBrowser } from '../../test-support/browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startInstallation, type InstallationProcess } from '../../test-support/installation-process.js';
import { apiCaller, type ApiCaller } from '../api-caller.js';
import { PASSWORDS, signedIn } from '../people.js';
import { answering, problem } from './calls.js';
import { canPress, field } from './field.js';
import { toast } from './toast.js';

interface Kind {
  noun: 'Author' | 'Genre' | 'Publisher';
  route: string;
  heading: string;
  addButton: string;
  /** Of the search box, and of its placeholder. */
  plural: string;
  columns: string[];
  /** Each sort's value, its words, and the column that it orders, the other way round with a minus before it. */
  sorts: [value: string, words: string, column: string][];
  /** Label, message, a text that holds, and one that the server refuses under the field. */
  fields: [label: string, message: string, good: string, bad: string][];
  added: string;
  updated: string;
  deleted: string;
  notAdded: string;
  notUpdated: string;
  question: string;
}

const KINDS: Kind[] = [
  {
    noun: 'Author',
    route: '/admin/authors',
    heading: 'Authors',
    addButton: 'Add Author',
    plural: 'authors',
    columns: ['ID', 'Firstname', 'Lastname', 'Nationality', 'Actions'],
    sorts: [
      ['Firstname', 'Firstname', 'Firstname'],
      ['Lastname', 'Lastname', 'Lastname'],
      ['Nationality', 'Nationality', 'Nationality'],
    ],
    fields: [
      ['Firstname', 'Firstname is required (2-50 characters).', 'Żaneta', 'Ż'],
      ['Lastname', 'Lastname is required (2-50 characters).', 'Quillfeather', 'Q'],
      ['Nationality', 'Nationality is required (2-50 characters).', 'Polish', 'x'.repeat(51)],
      ['Biography', 'Biography is required (10-1000 characters).', 'Wrote of lighthouses.', 'Too short'],
    ],
    added: 'Author successfully added',
    updated: 'Author successfully updated',
    deleted: 'Author successfully deleted',
    notAdded: 'Failed to add author',
    notUpdated: 'Failed to update author',
    question: 'Are you sure you want to delete this author?',
  },
  {
    noun: 'Genre',
    route: '/admin/genres',
    heading: 'Genres',
    addButton: 'Add Genre',
    plural: 'genres',
    columns: ['ID', 'Name', 'Description', 'Actions'],
    sorts: [
      ['NameA-Z', 'Name A-Z', 'Name'],
      ['NameZ-A', 'Name Z-A', '-Name'],
    ],
    fields: [
      ['Name', 'Name is required (2-50 characters).', 'Quillpunk', 'Q'],
      ['Description', 'Description is required (10-500 characters).', 'Feathers and ink.', 'Too short'],
    ],
    added: 'Genre successfully added',
    updated: 'Genre successfully updated',
    // These three are as found.
    deleted: 'Author successfully deleted',
    notAdded: 'Failed to add genre',
    notUpdated: 'Failed to update author',
    question: 'Are you sure you want to delete this author?',
  },
  {
    noun: 'Publisher',
    route: '/admin/publishers',
    // Heading, button and the failed adding are as found.
    heading: 'Genres',
    addButton: 'Add Genre',
    plural: 'publishers',
    columns: ['ID', 'Name', 'Address', 'Phone', 'Website', 'Actions'],
    sorts: [
      ['NameA-Z', 'Name A-Z', 'Name'],
      ['NameZ-A', 'Name Z-A', '-Name'],
      ['AddressA-Z', 'Address A-Z', 'Address'],
      ['AddressZ-A', 'Address Z-A', '-Address'],
    ],
    fields: [
      ['Name', 'Name is required (2-100 characters).', 'Quill House', 'Q'],
      ['Address', 'Address is required (5-200 characters).', 'ul. Piórkowa 3', 'ul.'],
      ['Phone', 'Invalid phone number format (e.g., +48 123-456-789)', '+48 123-456-789', 'call me'],
      ['Website', 'Invalid website URL (e.g., https://www.example.com)', 'https://quill.example.com', 'a b'],
    ],
    added: 'Publisher successfully added',
    updated: 'Publisher successfully updated',
    deleted: 'Publisher successfully deleted',
    notAdded: 'Failed to add genre',
    notUpdated: 'Failed to update publisher',
    question: 'Are you sure you want to delete this publisher?',
  },
];

describe('the entries of the catalogue', () => {
  let product: InstallationProcess;
  let browser: TestBrowser;
  let page: BrowserPage;
  let admin: ApiCaller;

  beforeAll(async () => {
    product = await startInstallation();
    browser = await openBrowser();
    admin = await apiCaller(product.url, 'admin', PASSWORDS.admin);
    page = await signedIn(await browser.window(), product.url, {
      username: 'admin',
      password: PASSWORDS.admin,
    });
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const cells = (column: string) =>
    page.raw.$$eval(`tbody td[data-label="${column}"]`, (all) => all.map((each) => each.textContent));
  const settled = () => page.has('table[aria-busy="false"]');
  const search = async (kind: Kind, words: string) => {
    await page.fill(`Search ${kind.plural}`, words);
    await page.until(
      async () => new URLSearchParams((await page.route()).split('?')[1]).get('q') === words,
      `the search for ${words} is in the address`,
    );
    await page.until(async () => !(await page.raw.$('table[aria-busy="true"]')), 'the list has come');
  };
  const rows = async () => (await page.raw.$$('tbody tr[role="row"]')).length;
  const focused = () =>
    page.raw.evaluate(
      `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent`,
    );
  const dialog = (heading: string) => page.reads('[role="dialog"] h2', heading);
  const gone = (selector: string) =>
    page.until(async () => (await page.raw.$(selector)) === null, `${selector} is gone`);
  const pressIn = async (window: string, words: string) => {
    await page.raw.bringToFront();
    await page.clickOn(`[role="${window}"] button ::-p-text(${words})`);
  };

  describe.each(KINDS)('$noun', (kind) => {
    const firstColumn = kind.columns[1] ?? '';
    const name = kind.fields
      .filter(([label]) => ['Name', 'Firstname', 'Lastname'].includes(label))
      .map(([, , good]) => good)
      .join(' ');

    // spec 2.36
    it('has its heading, button, search, sorts and columns', async () => {
      await page.goTo(kind.route);
      await page.has(`input[aria-label="Search ${kind.plural}"]`);
      await settled();
      await page.has(`tbody td[data-label="${firstColumn}"]`);
      await page.reads('main h2', kind.heading);
      expect(
        await page.raw.$eval('main input[type="search"]', (input) => input.getAttribute('placeholder')),
      ).toBe(`Search ${kind.plural} by Name`);
      expect(await page.raw.$$eval('thead th', (all) => all.map((each) => each.textContent))).toEqual(
        kind.columns,
      );
      expect(
        await page.raw.$$eval('main select option', (all) =>
          all.map((each) => [(each as { value: string }).value, each.textContent]),
        ),
      ).toEqual(kind.sorts.map(([value, words]) => [value, words]));
    });

    it('is shown ten at a time, in the order that is chosen', async () => {
      const compare = new Intl.Collator('en', { sensitivity: 'base' }).compare;
      for (const [value, , column] of [...kind.sorts].reverse()) {
        await page.raw.select('main select', value);
        const { items } = await admin.get<{ items: { id: number }[] }>(
          `${kind.noun}/paginated?SortBy=${value}&SearchTerm=&pageNumber=1&pageSize=10`,
        );
        const expected = items.map(({ id }) => String(id));
        await page.until(
          async () => JSON.stringify(await cells('ID')) === JSON.stringify(expected),
          `sorted by ${value}`,
        );
        const shown = await cells(column.replace('-', ''));
        const inOrder = [...shown].sort(compare);
        expect(shown).toEqual(column.startsWith('-') ? inOrder.reverse() : inOrder);
        expect(shown.length).toBe(10);
      }
    });

    // spec 4.8
    it('turns pages, with Previous and Next at rest at their ends', async () => {
      const first = await cells('ID');
      expect(await canPress(page, 'Previous')).toBe(false);
      await page.click('button', 'Next');
      await page.until(
        async () => (await page.route()).includes('page=2') && !(await cells('ID')).includes(first[0] ?? ''),
        'page 2',
      );
      expect(await canPress(page, 'Previous')).toBe(true);
      await page.click('button', 'Previous');
      await page.until(async () => (await cells('ID'))[0] === first[0], 'page 1 again');
    });

    // spec 2.38
    it('asks in its dialog for every field once it was touched, and cannot be saved before', async () => {
      await page.click('button', kind.addButton);
      await dialog(`Add ${kind.noun}`);
      for (const [label, message] of kind.fields) {
        expect(await canPress(page, `Add ${kind.noun}`)).toBe(false);
        await field(page, label).says();
        await field(page, label).touch();
        await field(page, label).says(message);
      }
      for (const [label, , , bad] of kind.fields) {
        expect(await canPress(page, `Add ${kind.noun}`)).toBe(false);
        await field(page, label).type(bad);
        await field(page, label).says();
      }
      await page.until(() => canPress(page, `Add ${kind.noun}`), 'it can be saved');
    });

    // spec 5.13
    it('has the server’s bounds under its fields, and says that it was not added', async () => {
      await page.clickOn('[role="dialog"] button[type="submit"]');
      for (const [label, message] of kind.fields) await field(page, label).says(message);
      await toast(page, 'error', kind.notAdded);
    });

    it('goes away with Esc, giving the focus back to the button', async () => {
      await page.raw.keyboard.press('Escape');
      await gone('[role="dialog"]');
      await page.until(async () => (await focused()) === kind.addButton, 'the focus is back');
    });

    it('is added, and found', async () => {
      await page.click('button', kind.addButton);
      for (const [label, , good] of kind.fields) await field(page, label).type(good);
      await page.until(() => canPress(page, `Add ${kind.noun}`), 'it can be saved');
      await page.clickOn('[role="dialog"] button[type="submit"]');
      await toast(page, 'success', kind.added);
      await gone('[role="dialog"]');
      await search(kind, 'quill');
      await page.has(`button[aria-label="Edit: ${name}"]`);
      expect(await rows()).toBe(1);
      expect(await cells(firstColumn)).toEqual([kind.fields[0]?.[2]]);
    });

    it('is refused a second time by its name', async () => {
      await page.click('button', kind.addButton);
      for (const [label, , good] of kind.fields) await field(page, label).type(good);
      await page.until(() => canPress(page, `Add ${kind.noun}`), 'it can be saved');
      await page.clickOn('[role="dialog"] button[type="submit"]');
      await toast(page, 'error', kind.notAdded);
      await page.has('[role="dialog"] [role="alert"]');
      expect(await page.text('[role="dialog"] [role="alert"]')).toMatch(/already/);
      await pressIn('dialog', 'Cancel');
      await gone('[role="dialog"]');
    });

    it('is edited, and the focus returns to its Edit', async () => {
      await page.click('button', `Edit: ${name}`);
      await dialog(`Edit ${kind.noun}`);
      const [label, , good] = kind.fields.at(-1) ?? ['', '', ''];
      await field(page, label).type(`${good}/2`);
      await answering(page, `PUT ${kind.noun}`, problem(500, 'The shelves fell over.'), async () => {
        await page.clickOn('[role="dialog"] button[type="submit"]');
        await toast(page, 'error', kind.notUpdated);
      });
      await page.until(
        async () =>
          (await page.text('[role="dialog"] [role="alert"]'))?.includes('The shelves fell over.') ?? false,
        'what the server said',
      );
      await page.clickOn('[role="dialog"] button[type="submit"]');
      await toast(page, 'success', kind.updated);
      await gone('[role="dialog"]');
      await page.until(async () => (await focused()) === `Edit: ${name}`, 'the focus is back');
    });

    it('is not saved over what another window saved meanwhile, until that was seen', async () => {
      await page.click('button', `Edit: ${name}`);
      const [label, , good] = kind.fields.at(-1) ?? ['', '', ''];
      await field(page, label).type(`${good}/3`);
      const { items } = await admin.get<{ items: Record<string, unknown>[] }>(
        `${kind.noun}/paginated?SearchTerm=quill&pageNumber=1&pageSize=10`,
      );
      const [entry] = items;
      const firstName = kind.noun === 'Author' ? 'nationality' : 'name';
      await admin.put(`${kind.noun}/${String(entry?.['id'])}`, {
        ...entry,
        [firstName]: `${String(entry?.[firstName])} II`,
      });
      await page.clickOn('[role="dialog"] button[type="submit"]');
      await toast(page, 'error', kind.notUpdated);
      await pressIn('dialog', 'Load the newer version');
      await gone('[role="dialog"] [role="alert"]');
      expect(await field(page, label).value()).toBe(`${good}/3`);
      expect(await field(page, kind.noun === 'Author' ? 'Nationality' : 'Name').value()).toMatch(/ II$/);
      await page.clickOn('[role="dialog"] button[type="submit"]');
      await toast(page, 'success', kind.updated);
      await gone('[role="dialog"]');
    });

    it('is not deleted when that is declined, and is when it is confirmed', async () => {
      const button = await page.until(
        async () =>
          (await page.raw.$$eval('tbody button', (all) =>
            all.map((each) => each.getAttribute('aria-label')).find((each) => each?.startsWith('Delete: ')),
          )) ?? undefined,
        'its Delete',
      );
      await page.click('button', button);
      await page.reads('[role="alertdialog"] h2', kind.question);
      await pressIn('alertdialog', 'Cancel');
      await gone('[role="alertdialog"]');
      await page.until(async () => (await focused()) === button, 'the focus is back');
      expect(await rows()).toBe(1);
      await page.click('button', button);
      await pressIn('alertdialog', 'Delete');
      await toast(page, 'success', kind.deleted);
      await gone('[role="alertdialog"]');
      await page.sees(`No ${kind.noun.toLowerCase()} matches`);
    });

    it('is not deleted while books have it, and the question says why', async () => {
      await page.click('button', `Show all ${kind.plural}`);
      await page.raw.select('main select', kind.sorts[0]?.[0] ?? '');
      const button = await page.until(
        async () =>
          (await page.raw.$$eval('tbody button', (all) =>
            all.map((each) => each.getAttribute('aria-label')).find((each) => each?.startsWith('Delete: ')),
          )) ?? undefined,
        'a Delete',
      );
      await page.click('button', button);
      await pressIn('alertdialog', 'Delete');
      await page.until(
        async () => /book/.test((await page.text('[role="alertdialog"] [role="alert"]')) ?? ''),
        'the reason',
      );
      await page.raw.keyboard.press('Escape');
      await gone('[role="alertdialog"]');
      await page.has(`button[aria-label="${button}"]`);
    });
  });

  it('of two spellings become one from the list of duplicates, and two again from the toast', async () => {
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
    await settled();
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
