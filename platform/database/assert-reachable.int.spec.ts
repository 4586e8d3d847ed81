import { createServer, type AddressInfo } from 'node:net';
import { freePort } from '../../test-support/installation/free-port.js';
import { assertReachable } from './assert-reachable.js';

describe('the address in DATABASE_URL', () => {
  const given = () => process.env['TEST_POSTGRES_URL'] ?? '';
  const changed = (change: (url: URL) => void) => {
    const url = new URL(given());
    change(url);
    return url.href;
  };

  it('is taken where PostgreSQL answers', async () => {
    await assertReachable(given());
  });

  it('is refused with the reason, by the name of the setting and without user or password', async () => {
    const port = await freePort();
    const { port: number, searchParams } = new URL(given());
    const host = `${searchParams.get('host')}:${number}`;
    const refusals: [string, string][] = [
      [
        `postgres://maria:hidden@127.0.0.1:${port}/library`,
        `nothing listens at 127.0.0.1:${port}. Start PostgreSQL there, or set another address.`,
      ],
      [
        'postgres://maria:hidden@localhost/library?host=/no-such-folder',
        'nothing listens at /no-such-folder:5432. Start PostgreSQL there, or set another address.',
      ],
      ['postgres://maria:hidden@no-such-host.invalid/library', 'the host no-such-host.invalid is not known.'],
      [
        changed((url) => (url.pathname = '/no_such_database')),
        `PostgreSQL at ${host} has no database no_such_database. Create it first.`,
      ],
      [changed((url) => (url.password = 'wrong')), `PostgreSQL at ${host} refuses this user or password.`],
      [
        'postgres://maria:hidden@[::1/library',
        'this is no address, such as postgres://user:password@host:5432/library.',
      ],
    ];
    for (const [url, reason] of refusals) {
      await expect(assertReachable(url)).rejects.toMatchObject({
        name: 'StartupError',
        message: `DATABASE_URL: ${reason}`,
      });
    }
  });

  it('is refused where something takes the connection and never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    await expect(assertReachable(`postgres://maria@127.0.0.1:${port}/library`, 200)).rejects.toThrow(
      `DATABASE_URL: PostgreSQL at 127.0.0.1:${port} does not answer`,
    );
    silent.close();
  });
});
