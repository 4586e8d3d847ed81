import { accountSteps, parametersOf } from '../../../test-support/product/account-steps.js';
import { startProduct } from '../../../test-support/product/product.js';
import { registration } from '../../../test-support/product/registrations.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';

const HOUR = 3_600_000;
const PAGE = 'confirm-email';
const SITE = 'https://library.example.org/';

describe('a registration', () => {
  const clock = new TestClock();
  const product = shared(() =>
    startProduct(clock, { environment: { PUBLIC_URL: SITE }, jobs: { rounds: false } }),
  );
  const steps = accountSteps(product);

  const { rows } = steps;
  const register = (changes: object) => steps.post('register', { ...registration(), ...changes });
  const resend = (username: string) => steps.post('resend-confirmation-email', { username });
  const isRefused = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];

  it('writes the account, with a hash, and the wish for an email, by id alone', async () => {
    const { id } = await steps.register();
    expect(await rows('select password_hash, roles, email_confirmed from account where id = $1', id)).toEqual(
      [
        {
          password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
          roles: ['Reader'],
          email_confirmed: false,
        },
      ],
    );
    expect(await rows('select queue, kind, data from letters.letter where account_id = $1', id)).toEqual([
      { queue: 'mail', kind: 'confirm-email', data: { accountId: id } },
    ]);
  });

  // spec 6.4
  it('takes no role from the body', async () => {
    const username = 'would-be-admin';
    expect((await register({ username, roles: ['Admin'], emailConfirmed: true })).status).toBe(201);
    expect(await rows('select roles, email_confirmed from account where username = $1', username)).toEqual([
      { roles: ['Reader'], email_confirmed: false },
    ]);
  });

  it('with a taken name or address is refused, whatever their case, and at its first step already', async () => {
    const [taken, waiting, fresh] = [await steps.account(), await steps.register(), registration()];
    const [name, address] = [taken.username.toUpperCase(), taken.email.toUpperCase()];
    expect(isRefused(await register({ username: name }))).toEqual([409, 'UsernameTaken']);
    expect(isRefused(await register({ email: address }))).toEqual([409, 'EmailTaken']);
    for (const [username, email, answer] of [
      [fresh.username, fresh.email, [200, undefined, undefined]],
      [name, fresh.email, [409, 'UsernameTaken', undefined]],
      [fresh.username, address, [409, 'EmailTaken', undefined]],
      [
        ...[fresh.username, 'no address'],
        [400, 'ValidationFailed', { email: ['Please enter a valid email address.'] }],
      ],
      // An address that waits for its confirmation can be registered again, by its own name too.
      [waiting.username, waiting.email, [200, undefined, undefined]],
      [waiting.username, fresh.email, [409, 'UsernameTaken', undefined]],
    ] as const) {
      const { status, body } = await steps.post('check-registration', { username, email });
      expect([status, body.code, body.errors]).toEqual(answer);
    }
    expect((await register(fresh)).status).toBe(201);
  });

  it('that comes several times at once makes one account, and writes to the last', async () => {
    const body = registration();
    const answers = await Promise.all(Array.from({ length: 5 }, () => register(body)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const letters = await rows(
      'select kind from letters.letter where account_id in (select id from account where username = $1)',
      body.username,
    );
    expect(letters).toHaveLength(1);
  });

  // spec 7.4
  it('leads by the link in its letter to the profile, and is kind to who opens the link again', async () => {
    const { id, username, email } = await steps.register();
    const link = await steps.link(email, PAGE);
    const [message] = await product.letters(email);
    expect(message).toMatchObject({ to: email, subject: 'Please confirm your email address' });
    expect(message?.text).toContain(link.href);
    expect(message?.text).toContain('Dear Zofia,');
    expect(message?.links).toEqual([link.href]);
    expect(link.href).toContain(`${SITE}#/confirm-email?`);
    const { userId = '', token = '' } = Object.fromEntries(parametersOf(link));
    expect([userId, token]).toEqual([id, expect.stringMatching(/^[\w-]{43}$/)]);
    // Only a digest is kept.
    expect(await rows('select digest from account_token where account_id = $1', id)).toEqual([
      { digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);

    expect((await steps.login(username)).body.code).toBe('EmailNotConfirmed');
    expect((await steps.confirm(userId, token)).status).toBe(200);
    const { body } = await steps.login(username);
    expect((await steps.profile(body.token)).body).toMatchObject({ id, userName: username, email });
    expect((await steps.confirm(userId, token)).status).toBe(200);
  });

  it('is confirmed by no wrong link, no foreign one, and none that a newer one replaced', async () => {
    const [account, other] = [await steps.register(), await steps.register()];
    const first = await steps.linkToken(account.email, PAGE);
    expect((await resend(account.username.toUpperCase())).status).toBe(200);
    const second = await steps.linkToken(account.email, PAGE, 2);
    const foreign = await steps.linkToken(other.email, PAGE);
    for (const token of ['wrong', foreign, first])
      expect(isRefused(await steps.confirm(account.id, token))).toEqual([400, 'LinkInvalid']);
    expect((await steps.confirm(account.id, second)).status).toBe(200);
    // Once it is used it is still nobody else's.
    expect((await steps.confirm(other.id, second)).body.code).toBe('LinkInvalid');
  });

  it('is confirmed by no link after a day', async () => {
    const { id, email } = await steps.register();
    const token = await steps.linkToken(email, PAGE);
    await clock.forward(24 * HOUR);
    expect((await steps.confirm(id, token)).body.code).toBe('LinkInvalid');
  });

  // spec 7.6
  it('that waits is written to again, and other names are answered the same', async () => {
    const [waiting, done] = [await steps.register(), await steps.account()];
    const answers = [];
    for (const name of [waiting.username, done.username, 'nobody-of-that-name']) {
      const { status, body } = await resend(name);
      answers.push({ status, body });
    }
    expect(answers[0]?.status).toBe(200);
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    const letters = await rows('select account_id as id from letters.letter where account_id = any($1)', [
      waiting.id,
      done.id,
    ]);
    expect(letters).toEqual([{ id: waiting.id }, { id: waiting.id }]);
  });

  it('sends few letters to one mailbox, by whatever name, and says the same to names that nobody has', async () => {
    const waiting = await steps.register();
    const statusesOf = async (count: number, call: (time: number) => Promise<{ status: number }>) => {
      const statuses = [];
      for (let time = 0; time < count; time += 1) statuses.push((await call(time)).status);
      return statuses;
    };
    for (const name of [waiting.username, 'nobody-waits-here']) {
      const statuses = await statusesOf(5, () => resend(name.toUpperCase()));
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
    }
    const mailbox = `jadwiga-${waiting.username}`;
    const statuses = await statusesOf(7, (time) =>
      steps.post('register', registration({ email: `${mailbox}+${time}@People.example` })),
    );
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
    await clock.forward(HOUR / 4);
    expect((await resend(waiting.username)).status).toBe(200);
  });
});
