import { PASSWORDS, signIn } from '../people.js';
import { siteUnderTest } from '../site-under-test.js';
import { field } from './field.js';

/** Each text in either wording is proved beside the labels; here, that an installation's setting reaches every screen. */
describe('with LABELS=as-found', () => {
  const page = siteUnderTest({ LABELS: 'as-found' }).guestPage('/home');

  // spec 1.7, 1.8
  it('the library has the title and the usage rules of the specification', async () => {
    await page.reads('header a', 'The dating app');
    expect(await page.raw.title()).toContain('The dating app');
    await page.sees('academic use');
    for (const words of ["a master's thesis", 'not for commercial use', 'educational purposes only']) {
      expect(await page.text('footer')).toContain(words);
    }
  });

  // spec 2.1
  it.each(['/nowhere', '/admin2/x', '/book'])('%s leads to the home page', async (route) => {
    await page.goTo('/catalog');
    await page.has('article');
    await page.goTo(route);
    await page.sees('About the collection');
  });

  // spec 5.6
  it('a missing country is asked for as a city', async () => {
    await page.goTo('/login');
    await signIn(page, 'admin', PASSWORDS.admin);
    await page.isAt('/admin/dashboard');
    await page.goTo('/profile');
    await page.click('button', 'Edit Profile');
    await page.has('[role="dialog"] select');
    await field(page, 'Country').clear();
    await field(page, 'Country').says('City is required');
    await page.clickOn('[role="dialog"] button ::-p-text(Cancel)');
  });

  // spec 2.37
  it('the publishers are headed as genres, and the reports are spelt as they were', async () => {
    await page.goTo('/admin/publishers');
    await page.has('input[aria-label="Search publishers"]');
    await page.reads('main h2', 'Genres');
    await page.click('button', 'Add Genre');
    await page.has('[role="dialog"] h2');
    await page.clickOn('[role="dialog"] button ::-p-text(Cancel)');
    await page.click('link', 'Raports');
    await page.isAt('/admin/raports');
    await page.until(async () => (await page.text('main h2')) === 'Raports', 'the heading');
    await page.sees('Download inventory raport of books');
  });
});
