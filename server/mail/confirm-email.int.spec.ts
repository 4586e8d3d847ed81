import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { Jobs } from '#platform/jobs/jobs.js';
import { JobsModule } from '#platform/jobs/jobs.module.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/database.js';
import { openTestMailbox, type TestMailbox } from '../../test-support/mailbox.js';
import { REDIS_INSTALLED, startTestRedis, type TestRedis } from '../../test-support/redis.js';
import { registration, TEST_PASSWORD } from '../../test-support/registrations.js';
import { startTestServer, type TestServer } from '../../test-support/server-app.js';
import { waitFor } from '../../test-support/wait-for.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OneTimeLinksModule } from '../accounts/one-time-links.commands.js';
import { MailModule } from './mail.module.js';

const QUICK = { mail: { concurrency: 2, attempts: 5, firstRetryMs: 20 } };

const startServer = (database: TestDatabase, smtpUrl: string, redis: TestRedis | undefined) =>
  startTestServer(
    database.url,
    [AccountsModule, OneTimeLinksModule, MailModule, JobsModule.forRoot(['mail'], QUICK)],
    {
      ...redis?.environment,
      SMTP_URL: smtpUrl,
      PUBLIC_URL: 'https://library.example.org/',
    },
  );

function confirmation(startRedis: () => Promise<TestRedis | undefined>) {
  let redis: TestRedis | undefined;
  let database: TestDatabase;
  let mailbox: TestMailbox;
  let server: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('migrated');
    mailbox = await openTestMailbox();
    redis = await startRedis();
    server = await startServer(database, mailbox.smtpUrl, redis);
  });

  afterAll(async () => {
    await server.stop();
    await redis?.stop();
    await mailbox.stop();
    await database.drop();
  });

  const register = async () => {
    const body = registration();
    expect((await server.call('POST', 'Account/register', { body })).status).toBe(201);
    return body;
  };

  /** The link in the newest message, once there are that many. */
  const linkOf = (email: string, messages = 1) =>
    waitFor(async () => {
      const received = await mailbox.messages(email);
      const link = received[0]?.links[0];
      return received.length === messages && link !== undefined ? new URL(link) : undefined;
    });

  const partsOf = (link: URL) => {
    expect(link.origin + link.pathname).toBe('https://library.example.org/');
    const [route, query] = link.hash.split('?');
    expect(route).toBe('#/confirm-email');
    const parameters = new URLSearchParams(query);
    return { token: parameters.get('token') ?? '', userId: parameters.get('userId') ?? '' };
  };

  const login = (username: string) =>
    server.call('POST', 'Account/login', { body: { username, password: TEST_PASSWORD } });

  it('leads from the registration to the profile', async () => {
    const { username, email } = await register();
    const link = await linkOf(email);
    const [message] = await mailbox.messages(email);
    expect(message).toMatchObject({ to: email, subject: 'Please confirm your email address' });
    expect(message?.text).toContain(link.href);
    expect(message?.text).toContain('Dear Zofia,');
    expect(message?.links).toHaveLength(1);

    expect((await login(username)).body.code).toBe('EmailNotConfirmed');
    const parts = partsOf(link);
    expect(parts.token).toMatch(/^[\w-]{43}$/);
    expect((await server.call('POST', 'Account/confirm-email', { body: parts })).status).toBe(200);
    const { body } = await login(username);
    const profile = await server.call('GET', 'User/profile', { token: body.token });
    expect(profile.body).toMatchObject({ id: parts.userId, userName: username, email });
  });

  it('comes again when it is asked for, and makes the one before worthless', async () => {
    const { username, email } = await register();
    const first = partsOf(await linkOf(email));
    await server.call('POST', 'Account/resend-confirmation-email', {
      body: { username: username.toUpperCase() },
    });
    const second = partsOf(await linkOf(email, 2));
    const refused = await server.call('POST', 'Account/confirm-email', { body: first });
    expect([refused.status, refused.body.code]).toEqual([400, 'LinkInvalid']);
    expect((await server.call('POST', 'Account/confirm-email', { body: second })).status).toBe(200);
  });

  it('is not sent to an account that was confirmed in the meantime', async () => {
    const { username, email } = await register();
    await linkOf(email);
    const { rows } = await server.database.query<{ id: string }>(
      `with confirmed as (update account set email_confirmed = true where username = $1 returning id),
       asked as (
         insert into letters.letter (cause, queue, kind, account_id, caused_at, data)
         select 'test-' || id, 'mail', 'confirm-email', id, now(), jsonb_build_object('accountId', id) from confirmed
       ) select id, pg_notify('lectern_letters', '') from confirmed`,
      [username],
    );
    await waitFor(() =>
      server.log.some((line) => line.includes('no letter sent') && line.includes(rows[0]?.id ?? '?')),
    );
    expect(await mailbox.messages(email)).toHaveLength(1);
  });

  it('leaves nothing secret and no address in the log, the ledger or the queue', async () => {
    const { email, lastname } = await register();
    const { token } = partsOf(await linkOf(email));
    const queued = await server.app.get(Jobs).queue('mail').getJobs();
    const { rows: ledger } = await server.database.query('select * from letters.letter');
    const everything = server.log.join('') + JSON.stringify([queued.map((job) => job.asJSON()), ledger]);
    expect(everything).toContain('the link that confirms an email address was sent');
    for (const secret of [email, lastname, token, TEST_PASSWORD]) expect(everything).not.toContain(secret);
  });
}

function refusal(startRedis: () => Promise<TestRedis | undefined>) {
  let redis: TestRedis | undefined;
  let database: TestDatabase;
  let server: TestServer;
  let refusals = 2;
  const delivered: string[] = [];
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 200,
    onRcptTo({ address }, _session, done) {
      refusals -= 1;
      done(refusals < 0 ? null : Object.assign(new Error(`<${address}> not now`), { responseCode: 451 }));
    },
    onData(stream, session, done) {
      stream.resume();
      stream.on('end', () => {
        delivered.push(...session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });

  beforeAll(async () => {
    database = await createTestDatabase('migrated');
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
    const { port } = smtp.server.address() as AddressInfo;
    redis = await startRedis();
    server = await startServer(database, `smtp://127.0.0.1:${port}`, redis);
  });

  afterAll(async () => {
    await server.stop();
    await redis?.stop();
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
    await database.drop();
  });

  it('is asked again, and is not named the recipient in the log', async () => {
    const body = registration();
    await server.call('POST', 'Account/register', { body });
    await waitFor(() => delivered.includes(body.email));
    const tries = server.log.filter((line) => line.includes('is tried again'));
    expect(tries).toHaveLength(2);
    expect(tries[0]).toContain('The mail server did not take the letter (EENVELOPE RCPT TO 451).');
    expect(server.log.join('')).not.toContain(body.email);
    // Every try made a new link, and only the last one is good.
    const { rows } = await server.database.query('select count(*)::integer as links from account_token');
    expect(rows).toEqual([{ links: 1 }]);
  });
}

const nowhere = async () => undefined;
describe('the email that confirms an address', () => confirmation(nowhere));
describe('a mail server that refuses', () => refusal(nowhere));

// Where redis-server is not installed these are reported as skipped.
(REDIS_INSTALLED ? describe : describe.skip)('with jobs on Redis (needs redis-server)', () => {
  describe('the email that confirms an address', () => confirmation(() => startTestRedis()));
  describe('a mail server that refuses', () => refusal(() => startTestRedis()));
});
