import { randomUUID } from 'node:crypto';
import { readSettings } from '#platform/settings.js';
import { startProduct, type TestProduct } from '../../test-support/product.js';

const LIMIT = 20;

describe('the address of a caller', () => {
  const products: TestProduct[] = [];
  afterAll(() => Promise.all(products.map((product) => product.close())));

  const start = async (environment: NodeJS.ProcessEnv, log: string[] = []) => {
    const product = await startProduct(undefined, { environment, log });
    products.push(product);
    return async (forwardedFor: string) => {
      const response = await fetch(`${product.url}/api/Account/resend-confirmation-email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor },
        // Another name each time: one that is asked for often is limited by itself, from any address.
        body: JSON.stringify({ username: `nobody-${randomUUID()}` }),
      });
      return response.status;
    };
  };

  it('is everybody’s the same behind https without a trusted proxy, and the start says so', async () => {
    const warned = async (environment: NodeJS.ProcessEnv) => {
      const log: string[] = [];
      await start({ PUBLIC_URL: 'https://library.example.org', ...environment }, log);
      return log.filter((line) => line.includes('Set TRUST_PROXY to the number of proxies.')).length;
    };
    expect(await warned({})).toBe(1);
    expect(await warned({ TRUST_PROXY: '1' })).toBe(0);
  });

  it('is the connection’s, whatever is claimed, when no proxy is trusted', async () => {
    const from = await start({});
    for (let attempt = 0; attempt < LIMIT; attempt += 1) expect(await from(`10.0.0.${attempt}`)).toBe(200);
    expect(await from('10.0.0.99')).toBe(429);
  });

  it.each(['1', 'loopback', '127.0.0.1, 10.9.0.0/16'])(
    'is what the trusted proxy %j says, and no more than that',
    async (TRUST_PROXY) => {
      const from = await start({ TRUST_PROXY });
      for (let attempt = 0; attempt < LIMIT; attempt += 1) expect(await from('192.0.2.1')).toBe(200);
      expect(await from('192.0.2.1')).toBe(429);
      expect(await from('192.0.2.2')).toBe(200);
      // What the caller wrote themselves before the proxy added their address.
      expect(await from('192.0.2.77, 192.0.2.1')).toBe(429);
    },
  );

  it.each(['true', 'proxy.example.org', '10.0.0.0/33', '1.2.3', '-1', '10.0.0.1,,', '300'])(
    'cannot be taken from %j',
    (TRUST_PROXY) => {
      expect(() => readSettings({ TRUST_PROXY })).toThrow('TRUST_PROXY: must be a number of proxies');
    },
  );

  it.each([
    ['2', 2],
    ['10.0.0.1, fd00::/8,uniquelocal', ['10.0.0.1', 'fd00::/8', 'uniquelocal']],
    [undefined, 0],
    ['', 0],
  ])('reads %j', (TRUST_PROXY, read) => {
    expect(readSettings({ TRUST_PROXY }).TRUST_PROXY).toEqual(read);
  });
});
