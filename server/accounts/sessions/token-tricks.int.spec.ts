import { io } from 'socket.io-client';
import { startProduct, type TestAccount } from '../../../test-support/product.js';
import { tokenTricks } from '../../../test-support/token-tricks.js';
import { shared } from '../../../test-support/shared.js';

/** Calls for every kind of caller. */
const CALLS = ['User/profile', 'Dashboard/stats', 'Audit/readers'];

describe('a token that is not the library’s, or not this person’s', () => {
  let admin: TestAccount;
  let tricks: [string, string][];

  const product = shared(() => startProduct());
  beforeAll(async () => {
    const [owner, other] = [
      await product.account('Reader', 'Admin', 'Auditor'),
      await product.account('Reader', 'Admin'),
    ];
    admin = owner;
    tricks = Object.entries(tokenTricks({ token: admin.token, secret: product.settings.JWT_SECRET, other }));
  });

  const status = async (headers: Record<string, string>, call = 'User/profile') => {
    const answer = await fetch(`${product.url}/api/${call}`, { headers });
    return `${answer.status} ${((await answer.json()) as { code?: string }).code ?? ''}`.trim();
  };
  const handshake = (token: string) =>
    new Promise<string>((resolve) => {
      const socket = io(product.url, { auth: { token }, transports: ['websocket'], reconnection: false });
      socket.once('hello', () => resolve('let in'));
      socket.once('connect_error', ({ message }) => resolve(message));
    });

  // spec 6.1
  it('opens no call and no live connection, whatever is tried with it', async () => {
    expect(tricks.length).toBeGreaterThan(35);
    for (const call of CALLS)
      expect(await status({ authorization: `Bearer ${admin.token}` }, call)).toBe('200');
    const opened: string[] = [];
    for (const [trick, token] of tricks) {
      for (const call of CALLS) {
        const answer = await status({ authorization: `Bearer ${token}` }, call);
        if (!/^401 (NotSignedIn|SessionEnded)$/.test(answer)) opened.push(`${trick}: ${call} ${answer}`);
      }
      const answer = await handshake(token);
      if (!/^(NotSignedIn|SessionEnded)$/.test(answer)) opened.push(`${trick}: live ${answer}`);
    }
    expect(opened).toEqual([]);
    expect(await status({ authorization: `Bearer ${admin.token}` })).toBe('200');
  });

  it('is taken from its header alone, and there once', async () => {
    const { token } = admin;
    const elsewhere: [Record<string, string>, string][] = [
      [{ authorization: token }, 'User/profile'],
      [{ authorization: `Basic ${token}` }, 'User/profile'],
      [{ authorization: `Bearer ${token}, Bearer ${token}` }, 'User/profile'],
      [{ authorization: `Bearer "${token}"` }, 'User/profile'],
      [{ authorization: `Bearer ${token.replace('.', '%2E')}` }, 'User/profile'],
      [{ 'x-authorization': `Bearer ${token}` }, 'User/profile'],
      [{ cookie: `token=${token}; authorization=Bearer ${token}` }, 'User/profile'],
      [{}, `User/profile?access_token=${token}&token=${token}`],
    ];
    for (const [headers, call] of elsewhere) expect(await status(headers, call)).toBe('401 NotSignedIn');
  });
});
