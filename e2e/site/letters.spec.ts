import { waitFor } from '../../test-support/wait-for.js';
import { lettersTo } from '../../test-support/mailed.js';
import { accessibilityFaults } from '../../test-support/axe.js';
import { siteUnderTest } from '../site-under-test.js';
import { toast } from './toast.js';

/** The admin and a reader of the demo. */
const [HELENA, JULIA] = ['helena.nowicka@lectern.example', 'julia.kaczmarek@lectern.example'];

describe('the letters of a library', () => {
  const { product, pageOf, callerOf } = siteUnderTest();
  const page = pageOf('admin', '/admin/library/letters');
  const admin = callerOf('admin');
  const reader = callerOf('reader');
  const fieldOf = (message: string, form: string) => `[data-message="${message}"] [data-form="form=${form}"]`;
  const subject = fieldOf('letter_rented_subject', 'one');
  const shown = () =>
    page.raw.evaluate(`document.querySelector('[data-letter]').shadowRoot.textContent`) as Promise<string>;

  it('are seen while they are written, refused by name, and tried before they are kept', async () => {
    await page.click('link', 'Books wait at the desk');
    await page.has('[data-letter="shown"]');
    expect(await accessibilityFaults(page.raw)).toEqual([]);
    await page.raw.locator(subject).fill('Come by {due}');
    await page.sees('There is no {due} here.');
    for (const form of ['one', 'other']) {
      await page.raw.locator(fieldOf('letter_rented_subject', form)).fill('Come by {day}');
      await page.raw
        .locator(fieldOf('letter_rented_set_aside', form))
        .fill('It waits **here**.\n\n<b>Yours</b>');
    }
    await waitFor(async () => (await shown()).includes('<b>Yours</b>'));
    expect(
      await page.raw.evaluate(
        `getComputedStyle(document.querySelector('[data-letter]').shadowRoot.querySelector('strong').closest('p')).fontSize`,
      ),
    ).toBe('16px');
    await page.click('button', 'Send a test to myself');
    await toast(page, 'success', 'The test is on its way to your email address.');
    const tried = await lettersTo(product.url, HELENA);
    expect(tried.map((letter) => letter.subject)).toContainEqual(expect.stringMatching(/^Come by \d{4}-/));
  });

  it('go out in the words that were saved', async () => {
    await page.click('button', 'Save');
    await toast(page, 'success', 'Saved.');
    const { items } = await reader.get<{ items: { id: number }[] }>('Book?pageNumber=1&pageSize=20');
    await reader.rent(items.slice(7, 8).map(({ id }) => id));
    await waitFor(async () =>
      (await lettersTo(product.url, JULIA)).some((letter) => letter.subject.startsWith('Come by 2')),
    );
  });

  it('are put back to the usual texts once that was confirmed', async () => {
    await page.goTo('/admin/library/letters');
    await page.sees('Own words: English');
    await page.click('link', 'Books wait at the desk');
    await page.click('button', 'Back to the usual texts');
    await page.clickOn('[role="alertdialog"] button:last-of-type');
    await page.has(`${subject}[value^="Your book waits"]`);
    await page.goTo('/admin/library/letters');
    await page.until(async () => !(await page.text('main'))?.includes('Own words'), 'usual texts alone');
  });

  it('are left unsent where that is chosen', async () => {
    await page.raw.locator('main form li:nth-of-type(3) input[type="checkbox"]').click();
    await page.fill('Days until the next one', '0');
    await page.click('button', 'Save');
    await page.sees('A number of days from 1 to 365.');
    await page.fill('Days until the next one', '14');
    await page.click('button', 'Save');
    await toast(page, 'success', 'Saved.');
    // What was saved before was told in the same words.
    await waitFor(async () => {
      const { letters, overdue } = await admin.get<{
        letters: { letter: string; isSent: boolean }[];
        overdue: { every: number };
      }>('Library/letters');
      const unsent = letters.filter(({ isSent }) => !isSent).map(({ letter }) => letter);
      return unsent.join() === 'due-soon' && overdue.every === 14;
    });
  });
});
