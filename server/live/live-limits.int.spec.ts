import type { ResumeAnswer } from '#contracts/live/live-messages.js';
import { liveSocket, type LiveSocket } from '../../test-support/product/live-socket.js';
import { startProduct, type TestAccount } from '../../test-support/product/product.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';

const OF_ACCOUNT = 4;
const OF_ADDRESS = 8;
const MESSAGES_AT_ONCE = 10;

describe('a live socket that does too much, or comes from elsewhere', () => {
  const sockets: LiveSocket[] = [];

  const product = shared(() =>
    startProduct(undefined, {
      environment: {
        LIVE_SOCKETS_PER_ACCOUNT: String(OF_ACCOUNT),
        LIVE_SOCKETS_PER_ADDRESS: String(OF_ADDRESS),
        LIVE_MESSAGES_PER_SECOND: String(MESSAGES_AT_ONCE / 5),
        TRUST_PROXY: 'loopback',
        PUBLIC_URL: 'https://library.example',
      },
    }),
  );
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect();
  });

  /** Every test comes from an address of its own. */
  let addresses = 0;
  const newAddress = () => `198.51.100.${(addresses += 1)}`;

  const open = ({ token }: TestAccount, headers: Record<string, string> = {}, transport = 'websocket') => {
    const extraHeaders = { 'x-forwarded-for': newAddress(), ...headers };
    const socket = liveSocket(product.url, token, { transports: [transport], extraHeaders });
    sockets.push(socket);
    return socket;
  };
  const outcome = (socket: LiveSocket) =>
    new Promise<string>((resolve) => {
      socket.once('hello', () => resolve('let in'));
      socket.once('connect_error', (error) => resolve(error.message));
    });
  const resume = (socket: LiveSocket) =>
    new Promise<ResumeAnswer>((resolve) => socket.emit('resume', { position: '0' }, resolve));

  it.each(['websocket', 'polling'])(
    'is opened by the library’s own pages and by programs alone (%s)',
    async (transport) => {
      const reader = await product.account();
      const { host } = new URL(product.url);
      const from = (headers: Record<string, string>) => outcome(open(reader, headers, transport));
      const origins = [product.url, `https://${host}`, 'https://library.example'];
      const own: Record<string, string>[] = [{}, ...origins.map((origin) => ({ origin }))];
      expect(await Promise.all(own.map(from))).toEqual(Array(OF_ACCOUNT).fill('let in'));
      const others = ['https://evil.example', 'null', 'https://library.example.evil.example'];
      const foreign: Record<string, string>[] = [
        ...[...others, 'http://library.example:8080'].map((origin) => ({ origin })),
        { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' },
      ];
      const refused = transport === 'websocket' ? 'websocket error' : 'xhr poll error';
      expect(await Promise.all(foreign.map(from))).toEqual(foreign.map(() => refused));
    },
  );

  it('has its account’s share of connections, and gets in again when another has left', async () => {
    const [greedy, other] = [await product.account(), await product.account()];
    const first = open(greedy);
    const outcomes = await Promise.all([
      outcome(first),
      ...Array.from({ length: 6 }, () => outcome(open(greedy))),
    ]);
    expect(outcomes.filter((each) => each === 'let in')).toHaveLength(OF_ACCOUNT);
    expect(outcomes.filter((each) => each === 'TooManyAttempts')).toHaveLength(7 - OF_ACCOUNT);
    expect(await outcome(open(other))).toBe('let in');
    for (const socket of sockets) socket.disconnect();
    await waitFor(async () => (await outcome(open(greedy))) === 'let in');
  });

  it('has its address’s share, told by a trusted proxy; other addresses go on', async () => {
    const accounts = await Promise.all([1, 2, 3].map(() => product.account()));
    const crowd = { 'x-forwarded-for': newAddress() };
    const outcomes = [];
    for (let at = 0; at < OF_ADDRESS + 3; at += 1) {
      outcomes.push(await outcome(open(accounts[at % 3] as TestAccount, crowd)));
    }
    expect(outcomes).toEqual(outcomes.map((_, at) => (at < OF_ADDRESS ? 'let in' : 'websocket error')));
    expect(await outcome(open(await product.account()))).toBe('let in');
  });

  it('is told so when it sends too much at once, and is cut off when it goes on; the account comes back', async () => {
    const reader = await product.account();
    const socket = open(reader);
    await outcome(socket);
    const answers = await Promise.all(Array.from({ length: 3 * MESSAGES_AT_ONCE }, () => resume(socket)));
    const refused = answers.filter(({ kind }) => kind === 'refused');
    expect(refused.length).toBeGreaterThanOrEqual(MESSAGES_AT_ONCE);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(MESSAGES_AT_ONCE);
    expect(refused[0]).toMatchObject({ code: 'TooManyAttempts' });

    const closed = new Promise<string>((resolve) => socket.once('disconnect', resolve));
    for (let message = 0; message < 500; message += 1) socket.emit('unwatchReader', { readerId: 'x' });
    expect(await closed).toBe('io server disconnect');
    const back = open(reader);
    expect(await outcome(back)).toBe('let in');
  });

  it('cannot send a message larger than any screen has', async () => {
    const socket = open(await product.account());
    await outcome(socket);
    const closed = new Promise<string>((resolve) => socket.once('disconnect', resolve));
    socket.emit('resume', { position: '1'.repeat(17_000) }, () => undefined);
    expect(await closed).toBe('transport close');
  });
});
