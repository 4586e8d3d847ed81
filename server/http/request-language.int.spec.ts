import { LANGUAGES } from '#contracts/languages.js';
import { startProduct } from '../../test-support/product/product.js';
import { registration, TEST_PASSWORD } from '../../test-support/product/registrations.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';

describe('the language of who asks', () => {
  const product = shared(() => startProduct());
  const ask = (path: string, headers: Record<string, string> = {}, body?: object) =>
    fetch(`${product.url}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const languageOf = async (answer: Response) => /<html lang="([^"]*)"/.exec(await answer.text())?.[1];

  it.each([
    ['en', {}],
    ['pl', { 'accept-language': 'pl-PL,pl;q=0.9,en;q=0.8' }],
    ['en', { 'accept-language': 'fr, en;q=0.5, pl;q=0.2' }],
    ['en', { 'accept-language': 'tlh' }],
    ['en', { 'accept-language': 'pl', cookie: 'language=en' }],
    ['pl', { cookie: 'language=pl' }],
    ['pl', { 'accept-language': 'pl', cookie: 'language=../../etc' }],
  ])('a page is in %s for %j', async (language, headers: Record<string, string>) => {
    const page = await ask('/', headers);
    expect(page.headers.get('vary')).toContain('accept-language');
    expect(await languageOf(page)).toBe(language);
  });

  it('is chosen by an address for whoever follows it, and every page names the others', async () => {
    const page = await ask('/?lang=pl');
    expect(page.headers.get('set-cookie')).toMatch(/language=pl;.*HttpOnly/);
    const text = await page.text();
    expect(text).toContain('<html lang="pl"');
    for (const language of LANGUAGES)
      expect(text).toContain(`hreflang="${language}" href="${product.url}/?lang=${language}">`);
    const unknown = await ask('/?lang=<script>');
    expect(unknown.headers.get('set-cookie') ?? '').not.toContain('language=');
    expect(await languageOf(unknown)).toBe('en');
  });

  it('is kept with the account, and tells a login where to go on', async () => {
    const { username, ...person } = registration();
    const polish = { 'accept-language': 'pl' };
    const registered = await ask('/api/Account/register', polish, { username, ...person });
    expect(registered.status).toBe(201);
    await product.database.query('update account set email_confirmed = true where username = $1', [username]);
    const signIn = async () =>
      (await (await ask('/api/Account/login', {}, { username, password: TEST_PASSWORD })).json()) as {
        token: string;
        language: string;
      };
    const user = await signIn();
    expect(user.language).toBe('pl');
    const choose = (language: string) =>
      fetch(`${product.url}/api/Account/language`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', ...polish },
        body: JSON.stringify({ language }),
      });
    const chosen = await choose('en');
    // Its own words are still in the language that was asked in.
    expect([chosen.status, await chosen.json()]).toEqual([200, { message: 'Zapamiętaliśmy Twój język.' }]);
    expect((await signIn()).language).toBe('en');
    expect((await choose('en-x-asfound')).status).toBe(400);
    expect((await choose('tlh')).status).toBe(400);
    expect((await signIn()).language).toBe('en');
  });

  it('a letter is written in the language of who gets it, whoever caused it', async () => {
    const { email, ...person } = registration();
    await ask('/api/Account/register', { 'accept-language': 'pl' }, { email, ...person });
    const [letter] = await waitFor(async () => {
      const letters = await product.letters(email);
      return letters.length > 0 ? letters : undefined;
    });
    expect(letter?.html).toContain('<html lang="pl"');
    expect(letter?.subject).not.toContain('confirm');
  });
});
