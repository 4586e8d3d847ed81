import type { BrowserPage } from '../../test-support/browser/browser-page.js';
import { field } from './field.js';

/** Confirms by the password who is at the screen, as the page asks before something dangerous. */
export async function confirmIdentity(page: BrowserPage, password: string): Promise<void> {
  await page.sees('Is it still you?');
  await field(page, 'Your password').type(password);
  await page.click('button', 'Confirm');
  await page.until(
    async () => !String(await page.raw.evaluate('document.body.innerText')).includes('Is it still you?'),
    'the question goes',
  );
}
