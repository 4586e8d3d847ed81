import { openBrowser, type TestBrowser } from '../../test-support/browser.js';
import type { BrowserPage } from '../../test-support/browser-page.js';
import { startInstallation, type InstallationProcess } from '../../test-support/installation-process.js';
import { PASSWORDS, signIn } from '../people.js';
import { answering, holding, problem, type Answer } from './calls.js';
import { canPress, field } from './field.js';
import { toast, toasts } from './toast.js';

const ASK = 'POST Account/forgot-password';
const SERVER_ERROR = 'Internal server error - refreshing the page will make the error disappear!';

describe('what the page does about a call that fails', () => {
  let product: InstallationProcess;
  let browser: TestBrowser;
  let page: BrowserPage;

  beforeAll(async () => {
    product = await startInstallation();
    browser = await openBrowser();
    page = await (await browser.window()).page(`${product.url}/#/forgot-password`);
    await page.sees('Send Reset Link');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  describe('when something was to be done', () => {
    let asked = 0;
    const failing = (answer: Answer, act: () => Promise<void>) =>
      answering(page, ASK, answer, async () => {
        // Another text each time: a refused one has to be changed before it can be sent again.
        asked += 1;
        await field(page, 'Email').type(`maria-${asked}@example.org`);
        await page.until(() => canPress(page, 'Send Reset Link'), 'it can be sent');
        await page.clickOn('main form button[type="submit"]');
        await act();
      });

    // spec 8.1
    it('leaves the messages of a 400 to the form', async () => {
      await failing(problem(400, 'No.', { email: ['Not this one.'] }), async () => {
        await field(page, 'Email').says('Not this one.');
      });
      expect(await toasts(page)).toEqual([]);
    });

    // spec 8.5
    it.each<[string, Answer, string]>([
      ['a 400 with a body', problem(400, 'That is no order.'), '400 Bad Request That is no order.'],
      ['a 400 with an empty body', { status: 400, body: {} }, '400 Bad Request Bad Request'],
      ['a 400 with a text', { status: 400, body: 'Only so much at once.' }, '400 Only so much at once.'],
      ['a 401 without a session', problem(401, 'Who are you?'), '401 Unauthorized Who are you?'],
      ['a 403', problem(403, 'Not for you.'), '403 Forbidden Not for you.'],
      ['a 404', problem(404, 'It is gone.'), 'It is gone.'],
      ['a 409', problem(409, 'Somebody was faster.'), 'Somebody was faster.'],
      ['a 418 that says nothing', { status: 418, body: {} }, 'Something unexpected went wrong'],
      [
        'an answer that is none',
        { status: 200, body: 'Welcome to the hotel network' },
        'Something unexpected went wrong',
      ],
      [
        'no network',
        'no answer',
        'The library cannot be reached just now. Nothing was lost; please try again in a moment.',
      ],
    ])('tells of %s in a toast, and stays', async (_what, answer, words) => {
      await failing(answer, () => toast(page, 'error', words));
      expect(await page.route()).toBe('/forgot-password');
      expect(await page.raw.$eval('main input', (input) => input.value)).toBe(`maria-${asked}@example.org`);
    });

    // spec 9.14
    it('shows a toast at the bottom right, with its progress and a cross, and takes it away after 5 seconds', async () => {
      await failing(problem(403, 'Not for you.'), () => page.has('.Toastify__toast'));
      const box = await page.raw.$eval('.Toastify__toast', (element) => {
        const { right, bottom } = element.getBoundingClientRect();
        return [right, bottom];
      });
      expect(box[0]).toBeGreaterThan(1440 - 40);
      expect(box[1]).toBeGreaterThan(900 - 40);
      const progress = (await page.raw.evaluate(
        `getComputedStyle(document.querySelector('.Toastify__progress-bar')).animationDuration`,
      )) as string;
      expect(parseFloat(progress) * (progress.endsWith('ms') ? 1 : 1000)).toBe(5000);
      await page.has('.Toastify__toast button[aria-label="close"]');
      await page.until(async () => (await toasts(page)).length === 0, 'the toast goes by itself');
    });

    // spec 8.4
    it('leads from a 500 to its page; a reload keeps the sentence and nothing of the error', async () => {
      await failing(problem(500, 'The shelves fell over.'), () => page.isAt('/server-error'));
      await page.sees(SERVER_ERROR);
      await page.sees('Refused');
      await page.sees('The shelves fell over.');
      await page.raw.reload();
      await page.sees(SERVER_ERROR);
      const text = await page.text('main');
      expect(text).not.toContain('The shelves fell over.');
      expect(text).not.toContain('Refused');
    });
  });

  describe('when something was to be shown', () => {
    it('leads from a 404 to the page of what is not there', async () => {
      await answering(page, 'GET Book', problem(404, 'Gone.'), async () => {
        await page.goTo('/catalog?q=gone');
        await page.isAt('/not-found');
      });
    });

    it.each<[string, Answer]>([
      ['a 503', problem(503, 'The library is being tidied.')],
      ['no network', 'no answer'],
    ])('says in place of the list that there is %s, and tries again when asked', async (_what, answer) => {
      await page.goTo('/home');
      await page.sees('About the collection');
      await answering(page, 'GET Book', answer, async () => {
        await page.goTo(`/catalog?q=${answer === 'no answer' ? 'night' : 'the'}`);
        await page.sees('Retry');
      });
      expect(await page.text('main')).toContain(
        answer === 'no answer' ? 'The library cannot be reached just now.' : 'The library is being tidied.',
      );
      await page.click('button', 'Retry');
      await page.has('section[aria-busy="false"] article');
    });

    // spec 7.3
    it('says “Loading...” while a list is long on its way, and no longer', async () => {
      await holding(page, 'GET Book', async ({ letGo }) => {
        await page.goTo('/catalog?q=wind');
        await page.has('[role="status"] [class*="words"]');
        await page.sees('Loading...');
        letGo();
        await page.until(
          async () => !String(await page.text('body')).includes('Loading...'),
          '“Loading...” goes',
        );
      });
    });
  });

  describe('with a session', () => {
    beforeAll(async () => {
      await page.goTo('/login');
      await signIn(page, 'admin', PASSWORDS.admin);
      await page.isAt('/profile');
      await page.sees('Welcome back, Admin');
    });

    // spec 8.2
    it('takes a 401 for its end: to the login, and back to where one was', async () => {
      await answering(page, 'GET Author', problem(401, 'The session is over.'), async () => {
        await page.goTo('/admin/authors?sort=Nationality');
        await page.isAt('/login');
      });
      await toast(
        page,
        'info',
        'Your session has ended. Please log in again; you will come back to where you were.',
      );
      expect(await page.raw.evaluate('localStorage.getItem("user")')).toBeNull();
      await signIn(page, 'admin', PASSWORDS.admin);
      await page.isAt('/admin/authors?sort=Nationality');
      await page.has('tbody button');
    });

    it('tells of a 403 for a list in a toast', async () => {
      await answering(page, 'GET Genre/paginated', problem(403, 'Not for you.'), async () => {
        await page.goTo('/admin/genres');
        await toast(page, 'error', '403 Forbidden Not for you.');
      });
    });

    it('shows a screen that could not be fetched as soon as the library is back, and keeps its menus meanwhile', async () => {
      await page.goTo('/admin/authors');
      await page.has('table[aria-busy="false"] tbody button');
      await page.raw.setOfflineMode(true);
      await page.goTo('/admin/raports');
      await page.sees('This page appears by itself as soon as the library answers.');
      await page.has('nav[aria-label="Administration"] [aria-current="page"]');
      await page.has('header nav[aria-label="Main"]');
      await page.raw.setOfflineMode(false);
      await page.has('main form');
      expect(await page.route()).toBe('/admin/raports');
    });

    it('says nothing of refreshing a list that is already there', async () => {
      await page.goTo('/admin/authors');
      await page.has('table[aria-busy="false"] tbody button');
      await holding(page, 'GET Author/paginated', async (held) => {
        await page.clickOn('tbody button[aria-label^="Edit"]');
        await page.clickOn('[role="dialog"] button[type="submit"]');
        await toast(page, 'success', 'Author successfully updated');
        await page.until(async () => held.count() > 0, 'the list is asked for again');
        // Of what came before, the window and the saving, it may be told where they take long.
        await page.until(
          async () => !(await page.raw.evaluate(`document.body.innerText.includes('Loading...')`)),
          'nothing else is waited for',
        );
        await page.raw.evaluate(`(() => {
          window.loadingShown = false;
          new MutationObserver(() => {
            if (document.body.innerText.includes('Loading...')) window.loadingShown = true;
          }).observe(document.body, { subtree: true, childList: true });
        })()`);
        // Longer than something that a person waits for may take before it is told.
        await new Promise((done) => setTimeout(done, 800));
        expect(await page.raw.evaluate('window.loadingShown')).toBe(false);
        await page.has('tbody button');
      });
    });
  });
});
