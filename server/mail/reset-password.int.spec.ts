import { NO_FACTS } from '#contracts/library/library-facts.js';
import { inTransaction } from '#platform/database/database.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { JobsModule } from '#platform/jobs/jobs.module.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { createTestDatabase } from '../../test-support/database.js';
import { openTestMailbox } from '../../test-support/mailbox.js';
import { registration, TEST_PASSWORD } from '../../test-support/registrations.js';
import { startTestServer } from '../../test-support/server-app.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { makeLinkToken } from '../accounts/one-time-links.js';
import { RegistrationCommands } from '../accounts/registration/registration.commands.js';
import { OneTimeLinksModule } from '../accounts/one-time-links.commands.js';
import { MailModule } from './mail.module.js';

const QUICK = { mail: { concurrency: 2, attempts: 5, firstRetryMs: 20 } };
const QUARTER_OF_AN_HOUR = 15 * 60 * 1000;
const NEW_PASSWORD = 'Nowe#Haslo7';

describe('a forgotten password', () => {
  const database = shared(() => createTestDatabase('migrated'));
  const mailbox = shared(() => openTestMailbox());
  const server = shared(() =>
    startTestServer(
      database.url,
      [AccountsModule, OneTimeLinksModule, MailModule, JobsModule.forRoot(['mail'], QUICK)],
      { SMTP_URL: mailbox.smtpUrl, PUBLIC_URL: 'https://library.example.org/' },
    ),
  );
  // Every test has its allowance of attempts.
  beforeEach(() => server.clock.forward(QUARTER_OF_AN_HOUR));

  async function account({ confirmed = true } = {}) {
    const body = registration();
    const id = await server.app.get(RegistrationCommands).registerReader(body);
    await waitFor(async () => (await mailbox.messages(body.email)).length === 1);
    await server.database.query('update account set email_confirmed = $2 where id = $1', [id, confirmed]);
    return { ...body, id };
  }

  const forgot = (email: string) => server.call('POST', 'Account/forgot-password', { body: { email } });
  const reset = (email: string, token: string, newPassword = NEW_PASSWORD) =>
    server.call('POST', 'Account/reset-password', { body: { email, token, newPassword } });
  const login = (username: string, password: string) =>
    server.call('POST', 'Account/login', { body: { username, password } });

  const letters = async (email: string, subject: string) =>
    (await mailbox.messages(email)).filter((message) => message.subject === subject);

  /** The link in the newest letter, once there are that many. */
  const linkOf = (email: string, count = 1) =>
    waitFor(async () => {
      const found = await letters(email, 'Choose a new password');
      const link = found[0]?.links[0];
      return found.length === count && link !== undefined ? new URL(link) : undefined;
    });

  async function tokenFor(email: string, count = 1) {
    expect((await forgot(email)).status).toBe(200);
    const link = await linkOf(email, count);
    expect(link.origin + link.pathname).toBe('https://library.example.org/');
    const [route, query] = link.hash.split('?');
    expect(route).toBe('#/reset-password');
    const parameters = new URLSearchParams(query);
    expect(parameters.get('email')).toBe(email);
    return parameters.get('token') ?? '';
  }

  it('is written about in the name that the library gave itself, from its address', async () => {
    const { email } = await account();
    await server.database.query(
      'insert into library_facts (version, facts, changed_at) values (1, $1, now())',
      [{ ...NO_FACTS, name: 'Biblioteka na Woli', email: 'wola@example.org' }],
    );
    await notify(server.database, CHANNELS.library, '');
    await waitFor(async () => server.app.get(LibraryFacts).name === 'Biblioteka na Woli');
    await forgot(email);
    const [letter] = await waitFor(async () => {
      const found = await letters(email, 'Choose a new password');
      return found.length === 1 && found;
    });
    expect(letter?.from).toBe('"Biblioteka na Woli" <wola@example.org>');
    expect(letter?.text).toContain('Biblioteka na Woli');
  });

  it('is replaced by the mailed link, once, and ends every session', async () => {
    const { username, email } = await account();
    const { body: before } = await login(username, TEST_PASSWORD);
    const token = await tokenFor(email);
    expect(token).toMatch(/^[\w-]{43}$/);

    expect((await reset(email.toUpperCase(), token)).status).toBe(200);
    expect((await login(username, TEST_PASSWORD)).body.code).toBe('WrongCredentials');
    expect((await login(username, NEW_PASSWORD)).status).toBe(200);
    const old = await server.call('GET', 'User/profile', { token: before.token });
    expect([old.status, old.body.code]).toEqual([401, 'SessionEnded']);

    const again = await reset(email, token, 'Other#2026');
    expect([again.status, again.body.code]).toEqual([400, 'LinkInvalid']);
    expect(again.body.detail).toContain('ask for a new one');
    expect((await login(username, NEW_PASSWORD)).status).toBe(200);
  });

  it('works once of two openings at the same moment', async () => {
    const { email } = await account();
    const token = await tokenFor(email);
    const answers = await Promise.all([reset(email, token), reset(email, token, 'Other#2026')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('is told of to the owner, with the time and without anything secret', async () => {
    const { email } = await account();
    const token = await tokenFor(email);
    await reset(email, token);
    const [letter] = await waitFor(async () => {
      const found = await letters(email, 'Your password was changed');
      return found.length > 0 && found;
    });
    expect(letter?.text).toContain(server.clock.now().toISOString().slice(0, 10));
    expect(letter?.text).toContain('If it was not you');
    expect(letter?.links).toEqual(['https://library.example.org/#/forgot-password']);
    expect(letter?.text).not.toContain(token);
  });

  it('answers the same to an address that is unknown, waits for its confirmation, or is known', async () => {
    const [known, waiting] = [await account(), await account({ confirmed: false })];
    const before = server.log.length;
    const answers = [];
    for (const email of [known.email, waiting.email, 'nobody@example.org']) {
      const { status, body } = await forgot(email);
      answers.push({ status, body });
    }
    expect(answers[0]?.status).toBe(200);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    await linkOf(known.email);
    // Each of the three asked for the same job; two of them find nobody to write to.
    await waitFor(
      () => server.log.slice(before).filter((line) => line.includes('no letter sent')).length === 2,
    );
    expect(await letters(waiting.email, 'Choose a new password')).toEqual([]);
    expect(await mailbox.messages('nobody@example.org')).toEqual([]);
  });

  it('has one link that works: the latest', async () => {
    const { email } = await account();
    const first = await tokenFor(email);
    const second = await tokenFor(email, 2);
    expect((await reset(email, first)).body.code).toBe('LinkInvalid');
    expect((await reset(email, second)).status).toBe(200);
  });

  it('refuses a wrong link, another account’s, one of another purpose, and one that is too old', async () => {
    const [mine, other] = [await account(), await account()];
    const link = (id: string, purpose: 'confirm-email' | 'reset-password', age = 0) =>
      inTransaction(server.dataSource, (transaction) =>
        makeLinkToken(transaction, id, purpose, new Date(server.clock.now().getTime() - age)),
      );
    const tokens = {
      'too old': await link(mine.id, 'reset-password', 3_600_000),
      'of another account': await link(other.id, 'reset-password'),
      'that confirms an address': await link(mine.id, 'confirm-email'),
      'made up': 'wrong',
    };
    for (const token of Object.values(tokens)) {
      const answer = await reset(mine.email, token);
      expect([answer.status, answer.body.code]).toEqual([400, 'LinkInvalid']);
    }
    expect((await reset('nobody@example.org', tokens['of another account'])).body.code).toBe('LinkInvalid');
    expect((await login(mine.username, TEST_PASSWORD)).status).toBe(200);
    // What was refused did not use it up.
    expect((await reset(other.email, tokens['of another account'])).status).toBe(200);
    const young = await link(mine.id, 'reset-password', 3_600_000 - 1000);
    expect((await reset(mine.email, young)).status).toBe(200);
  });

  it('is replaced only by one that keeps all the rules, and a refusal leaves the link good', async () => {
    const { email } = await account();
    const token = await tokenFor(email);
    const short = await reset(email, token, 'Aa1!');
    expect([short.status, short.body.errors]).toEqual([
      400,
      { newPassword: ['Password must be at least 6 characters long.'] },
    ]);
    const plain = await reset(email, token, 'abcdefg');
    expect(plain.body.errors.newPassword).toEqual([
      'Password must contain at least one number (0-9).',
      'Password must contain at least one uppercase letter.',
      'Password must contain at least one special character.',
    ]);
    expect((await reset(email, token)).status).toBe(200);
  });

  it('makes who had guessed too often welcome again, by either name', async () => {
    const { username, email } = await account();
    for (const name of [username, email]) {
      for (let attempt = 0; attempt < 10; attempt += 1) await login(name, 'Wrong#2026');
      expect((await login(name, TEST_PASSWORD)).body.code).toBe('TooManyAttempts');
    }
    const token = await tokenFor(email);
    await reset(email, token);
    expect((await login(username, NEW_PASSWORD)).status).toBe(200);
    expect((await login(email, NEW_PASSWORD)).status).toBe(200);
  });

  it('is asked for at most five times for one mailbox, known or not, and twenty times from one place', async () => {
    const { email } = await account();
    for (const address of [email, 'nobody@example.org']) {
      const answers = [];
      for (let attempt = 0; attempt < 6; attempt += 1) answers.push((await forgot(address)).status);
      expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
    }
    expect((await forgot(email.toUpperCase())).status).toBe(429);
    const others = [];
    for (let attempt = 0; attempt < 8; attempt += 1)
      others.push((await forgot(`person-${attempt}@example.org`)).status);
    expect(others).toEqual([200, 200, 200, 200, 200, 200, 200, 429]);
  });

  it('says which address is none', async () => {
    const { status, body } = await forgot('nobody');
    expect([status, body.errors]).toEqual([400, { email: ['Please enter a valid email address.'] }]);
  });

  it('leaves nothing secret and no address in the log, the ledger or the queue', async () => {
    const { email, lastname } = await account();
    const token = await tokenFor(email);
    await reset(email, token);
    await waitFor(async () => (await letters(email, 'Your password was changed')).length === 1);
    const { rows: jobs } = await server.database.query<{ job: string }>(
      'select to_jsonb(j)::text as job from lectern_jobs.job j union all select to_jsonb(l)::text from letters.letter l',
    );
    const { rows: digests } = await server.database.query<{ row: string }>(
      'select to_jsonb(t)::text as row from account_token t',
    );
    const everything = [...server.log, ...jobs.map(({ job }) => job), ...digests.map(({ row }) => row)].join(
      '',
    );
    expect(everything).toContain('the link that sets a new password was sent');
    for (const secret of [email, lastname, token, NEW_PASSWORD]) expect(everything).not.toContain(secret);
  });
});
