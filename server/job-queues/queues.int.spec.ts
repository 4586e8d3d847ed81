import type { QueuesView } from '#contracts/dashboard/queues.js';
import { LetterOffice, QUICK_LETTERS } from '../../test-support/mail/letter-office.js';
import { callApi } from '../../test-support/product/caller.js';
import { startProduct, type TestAccount } from '../../test-support/product/product.js';
import { freePort } from '../../test-support/installation/free-port.js';
import {
  REDIS_INSTALLED,
  startTestRedis,
  TestCluster,
  type TestRedis,
} from '../../test-support/installation/redis.js';
import { shared } from '../../test-support/shared.js';
import { TestClock } from '../../test-support/test-clock.js';
import { waitFor } from '../../test-support/wait-for.js';

const OWN = { 'sec-fetch-site': 'same-origin' };

/** @param redis where the jobs are, if not in the database */
function suite(redis?: TestRedis) {
  const clock = new TestClock();
  const product = shared(async () => {
    // Nobody listens there: every letter fails.
    const environment = { ...redis?.environment, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` };
    return startProduct(clock, { staySignedIn: true, environment, jobs: QUICK_LETTERS });
  });
  const office = new LetterOffice(product, clock);
  const admin = shared(() => product.account('Admin'));

  /** The cookie that the call sets, and all that it says of it. */
  async function passFor({ token }: TestAccount): Promise<{ cookie: string; attributes: string }> {
    const answer = await callApi(product.url, 'POST', 'Dashboard/queues-pass', { token });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ url: '/admin/queues', expiresAt: expect.any(String) });
    const [cookie = '', ...attributes] = (answer.headers.get('set-cookie') ?? '').split('; ');
    return { cookie, attributes: attributes.join('; ') };
  }

  const open = (path: string, cookie?: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${product.url}/admin/queues${path}`, {
      method,
      headers: { ...(cookie !== undefined && { cookie }), ...headers },
    });

  it('are counted', async () => {
    const { status, body } = await admin.get('Dashboard/queues');
    expect(status).toBe(200);
    expect((body as QueuesView).map(({ name }) => name)).toEqual(expect.arrayContaining(['mail', 'letters']));
  });

  it('are closed to guests, to whoever brings a session for a pass, and to a pass that ran out', async () => {
    for (const path of ['', '/', '/api/queues', '/static/favicon.ico', '/queue/mail']) {
      expect([path, (await open(path)).status]).toEqual([path, 401]);
    }
    expect((await open('/api/queues', `lectern-queues=${admin.token}`)).status).toBe(401);
    expect((await open('/api/queues', undefined, { authorization: `Bearer ${admin.token}` })).status).toBe(
      401,
    );
    const { cookie, attributes } = await passFor(admin);
    expect((await open('/api/queues', cookie)).status).toBe(200);
    expect(attributes).toMatch(/Path=\/admin\/queues; .*HttpOnly; SameSite=Strict/);
    expect(attributes).toContain('Max-Age=900');
    // It opens nothing else.
    const asSession = await callApi(product.url, 'GET', 'Dashboard/stats', { token: cookie.split('=')[1] });
    expect(asSession.status).toBe(401);
    await clock.forward(16 * 60_000);
    expect((await open('/api/queues', cookie)).status).toBe(401);
    const refused = await open('', cookie, { 'sec-fetch-dest': 'document' });
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain('The queues are closed');
  });

  it('close at once to who is no admin any more, signed out or was signed out everywhere', async () => {
    const changes = [
      (other: TestAccount) => admin.put(`User/roles?id=${other.id}`, { roles: ['Reader'] }),
      (other: TestAccount) => other.post('Account/logout'),
      (other: TestAccount) => other.post(`User/end-sessions?id=${other.id}`),
    ];
    for (const change of changes) {
      const other = await product.account('Admin');
      const { cookie } = await passFor(other);
      expect((await open('/api/queues', cookie)).status).toBe(200);
      expect((await change(other)).status).toBe(200);
      await waitFor(async () => [401, 403].includes((await open('/api/queues', cookie)).status));
    }
  });

  it('show a page that loads nothing from elsewhere', async () => {
    const { cookie } = await passFor(admin);
    const page = await open('', cookie, { 'sec-fetch-dest': 'document' });
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    const scripts = [...html.matchAll(/src="(static\/[^"]+)"/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, script] of scripts) {
      expect([script, (await open(`/${script}`, cookie)).status]).toEqual([script, 200]);
    }
  });

  it('show a letter that failed by ids alone, and have it tried again from the page itself', async () => {
    const borrow = await office.rent(['A title of its own']);
    const job = await waitFor(async () => {
      const failed = await product.jobsIn('letters', 'failed');
      return failed.find(({ data }) => JSON.stringify(data).includes(borrow.borrowId));
    });
    const { cookie } = await passFor(admin);
    const listed = await (
      await open('/api/queues?activeQueue=letters&status=failed&page=1&jobsPerPage=10', cookie)
    ).text();
    expect(listed).toContain(job.id);
    expect(listed).toContain('The mail server did not take the letter');
    for (const secret of [borrow.email, 'Zofia', 'A title of its own']) expect(listed).not.toContain(secret);
    expect(await counts('letters')).toMatchObject({ failed: 1, paused: false });

    const retry = `/api/queues/letters/${job.id}/retry`;
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
    ]) {
      expect((await open(retry, cookie, headers as Record<string, string>, 'PUT')).status).toBe(403);
    }
    const tries = async () =>
      (await product.jobsIn('letters')).find(({ id }) => id === job.id)?.attemptsMade ?? 0;
    const before = await tries();
    expect((await open(retry, cookie, OWN, 'PUT')).status).toBe(204);
    await waitFor(async () => (await tries()) > before);
    await waitFor(async () => (await counts('letters'))?.failed === 1);
    expect((await product.lines()).join('')).toContain('a queue was changed');
  });

  const counts = async (queue: string) => {
    const { body } = await admin.get('Dashboard/queues');
    return (body as QueuesView).find(({ name }) => name === queue);
  };

  it('cannot be emptied or forged from the page', async () => {
    const { cookie } = await passFor(admin);
    for (const [method, path] of [
      ['PUT', '/api/queues/letters/empty'],
      ['PUT', '/api/queues/letters/obliterate'],
      ['PUT', '/api/queues/letters/clean/failed'],
      ['POST', '/api/queues/letters/add'],
      ['PATCH', '/api/queues/letters/1/update-data'],
      ['PUT', '/api/queues/pause'],
    ] as const) {
      expect([path, (await open(path, cookie, OWN, method)).status]).toEqual([path, 403]);
    }
    expect((await open('/api/queues/letters/pause', cookie, OWN, 'PUT')).status).toBe(200);
    expect(await counts('letters')).toMatchObject({ paused: true });
    expect((await open('/api/queues/letters/resume', cookie, OWN, 'PUT')).status).toBe(200);
    expect(await counts('letters')).toMatchObject({ paused: false });
  });
}

describe('the queues of an admin, on PostgreSQL', () => suite());

// Where redis-server is not installed these are reported as skipped.
const describeRedis = REDIS_INSTALLED ? describe : describe.skip;

describeRedis('the queues of an admin, on Redis (needs redis-server)', () =>
  suite(shared(() => startTestRedis())),
);

// The page asks a cluster in another way.
describeRedis('the queues of an admin, on a cluster of Redis (needs redis-server)', () =>
  suite(shared(() => TestCluster.start())),
);
