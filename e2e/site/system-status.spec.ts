import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../test-support/wait-for.js';
import { startInstallation } from '../../test-support/installation/installation-process.js';
import { shared, sharedFolder } from '../../test-support/shared.js';
import { PASSWORDS, signedIn } from '../people.js';
import { siteOf } from '../site-under-test.js';
import { confirmIdentity } from './confirm-identity.js';
import { field } from './field.js';

/** A backup and its trial take some seconds, and longer where much else goes on. */
const BACKUP = 150_000;

describe('the house and its rules', () => {
  const folder = sharedFolder();
  const backups = join(folder, 'backups');
  // Backups are made of a data folder. The first one is due at once.
  const environment = { BACKUP_FOLDER: backups, BACKUP_EVERY: '1d', BACKUP_KEEP: '1' };
  const { product, browser, pageOf } = siteOf(shared(() => startInstallation({ environment })));
  const page = pageOf('admin');

  const made = () => (existsSync(backups) ? readdirSync(backups).filter((name) => !/json$/.test(name)) : []);
  const good = () => made().filter((name) => name.startsWith('lectern-'));
  const leftInData = () => readdirSync(product.dataDir).filter((name) => name.startsWith('.restoring'));

  it('is an area of the administration, and says first whether everything works', async () => {
    await page.goTo('/admin/dashboard');
    await page.click('link', 'System status');
    await page.isAt('/admin/house');
    await page.has('li[data-part="database"][data-level="ok"]');
    await page.has('li[data-part="projection"][data-level="ok"]');
    await page.sees('Everything works');
    for (const words of ['What waits', 'Backups', 'Disk', 'Versions', 'Processes']) await page.sees(words);
  });

  it(
    'shows the backup of the schedule, once it was restored and opened',
    async () => {
      await waitFor(() => good().length === 1, BACKUP);
      await page.until(
        async () => (await page.text('[data-backup="good"]'))?.includes('opened and compared') ?? false,
        'the good backup',
      );
      await waitFor(() => leftInData().length === 0, BACKUP);
      expect(made()).toEqual(good());
      const printed = await product.command('cli/restore.js', '--help');
      expect(printed).toContain('restore');
    },
    2 * BACKUP,
  );

  it(
    'makes one when it is asked to, and keeps no more than are to be kept',
    async () => {
      const [first] = good();
      // The page knows a moment later that the one before has ended.
      await page.has('section[aria-labelledby="backups"] button');
      await page.raw.focus('section[aria-labelledby="backups"] button');
      await page.raw.keyboard.press('Enter');
      await page.has('[data-running]');
      await waitFor(() => good().length === 1 && good()[0] !== first, BACKUP);
      await page.has('section[aria-labelledby="backups"] button');
      expect(existsSync(join(backups, `${first}.json`))).toBe(false);
    },
    2 * BACKUP,
  );

  it(
    'says what is wrong, since when, and what to do',
    async () => {
      // As a disk that is not there.
      renameSync(backups, `${backups}-away`);
      writeFileSync(backups, '');
      await page.click('button', 'Back up now');
      // The process says so every ten seconds, and the page asks every five.
      const bad = 'section [data-part="backup"][data-level="bad"]';
      await waitFor(async () => (await page.text(bad)) !== undefined, BACKUP);
      await page.sees('One thing needs attention');
      await page.sees('The folder for backups cannot be written to.');
      await page.sees('What to do:');
      expect(await page.text('section li[data-part="backup"]')).toMatch(/since \d{4}-\d\d-\d\d \d\d:\d\d/);
      expect(page.troubles).toEqual([]);
    },
    2 * BACKUP,
  );

  it('has rules that are changed by keyboard, which others see at once, and withdrawn', async () => {
    const other = await signedIn(
      await browser.window(),
      product.url,
      { username: 'admin', password: PASSWORDS.admin },
      '/admin/rules/edit',
    );
    await other.has('[data-day]');

    await page.goTo('/admin/house');
    await page.click('link', 'Rules');
    await page.isAt('/admin/rules');
    await page.has('[data-version="1"]');
    await page.click('link', 'Change the rules');
    await page.has('[data-day]');
    await field(page, 'Loan days').type('21');
    await page.has('[data-difference="Loan days"]');
    await field(page, 'Why').type('Readers asked for it');
    await page.fill('From', '2999-01-01');
    await page.raw.keyboard.press('Enter');
    await page.sees('Change the rules on 2999-01-01?');
    await page.raw.keyboard.press('Tab');
    await page.raw.keyboard.press('Enter');
    await confirmIdentity(page, PASSWORDS.admin);
    await page.isAt('/admin/rules');
    await page.has('[data-coming="2"]');
    await other.sees('has made version 2 of the rules since you began');
    await page.click('button', 'Withdraw');
    await page.click('button', 'Withdraw it');
    await page.reads('[data-version="2"] [data-state]', 'Withdrawn');
    expect(other.troubles).toEqual([]);
  });
});
