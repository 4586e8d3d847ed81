import { lettersTo } from '../../test-support/mailed.js';
import { registerByApi } from '../people.js';
import { siteUnderTest } from '../site-under-test.js';
import { field } from './field.js';
import { toast } from './toast.js';

const OLD = 'Stare#2025';
const NEW = 'Nowe#2026';
const EMAIL = 'zofia@example.org';

describe('a forgotten password', () => {
  let link: string;
  let wordsForNobody: string;

  const { product, guestPage } = siteUnderTest();
  const page = guestPage('/forgot-password');
  beforeAll(async () => {
    await registerByApi(product.url, {
      username: 'zofia',
      password: OLD,
      firstname: 'Zofia',
      lastname: 'Lis',
    });
  });

  const letters = async (to: string) => {
    const messages = await lettersTo(product.url, to);
    return messages.flatMap(({ links }) => links).filter((each) => each.includes('reset-password'));
  };
  const submit = () => page.clickOn('main form button[type="submit"]');
  const logIn = async (password: string) => {
    await page.isAt('/login');
    await page.fill('Username', 'zofia');
    await page.fill('Password', password);
    await submit();
  };

  it('says the same for an address that nobody has', async () => {
    await field(page, 'Email').type('nobody@example.org');
    await submit();
    await toast(page, 'success', 'The email with the link is on its way');
    wordsForNobody = await page.until(
      async () => (await page.text('main p[role="status"]')) || undefined,
      'words under the form',
    );
  });

  it('is sent to who has an account, with the same words', async () => {
    await field(page, 'Email').type(EMAIL);
    await submit();
    await toast(page, 'success', 'The email with the link is on its way');
    await page.reads('main p[role="status"]', wordsForNobody);
    link = await page.until(async () => (await letters(EMAIL))[0], 'the letter');
    expect(await letters('nobody@example.org')).toEqual([]);
  });

  it('is chosen anew from the letter, whose token does not stay in the address', async () => {
    await page.raw.goto(link);
    await page.sees(EMAIL);
    await page.until(
      async () => (await page.route()) === '/reset-password',
      'the token is out of the address',
    );
  });

  it('is reset, and leads to the sign-in page', async () => {
    await page.fill('New password', NEW);
    await submit();
    await toast(page, 'success', 'Your password has been changed');
    await page.isAt('/login');
  });

  it('opens nothing more under its old form, and everything under the new one', async () => {
    await logIn(OLD);
    await page.has('main form [role="alert"]');
    await page.isAt('/login');
    await logIn(NEW);
    await page.isAt('/profile');
    await page.sees('Welcome back, Zofia');
  });
});
