import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { io } from 'socket.io-client';
import { LIVE_PATH } from '#contracts/live/live-messages.js';
import { caller } from '../../test-support/product/caller.js';
import { freePort } from '../../test-support/installation/free-port.js';
import { lateBorrow } from '../../test-support/product/late-borrow.js';
import { startProduct } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { TestClock } from '../../test-support/test-clock.js';
import { waitFor } from '../../test-support/wait-for.js';
import { hashPassword } from '../accounts/passwords/passwords.js';

const TOKEN = 'operators-token-0123456789';
/** Letters that one address may have sent once more. */
const LIMIT = 20;

describe('an installation that strangers may reach', () => {
  const clock = new TestClock();
  let operationsPort: number;
  const product = shared(async () => {
    operationsPort = await freePort();
    return startProduct(clock, {
      mailServer: false,
      environment: {
        NODE_ENV: 'production',
        PUBLIC_URL: 'https://library.example.org/',
        ALLOWED_HOSTS: 'library.lan, 192.0.2.7',
        TRUST_PROXY: '1',
        OPERATIONS_TOKEN: TOKEN,
        OPERATIONS_PORT: String(operationsPort),
      },
    });
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${product.url}${path}`, { headers, redirect: 'manual' });
  /** `fetch` lets nobody choose the Host. */
  const statusFor = (host: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${product.url}${path}`, { headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });

  it('tells load balancers whether it is there, and no stranger which part of it is away', async () => {
    const operator = { authorization: `Bearer ${TOKEN}` };
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
    for (const headers of [{}, { authorization: `Bearer ${TOKEN}x` }, { authorization: TOKEN }]) {
      const ready = await get('/readyz', headers);
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'degraded' }]);
      expect((await get('/readyz?strict', headers)).status).toBe(503);
      const metrics = await get('/metrics', headers);
      expect([metrics.status, metrics.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await metrics.text()).not.toContain('lectern_');
    }
    expect(await (await get('/readyz', operator)).json()).toMatchObject({
      checks: { database: { ok: true }, mailServer: { ok: false, state: 'not set' } },
    });
    expect(await (await get('/metrics', operator)).text()).toContain('lectern_live_sockets');
    // Its own port is for operators, as that of a worker is.
    const own = await fetch(`http://127.0.0.1:${operationsPort}/readyz`);
    expect(await own.json()).toMatchObject({ checks: { database: { ok: true } } });
    expect((await fetch(`http://127.0.0.1:${operationsPort}/api/Book`)).status).toBe(404);
  });

  it('has no mailbox without a mail server, no sandbox and no description of its API', async () => {
    for (const path of ['/api/docs', '/api/docs-json', '/api/docs/swagger-ui-bundle.js', '/dev/pay/x']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });

  it('keeps letters waiting while it has no mail server', async () => {
    const registered = await caller(product.url, '').post('Account/forgot-password', {
      email: 'somebody@example.org',
    });
    expect(registered.status).toBe(200);
    const admin = await product.account('Admin');
    await waitFor(async () => {
      const { body } = await admin.get('Dashboard/queues');
      const mail = (body as { name: string; waiting: number }[]).find(({ name }) => name === 'mail');
      expect(mail).toMatchObject({ active: 0, failed: 0, needsMailServer: true });
      return mail?.waiting === 1;
    });
    const lines = await product.lines();
    expect(lines.filter((line) => line.includes('no mail server is set'))).toHaveLength(1);
  });

  describe('takes for the address of a caller', () => {
    /** How it answers somebody who is said to come from there. */
    const from = async (url: string, forwardedFor: string) => {
      // Another name each time: one that is asked for often is limited by itself, from any address.
      const body = { username: `nobody-${randomUUID()}` };
      const headers = { 'x-forwarded-for': forwardedFor };
      return (await caller(url, '').post('Account/resend-confirmation-email', body, headers)).status;
    };
    const warnings = async () =>
      (await product.lines()).filter((line) => line.includes('Set TRUST_PROXY to the number of proxies.'));

    // By their addresses proxies are trusted in `live-limits.int.spec.ts`.
    it('what the one trusted proxy says, and no more than that', async () => {
      const { url } = product;
      for (let attempt = 0; attempt < LIMIT; attempt += 1) expect(await from(url, '192.0.2.1')).toBe(200);
      expect(await from(url, '192.0.2.1')).toBe(429);
      expect(await from(url, '192.0.2.2')).toBe(200);
      // What the caller wrote themselves before the proxy added their address.
      expect(await from(url, '192.0.2.77, 192.0.2.1')).toBe(429);
      expect(await warnings()).toEqual([]);
    });

    it('that of the connection where no proxy is trusted, whatever is claimed, and the start says so', async () => {
      const { url } = await product.startServer({ TRUST_PROXY: 0, OPERATIONS_PORT: undefined });
      for (let attempt = 0; attempt < LIMIT; attempt += 1)
        expect(await from(url, `10.0.0.${attempt}`)).toBe(200);
      expect(await from(url, '10.0.0.99')).toBe(429);
      expect(await warnings()).toHaveLength(1);
    });
  });

  it('offers no payment online, and refuses one with the reason', async () => {
    const { reader, borrowId } = await lateBorrow(product, clock);
    expect((await reader.get('Payment/terms')).body).toEqual({ online: false, minimumAmount: 0 });
    expect(await reader.post(`Payment/create?borrowId=${borrowId}`)).toMatchObject({
      status: 409,
      body: {
        code: 'OnlinePaymentOff',
        detail: 'Fees are paid at the desk: this library takes no payments online.',
      },
    });
    const { rows } = await product.database.query('select 1 from payment_transaction');
    expect(rows).toEqual([]);
  });

  it('closes the accounts that a demo left, with their sessions, before anybody signs in', async () => {
    const named = async (username: string, password: string) => {
      const { id } = await product.account();
      const hash = await hashPassword(password);
      await product.database.query(
        'update account set username = $2, name_key = $2, password_hash = $3 where id = $1',
        [id, username, hash],
      );
      return id;
    };
    const id = await named('admin', 'Admin123!');
    await named('auditor', 'Auditor123!');
    // Somebody chose a password of their own for this one.
    await named('reader', 'My0wn#password');
    const signIn = (url: string, username: string, password: string) =>
      caller(url, '').post('Account/login', { username, password });
    const { body: admin } = await signIn(product.url, 'admin', 'Admin123!');
    await product.database.query(
      `insert into account_token (digest, account_id, purpose, expires, created)
       values (repeat('0', 64), $1, 'reset-password', now() + interval '1 day', now())`,
      [id],
    );

    const second = await product.startServer({ OPERATIONS_PORT: undefined });
    for (const [name, password, status] of [
      ['admin', 'Admin123!', 401],
      ['auditor', 'Auditor123!', 401],
      ['reader', 'My0wn#password', 200],
    ] as const)
      expect([name, (await signIn(second.url, name, password)).status]).toEqual([name, status]);
    expect((await caller(second.url, admin.token).get('User/profile')).status).toBe(401);
    const links = await product.database.query('select 1 from account_token where account_id = $1', [id]);
    expect(links.rows).toEqual([]);
  });

  it('serves those names alone that it goes by, and live sockets too', async () => {
    const { port } = new URL(product.url);
    const own = ['library.example.org', 'LIBRARY.LAN:8080', '192.0.2.7', 'localhost', `127.0.0.1:${port}`];
    for (const host of [...own, '[::1]', 'a.localhost', 'library.example.org.']) {
      expect([host, await statusFor(host, '/api/Book')]).toEqual([host, 200]);
    }
    const foreign = [
      'evil.example',
      'library.example.org.evil.example',
      'localhost.evil.example',
      '192.0.2.8',
    ];
    for (const host of [...foreign, 'a@localhost', 'localhost/x', '[::2]', 'xlibrary.example.org']) {
      for (const path of ['/', '/api/Book', '/admin/queues', '/dev/mail']) {
        expect([host, path, await statusFor(host, path)]).toEqual([host, path, 421]);
      }
      const poll = `${LIVE_PATH}/?EIO=4&transport=polling`.replace('//', '/');
      expect([host, await statusFor(host, poll)]).toEqual([host, 403]);
      // Load balancers ask by address, and are told no more than the state.
      expect(await statusFor(host, '/readyz')).toBe(200);
    }
    const socket = io(product.url, {
      path: LIVE_PATH,
      transports: ['websocket'],
      extraHeaders: { host: 'evil.example' },
      reconnection: false,
    });
    const refusal = await new Promise<Error>((resolve) => socket.on('connect_error', resolve));
    expect(refusal.message).toBe('websocket error');
    socket.close();
  });

  it('keeps browsers on https, and its answers out of their stores', async () => {
    const reader = await product.account();
    const session = { authorization: `Bearer ${reader.token}` };
    const answers = [
      await get('/'),
      await get('/api/User/profile', session),
      await get('/api/Book'),
      await get('/api/nothing'),
      await get('/api/User/profile'),
      await get('/admin/queues'),
    ];
    for (const answer of answers) {
      const { headers, url } = answer;
      expect({ url, ...Object.fromEntries(headers) }).toMatchObject({
        url,
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=(self)'),
      });
      if (!url.endsWith('/')) expect(headers.get('cache-control')).toBe('no-store');
    }
    const policy = answers[0]?.headers.get('content-security-policy') ?? '';
    const directives = new Map(
      policy.split('; ').map((each) => [each.split(' ')[0], each.split(' ').slice(1).join(' ')]),
    );
    expect(Object.fromEntries(directives)).toMatchObject({
      'connect-src': "'self'",
      'script-src': "'self'",
      'base-uri': "'none'",
      'object-src': "'none'",
      'frame-ancestors': "'none'",
    });
    // Another nonce with each page, and the page has it.
    const nonce = /^'self' 'nonce-([\w+/]{24})'$/.exec(directives.get('style-src') ?? '')?.[1];
    expect(await answers[0]?.text()).toContain(`<meta property="csp-nonce" nonce="${nonce}"`);
    expect((await get('/')).headers.get('content-security-policy')).not.toBe(policy);
  });

  it('names its cookies so that no neighbour of the domain can set them', async () => {
    const admin = await product.account('Admin');
    const headers = { authorization: `Bearer ${admin.token}` };
    const pass = await fetch(`${product.url}/api/Dashboard/queues-pass`, { method: 'POST', headers });
    const cookie = pass.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^__Host-lectern-queues=[^;]+; Max-Age=900; Path=\/; .*HttpOnly; Secure; SameSite=Strict$/,
    );
    const [pair = ''] = cookie.split(';');
    expect((await get('/admin/queues/api/queues', { cookie: pair })).status).toBe(200);
    expect((await get('/admin/queues/api/queues', { cookie: pair.replace('__Host-', '') })).status).toBe(401);
    expect((await get('/')).headers.get('set-cookie')).toMatch(
      /^XSRF-TOKEN=[\w-]{43}; Path=\/; Secure; SameSite=Lax$/,
    );
  });
});
