import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../test-support/installation/command-line.js';
import { sharedFolder } from '../test-support/shared.js';
import { lend } from './at-the-desk.js';
import { PASSWORDS, signIn } from './people.js';
import { siteUnderTest } from './site-under-test.js';

interface StoredEvent {
  id: string;
  type: string;
  revision: number;
  borrowId: string;
}

const SLIDER = 'input[type="range"]';

describe('an auditor replays how a reader’s borrows came to be', () => {
  let readerId: string;
  const { product, guestPage, callerOf } = siteUnderTest();
  const [auditor, admin, reader] = [callerOf('auditor'), callerOf('admin'), callerOf('reader')];
  const page = guestPage();
  const downloads = sharedFolder();

  const events = async () =>
    (await auditor.get<{ items: StoredEvent[] }>(`Audit/readers/${readerId}/events?limit=1000`)).items;
  /** What the state beside the events is of. */
  const isAsOf = (number: number, total: number) =>
    page.until(async () => {
      const [words, revision] = (await page.raw.evaluate(
        `[document.querySelector('[data-revision] p')?.textContent, document.querySelector('[data-revision]')?.dataset.revision]`,
      )) as [string?, string?];
      const said = number === 0 ? 'before the first event' : `event ${number} of ${total}`;
      return words?.endsWith(said) === true && revision === String(number - 1);
    }, `the state as of event ${number} of ${total}`);
  const press = async (key: 'Home' | 'End' | 'ArrowLeft' | 'ArrowRight' | 'Space' | 'PageDown' | 'Enter') => {
    await page.raw.bringToFront();
    await page.raw.keyboard.press(key);
  };

  beforeAll(async () => {
    await lend(product.url);
    const found = await auditor.get<{ items: { id: string; userName: string }[] }>(
      'Audit/readers?SearchTerm=reader',
    );
    readerId = found.items.find(({ userName }) => userName === 'reader')?.id ?? '';
  });

  it('finds a reader by name, with what there is to replay', async () => {
    await page.goTo('/login');
    await signIn(page, 'auditor', PASSWORDS.auditor);
    await page.click('link', 'Audit');
    await page.has('[data-reader="admin"]');
    await page.fill('Find a reader', 'reader-2');
    await page.isAt('/audit?q=reader-2');
    await page.until(
      async () =>
        (await page.raw.$$('[data-reader]')).length === 1 &&
        (await page.text('[data-reader]'))?.includes('Hanna'),
      'one reader',
    );
    await page.fill('Find a reader', 'kaczmarek');
    await page.has('[data-reader="reader"]');
    expect(await page.text('[data-reader="reader"]')).toContain(`${(await events()).length} events`);
    await page.clickOn('[data-reader="reader"]');
    await page.isAt(`/audit/readers/${readerId}`);
    const total = (await events()).length;
    await isAsOf(total, total);
    await page.has('svg [data-bar]');
  });

  it('moves by the slider and by its keys, and shows what each event changed', async () => {
    const all = await events();
    const total = all.length;
    await page.raw.focus(SLIDER);
    await press('Home');
    await isAsOf(0, total);
    await page.sees('Nothing had been borrowed yet.');
    await press('ArrowRight');
    await isAsOf(1, total);
    await page.has('[data-field="status"]');
    expect(all[0]?.type).toBe('BooksRented');
    await page.reads('[data-field="status"] mark', 'Rented');
    await press('ArrowRight');
    await isAsOf(2, total);
    await press('ArrowLeft');
    await isAsOf(1, total);
    await press('End');
    await isAsOf(total, total);

    // Half-way along the slider, where widths are numbers of events.
    await page.clickOn('label[title="Equal widths are equal numbers of events"]');
    // In its middle, once it lies still: the change of the widths may move it.
    await page.clickOn(SLIDER);
    const middle = await page.until(async () => {
      const words = await page.raw.$eval(SLIDER, (slider) => slider.getAttribute('aria-valuetext'));
      const number = Number(/^Event (\d+) of/.exec(words ?? '')?.[1]);
      return number > 0 && number < total && number;
    }, 'the middle');
    expect(Math.abs(middle - (total + 1) / 2)).toBeLessThanOrEqual(1);
    await isAsOf(middle, total);
    await page.isAt(`/audit/readers/${readerId}?at=${middle}&by=events`);
  });

  it('steps and plays to the end', async () => {
    const total = (await events()).length;
    await page.raw.focus(SLIDER);
    await press('Home');
    await page.click('button', 'Step forward');
    await isAsOf(1, total);
    await page.clickOn('label[title="16 events a second"]');
    await page.click('button', 'Play');
    await isAsOf(total, total);
    await page.has('button[aria-label="Play"]');
    await page.isAt(`/audit/readers/${readerId}?by=events`);
    await page.raw.focus(SLIDER);
    await page.clickOn('label[title="One event a second"]');
    await press('Home');
    await page.raw.focus(SLIDER);
    await press('Space');
    await page.has('button[aria-label="Pause"]');
    await press('Space');
    await page.has('button[aria-label="Play"]');
  });

  it('opens an event as it is stored, with the keyboard', async () => {
    const stored = (await events())[2];
    await page.raw.focus('[data-number="2"] button');
    await page.raw.keyboard.press('ArrowDown');
    await page.has('[data-number="3"][data-chosen]');
    await press('Enter');
    await page.sees('"commandId"');
    const shown = await page.text('[data-number="3"]');
    expect(shown).toContain(stored?.borrowId);
    expect(shown).toContain('Copy as JSON');
    await press('Enter');
    await page.until(async () => !(await page.text('[data-number="3"]'))?.includes('commandId'), 'closed');
  });

  it('shows new events as they come, and follows only where one looks at the end', async () => {
    // From elsewhere: nobody rests at an event.
    await page.goTo('/audit');
    await page.has('[data-reader="reader"]');
    await page.goTo(`/audit/readers/${readerId}`);
    const before = (await events()).length;
    await isAsOf(before, before);
    await page.has('[data-live="live"]');
    await page.mark();
    const { items } = await reader.get<{ items: { id: number }[] }>(
      'Book?SortBy=CopiesAvailable&pageNumber=2&pageSize=10',
    );
    const borrowId = await reader.rent([items[0]?.id ?? 0]);
    await isAsOf(before + 1, before + 1);
    await page.click('button', 'Step back');
    await isAsOf(before, before + 1);
    await admin.issue(borrowId);
    await page.sees('1 new');
    await isAsOf(before, before + 2);
    await page.click('button', '1 new');
    await isAsOf(before + 2, before + 2);
    await page.has('[data-field="status"]');
    await page.reads('[data-field="status"]', 'StatusRentedIssued');
    expect(await page.isStillMarked()).toBe(true);
  });

  it('narrows the events to one borrow and to one kind', async () => {
    const all = await events();
    const borrowId = all[0]?.borrowId ?? '';
    await page.raw.select('select', borrowId);
    await page.isAt(`/audit/readers/${readerId}?borrow=${borrowId}`);
    const own = all.filter((event) => event.borrowId === borrowId);
    await page.sees(`${own.length} of ${all.length} events`);
    await page.raw.focus(SLIDER);
    await press('Home');
    await isAsOf(1, all.length);
    await page.click('button', 'Show everything');
    await page.until(async () => !(await page.route()).includes('borrow='), 'no filter');
  });

  it('exports what the log says, and everybody sees that it did', async () => {
    const all = await events();
    const session = await page.raw.createCDPSession();
    await session.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: downloads,
      browserContextId: page.raw.browserContext().id ?? '',
    });
    await page.click('button', 'Export');
    const file = await page.until(
      () => Promise.resolve(readdirSync(downloads).find((name) => name.endsWith('.jsonl'))),
      'the file',
    );
    expect(file).toBe(`borrows-${readerId}.jsonl`);
    const lines = readFileSync(join(downloads, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    // The file speaks as the log does: it calls nobody by the id of their account.
    const { readerId: pseudonym } = (lines[1]?.['data'] ?? {}) as { readerId?: string };
    expect(pseudonym).toMatch(/^[0-9a-f-]{36}$/);
    expect(pseudonym).not.toBe(readerId);
    expect(lines[0]).toMatchObject({ kind: 'header', readerId: pseudonym, from: 0, to: all.length - 1 });
    expect(lines.slice(1, -1).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(lines.at(-1)).toEqual({ kind: 'footer', count: all.length, finalHash: lines.at(-2)?.['hash'] });
    const { output } = await runCommand('check-export', [join(downloads, file)], {
      DATABASE_URL: product.settings.DATABASE_URL,
      EVENTSTORE_URL: product.settings.EVENTSTORE_URL,
      JWT_SECRET: product.settings.JWT_SECRET,
    });
    expect(output).toContain('the chain holds');

    await page.click('tab', 'Who looked');
    await page.has('[data-look="export"]');
    expect(await page.text('[data-look="export"]')).toContain('exported the history of this reader');
  });

  it('prints every event, and nothing but the history', async () => {
    await page.goTo(`/audit/readers/${readerId}`);
    await page.has('[data-revision]');
    await page.raw.evaluate('window.print = () => (window.printed = true)');
    await page.click('button', 'Print');
    await page.until(() => page.raw.evaluate('window.printed === true') as Promise<boolean>, 'printing');
    await page.raw.emulateMediaType('print');
    const shown = await page.raw.evaluate('document.body.innerText');
    expect(String(shown)).toContain(readerId);
    expect(String(shown)).not.toContain('Who looked');
    expect(await page.raw.$$('[data-printed] tbody tr')).toHaveLength((await events()).length);
    const finalHash = await page.text('[data-final-hash]');
    expect(finalHash).toMatch(/^[0-9a-f]{64}$/);
    await page.until(
      () =>
        Promise.resolve(
          readdirSync(downloads)
            .filter((name) => name.endsWith('.jsonl'))
            .some((name) =>
              readFileSync(join(downloads, name), 'utf8').includes(`"finalHash":"${finalHash}"`),
            ),
        ),
      'the file that belongs to the sheet',
    );
    await page.raw.emulateMediaType('screen');
    await page.raw.evaluate(`dispatchEvent(new Event('afterprint'))`);
    await page.until(async () => (await page.raw.$('[data-printed]')) === null, 'the sheet is put away');
  });
});
