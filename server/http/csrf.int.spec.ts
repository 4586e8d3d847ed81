import express from 'express';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProduct } from '../../test-support/product.js';
import { shared } from '../../test-support/shared.js';
import { setCsrfToken } from './csrf.js';

const TOKEN = 'k'.repeat(43);

describe('the cross-site token', () => {
  const product = shared(() => startProduct());
  const reader = shared(() => product.account());

  const rent = async (headers: Record<string, string>) =>
    reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] }, headers);

  // spec 7.2
  it('lets through whoever sends no cookie, and whoever sends the same twice', async () => {
    expect((await rent({})).status).toBe(200);
    expect((await rent({ cookie: `other=1; XSRF-TOKEN=${TOKEN}`, 'x-xsrf-token': TOKEN })).status).toBe(200);
    expect((await rent({ cookie: 'other=1' })).status).toBe(200);
    expect((await rent({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it.each([
    ['the cookie alone', { cookie: `XSRF-TOKEN=${TOKEN}` }],
    ['another token', { cookie: `XSRF-TOKEN=${TOKEN}`, 'x-xsrf-token': 'j'.repeat(43) }],
    ['a longer token', { cookie: `XSRF-TOKEN=${TOKEN}`, 'x-xsrf-token': `${TOKEN}k` }],
    ['an empty cookie and another token', { cookie: 'XSRF-TOKEN=', 'x-xsrf-token': TOKEN }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    [
      'a page of another site, token and all',
      { cookie: `XSRF-TOKEN=${TOKEN}`, 'x-xsrf-token': TOKEN, 'sec-fetch-site': 'cross-site' },
    ],
  ])('refuses %s, and nothing is done', async (_what, headers: Record<string, string>) => {
    const other = await product.account();
    const bookIds = [await product.book(1)];
    const { status, body } = await other.post('Borrow/rent-books', { bookIds }, headers);
    expect([status, body.code]).toEqual([403, 'CrossSiteRequest']);
    expect((await other.get('Borrow/history')).body).toEqual([]);
  });

  it('refuses before it looks at who calls, and leaves reading alone', async () => {
    const call = (method: string, path: string) =>
      fetch(`${product.url}/api/${path}`, { method, headers: { 'sec-fetch-site': 'cross-site' } });
    for (const [method, path] of [
      ['POST', 'Account/login'],
      ['PUT', 'User'],
      ['DELETE', 'Book/1'],
    ] as const) {
      expect(await (await call(method, path)).json()).toMatchObject({ code: 'CrossSiteRequest' });
    }
    expect((await call('GET', 'Book')).status).toBe(200);
    expect((await call('HEAD', 'Book')).status).toBe(200);
  });
});

describe('the page of the site', () => {
  const given = async (settings: { PUBLIC_URL?: string }, cookie = '') => {
    const app = express().get('/', (request, response) => {
      setCsrfToken(request, response, settings);
      response.send('page');
    });
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie } });
      await response.text();
      return response.headers.getSetCookie();
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };

  // spec 9.13
  it('brings a random token that its script can read and no other site is sent', async () => {
    const [cookie, another] = [...(await given({})), ...(await given({}))];
    expect(cookie).toMatch(/^XSRF-TOKEN=[\w-]{43}; Path=\/; SameSite=Lax$/);
    expect(another).not.toBe(cookie);
  });

  it('brings it over https alone where people come over https', async () => {
    const [cookie] = await given({ PUBLIC_URL: 'https://library.example.org' });
    expect(cookie).toMatch(/; Secure/);
  });

  it('leaves a browser the one that it has, so that pages already open go on working', async () => {
    expect(await given({}, `a=b; XSRF-TOKEN=${TOKEN}`)).toEqual([]);
    expect(await given({}, 'XSRF-TOKEN=guessed')).toHaveLength(1);
  });
});
