import { TOTP, Secret } from 'otpauth';
import { accountSteps } from '../../../test-support/account-steps.js';
import type { FullAnswer } from '../../../test-support/caller.js';
import { startProduct } from '../../../test-support/product.js';
import { TEST_PASSWORD } from '../../../test-support/registrations.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';

const PAGE = 'https://library.example';
const MINUTE = 60_000;
const WRONG = 'Wrong#2026';

describe('behind a proxy whose word on callers does not count', () => {
  const clock = new TestClock();
  const product = shared(() =>
    startProduct(clock, { environment: { PUBLIC_URL: PAGE }, jobs: { rounds: false } }),
  );
  const steps = accountSteps(product);
  beforeEach(() => clock.forward(16 * MINUTE));

  const post = (path: string, body: unknown, cookie = '', token?: string) =>
    steps.post(path, body, { token, headers: { origin: PAGE, ...(cookie && { cookie }) } });
  const login = (username: string, password: string, cookie = '') =>
    post('login', { username, password }, cookie);
  /** Somebody whose browser has signed in before. */
  const account = async () => {
    const { username } = await steps.account();
    const { headers, body } = await login(username, TEST_PASSWORD);
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    expect(cookie).toMatch(/^__Host-lectern-browser=[\w-]{43}$/);
    return { username, cookie, token: body.token as string };
  };
  const statuses = async (count: number, call: (each: number) => Promise<FullAnswer>) => {
    const answers = [];
    for (let each = 0; each < count; each += 1) answers.push((await call(each)).status);
    return answers;
  };

  it('a known browser comes in while strangers use up all limits, and guesses no more than others', async () => {
    const owner = await account();
    const other = await account();
    await statuses(12, () => login(owner.username, WRONG));
    expect((await statuses(41, (each) => login(`nobody-${each}`, WRONG))).at(-1)).toBe(429);

    expect((await login(owner.username, TEST_PASSWORD)).status).toBe(429);
    expect((await login(owner.username, TEST_PASSWORD, owner.cookie)).status).toBe(200);
    // Of another account, and one that nobody was ever given.
    expect((await login(owner.username, TEST_PASSWORD, other.cookie)).status).toBe(429);
    const made = `__Host-lectern-browser=${'a'.repeat(43)}`;
    expect((await login(owner.username, TEST_PASSWORD, made)).status).toBe(429);

    const wrong = await statuses(12, () => login(owner.username, WRONG, owner.cookie));
    expect(wrong).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect((await login(owner.username, TEST_PASSWORD, owner.cookie)).status).toBe(429);
    expect((await login(other.username, TEST_PASSWORD, other.cookie)).status).toBe(200);
  });

  it('a known browser gives its code though strangers who have the password used up those of a day', async () => {
    const owner = await account();
    expect((await post('confirm', { password: TEST_PASSWORD }, owner.cookie, owner.token)).status).toBe(200);
    const { body: app } = await post('second-factor/code-app', {}, owner.cookie, owner.token);
    const totp = new TOTP({ secret: Secret.fromBase32(app.secret) });
    const code = async () => {
      await clock.forward(MINUTE);
      return totp.generate({ timestamp: clock.now().getTime() });
    };
    const added = await post(
      'second-factor/code-app/confirm',
      { code: await code() },
      owner.cookie,
      owner.token,
    );
    expect(added.status).toBe(200);

    const ticketOf = async (cookie = '') => {
      const { body } = await login(owner.username, TEST_PASSWORD, cookie);
      expect(Object.keys(body)).toEqual(['secondFactor']);
      return body.secondFactor.ticket as string;
    };
    const guess = async (cookie = '') => {
      const ticket = await ticketOf(cookie);
      return post('login/second-factor', { ticket, code: '000000' }, cookie);
    };
    let wrong = 0;
    for (let quarter = 0; quarter < 14; quarter += 1) {
      const refused = await statuses(9, () => guess());
      wrong += refused.filter((status) => status === 400).length;
      expect(refused.at(-1)).toBe(429);
      await clock.forward(16 * MINUTE);
    }
    expect(wrong).toBe(100);

    const ticket = await ticketOf(owner.cookie);
    const proof = { ticket, code: await code() };
    expect((await post('login/second-factor', proof)).status).toBe(429);
    const done = await post('login/second-factor', proof, owner.cookie);
    expect([done.status, done.body.username]).toEqual([200, owner.username]);
    // Its own guesses are counted: a stolen browser tries no more codes than others.
    const own = await statuses(9, () => guess(owner.cookie));
    expect(own).toEqual([...Array<number>(8).fill(400), 429]);
  });

  it('a known browser begins with a passkey though strangers have begun as often as may be', async () => {
    const owner = await account();
    const begin = (cookie = '') => post('login/passkey-options', {}, cookie);
    const strangers = await Promise.all(Array.from({ length: 301 }, () => begin()));
    expect(strangers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await begin(`__Host-lectern-browser=${'b'.repeat(43)}`)).status).toBe(429);
    expect((await begin(owner.cookie)).status).toBe(200);
  });
});
