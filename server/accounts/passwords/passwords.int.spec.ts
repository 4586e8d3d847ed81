import { localDay } from '#contracts/local-day.js';
import { NO_FACTS } from '#contracts/library/library-facts.js';
import { accountSteps, parametersOf } from '../../../test-support/product/account-steps.js';
import { startProduct } from '../../../test-support/product/product.js';
import { TEST_PASSWORD } from '../../../test-support/product/registrations.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';

const HOUR = 3_600_000;
const SITE = 'https://library.example.org/';
const NEW_PASSWORD = 'Nowe#Haslo7';
const WRONG = 'Wrong#2026';

const clock = new TestClock();
const product = shared(() =>
  startProduct(clock, { environment: { PUBLIC_URL: SITE }, jobs: { rounds: false } }),
);
const { account, link, linkToken, login, post, profile, register, rows, signedIn } = accountSteps(product);
// Every test has its allowance of attempts.
beforeEach(() => clock.forward(HOUR / 4));

/** Letters with a subject, once there are that many. */
const letters = (email: string, subject: string, count = 1) =>
  waitFor(async () => {
    const found = (await product.letters(email)).filter((letter) => letter.subject === subject);
    return found.length === count && found;
  });

describe('a forgotten password', () => {
  const forgot = (email: string) => post('forgot-password', { email });
  const reset = (email: string, token: string, newPassword = NEW_PASSWORD) =>
    post('reset-password', { email, token, newPassword });

  async function tokenFor(email: string, count = 1) {
    expect((await forgot(email)).status).toBe(200);
    return linkToken(email, 'reset-password', count);
  }
  const noLetter = async () =>
    (await product.lines()).filter((line) => line.includes('no letter sent')).length;

  it('is written about in the name that the library gave itself, from its address', async () => {
    const { email } = await account();
    const admin = await product.account('Admin');
    const facts = { ...NO_FACTS, name: 'Biblioteka na Woli', email: 'wola@example.org' };
    expect((await admin.put('Library', { ...facts, version: 0 })).status).toBe(200);
    await forgot(email);
    const [letter] = await letters(email, 'Choose a new password');
    expect(letter?.from).toBe('"Biblioteka na Woli" <wola@example.org>');
    expect(letter?.text).toContain('Biblioteka na Woli');
  });

  it('is replaced by the mailed link, once, and ends every session', async () => {
    const { username, email, token: before } = await signedIn();
    const token = await tokenFor(email);
    expect(token).toMatch(/^[\w-]{43}$/);
    const mailed = await link(email, 'reset-password');
    expect(mailed.href).toContain(`${SITE}#/reset-password?`);
    expect(parametersOf(mailed).get('email')).toBe(email);

    expect((await reset(email.toUpperCase(), token)).status).toBe(200);
    expect((await login(username)).body.code).toBe('WrongCredentials');
    expect((await login(username, NEW_PASSWORD)).status).toBe(200);
    const old = await profile(before);
    expect([old.status, old.body.code]).toEqual([401, 'SessionEnded']);

    const again = await reset(email, token, 'Other#2026');
    expect([again.status, again.body.code]).toEqual([400, 'LinkInvalid']);
    expect(again.body.detail).toContain('ask for a new one');
    expect((await login(username, NEW_PASSWORD)).status).toBe(200);
  });

  it('is replaced once of two openings at the same moment', async () => {
    const { email } = await account();
    const token = await tokenFor(email);
    const answers = await Promise.all([reset(email, token), reset(email, token, 'Other#2026')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('is told of to the owner, with the time; nothing secret and no address is anywhere else', async () => {
    const { lastname, email } = await register();
    await product.database.query('update account set email_confirmed = true where email = $1', [email]);
    const token = await tokenFor(email);
    await reset(email, token);
    const [letter] = await letters(email, 'Your password was changed');
    expect(letter?.text).toContain(localDay(clock.now().getTime(), product.settings.TIME_ZONE));
    expect(letter?.text).toContain('If it was not you');
    expect(letter?.links).toEqual([`${SITE}#/forgot-password`]);
    expect(letter?.text).not.toContain(token);

    const kept = await rows(
      `select to_jsonb(j)::text from lectern_jobs.job j union all select to_jsonb(l)::text from letters.letter l
       union all select to_jsonb(t)::text from account_token t`,
    );
    const everything = (await product.lines()).join('') + JSON.stringify(kept);
    expect(everything).toContain('the link that sets a new password was sent');
    for (const secret of [email, lastname, token, NEW_PASSWORD]) expect(everything).not.toContain(secret);
  });

  it('answers the same to an address that is unknown, waits for its confirmation, or is known', async () => {
    const [known, waiting] = [await account(), await register()];
    const before = await noLetter();
    const answers = [];
    for (const email of [known.email, waiting.email, 'nobody@example.org']) {
      const { status, body } = await forgot(email);
      answers.push({ status, body });
    }
    expect(answers[0]?.status).toBe(200);
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    await letters(known.email, 'Choose a new password');
    // Each of the three asked for the same job; two of them find nobody to write to.
    await waitFor(async () => (await noLetter()) === before + 2);
    expect(await letters(waiting.email, 'Choose a new password', 0)).toEqual([]);
    expect(await product.letters('nobody@example.org')).toEqual([]);
  });

  it('has one link that works: the latest', async () => {
    const { email } = await account();
    const first = await tokenFor(email);
    const second = await tokenFor(email, 2);
    expect((await reset(email, first)).body.code).toBe('LinkInvalid');
    expect((await reset(email, second)).status).toBe(200);
  });

  it('is replaced by no wrong link, no other account’s, none of another purpose, and none that is too old', async () => {
    const [mine, other] = [await register(), await account()];
    const confirms = await linkToken(mine.email, 'confirm-email');
    await product.database.query('update account set email_confirmed = true where id = $1', [mine.id]);
    const tooOld = await tokenFor(mine.email);
    await clock.forward(HOUR);
    const others = await tokenFor(other.email);
    for (const token of [tooOld, others, confirms, 'wrong']) {
      const answer = await reset(mine.email, token);
      expect([answer.status, answer.body.code]).toEqual([400, 'LinkInvalid']);
    }
    expect((await reset('nobody@example.org', others)).body.code).toBe('LinkInvalid');
    expect((await login(mine.username)).status).toBe(200);
    // What was refused did not use it up.
    await clock.forward(HOUR - 300_000);
    expect((await reset(other.email, others)).status).toBe(200);
  });

  it('is replaced only by one that keeps all the rules, and a refusal leaves the link good', async () => {
    const { email } = await account();
    const token = await tokenFor(email);
    for (const [password, ...errors] of [
      ['Aa1!', 'Password must be at least 6 characters long.'],
      [
        'abcdefg',
        'Password must contain at least one number (0-9).',
        'Password must contain at least one uppercase letter.',
        'Password must contain at least one special character.',
      ],
    ]) {
      const { status, body } = await reset(email, token, password);
      expect([status, body.errors]).toEqual([400, { newPassword: errors }]);
    }
    expect((await reset(email, token)).status).toBe(200);
  });

  it('makes who had guessed too often welcome again, by either name', async () => {
    const { username, email } = await account();
    for (const name of [username, email]) {
      for (let attempt = 0; attempt < 10; attempt += 1) await login(name, WRONG);
      expect((await login(name)).body.code).toBe('TooManyAttempts');
    }
    await reset(email, await tokenFor(email));
    for (const name of [username, email]) expect((await login(name, NEW_PASSWORD)).status).toBe(200);
  });

  it('is asked for at most five times for one mailbox, known or not, and twenty times from one place', async () => {
    const { email } = await account();
    const statusesOf = async (count: number, address: (attempt: number) => string) => {
      const statuses = [];
      for (let attempt = 0; attempt < count; attempt += 1)
        statuses.push((await forgot(address(attempt))).status);
      return statuses;
    };
    for (const address of [email, 'nobody@example.org'])
      expect(await statusesOf(6, () => address)).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await forgot(email.toUpperCase())).status).toBe(429);
    const others = await statusesOf(8, (attempt) => `person-${attempt}@example.org`);
    expect(others).toEqual([200, 200, 200, 200, 200, 200, 200, 429]);
  });

  it('says which address is none', async () => {
    const { status, body } = await forgot('nobody');
    expect([status, body.errors]).toEqual([400, { email: ['Please enter a valid email address.'] }]);
  });
});

describe('a password that is changed while signed in', () => {
  const change = (token: string, currentPassword: string, newPassword: string) =>
    post('change-password', { currentPassword, newPassword }, { token });

  it('takes the present one, ends all other sessions and links, and tells by letter', async () => {
    const { id, username, email, token } = await signedIn();
    const { body: elsewhere } = await login(username);
    await post('forgot-password', { email });
    const mailed = await linkToken(email, 'reset-password');
    expect((await change(token, TEST_PASSWORD, NEW_PASSWORD)).status).toBe(200);
    expect([(await profile(token)).status, (await profile(elsewhere.token)).status]).toEqual([200, 401]);
    expect((await login(username)).body.code).toBe('WrongCredentials');
    expect((await login(username, NEW_PASSWORD)).status).toBe(200);
    const reset = await post('reset-password', { email, token: mailed, newPassword: TEST_PASSWORD });
    expect(reset.body.code).toBe('LinkInvalid');
    const letter = `select data from letters.letter where kind = 'password-changed' and account_id = $1`;
    expect(await rows(letter, id)).toMatchObject([{ data: { elsewhere: true } }]);
  });

  it('is refused a wrong present one, the same again, and one against the rules, each under its field', async () => {
    const { token } = await signedIn();
    for (const [present, next, field] of [
      [WRONG, NEW_PASSWORD, 'currentPassword'],
      [TEST_PASSWORD, TEST_PASSWORD, 'newPassword'],
      [TEST_PASSWORD, 'short', 'newPassword'],
    ] as const) {
      const { status, body } = await change(token, present, next);
      expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
    }
    expect((await profile(token)).status).toBe(200);
  });

  it('is not guessed by who found a device open', async () => {
    const { token } = await signedIn();
    const answers = await Promise.all(
      Array.from({ length: 13 }, (_, each) => change(token, `Wrong#${each}`, NEW_PASSWORD)),
    );
    const counts = [400, 429].map((status) => answers.filter((each) => each.status === status).length);
    expect(counts).toEqual([10, 3]);
  });

  it.each([
    ['Password1!', {}, 'This is one of the most common passwords, or very close to one.'],
    ['Zielony#Krokodyl9', {}, null],
    ['Zielony#Krokodyl9', { username: 'krokodyl' }, /contains your name/],
  ])('is told beforehand whether it is weak: %s of %j', async (password, owner, weakness) => {
    const { body } = await post('check-password', { password, ...owner });
    expect(body).toEqual({
      weakness: weakness && expect.stringMatching(weakness),
      refused: false,
    });
  });
});
