import type { ActingDevice } from '../../http/access.js';
import { formatResponse } from './codec.js';
import { Conversation, type Answering, type Asked } from './conversation.js';
import { checksum } from './frames.js';

const DATE = '20261127    101500';
const LOGIN = '9300CNgate|COopen|';
const CHECKOUT = `11NN${DATE}${DATE}AOL|AA777|AB12|AC|`;

/** With error detection. */
function signed(message: string, sequence: number): string {
  const summed = `${message}AY${sequence}AZ`;
  return summed + checksum(Buffer.from(summed));
}

function talk() {
  const asked: Asked[] = [];
  const sessions: object[] = [];
  const answering: Answering = {
    signIn: async ({ login, password }) =>
      login === 'gate' && password === 'open'
        ? ({ id: 'device-1', encoding: 'Windows-1250' } as ActingDevice)
        : undefined,
    answer: async (request, _credentials, session) => {
      asked.push(request);
      sessions.push(session);
      return formatResponse('login', { ok: asked.length % 2 === 0 ? '0' : '1' });
    },
  };
  const conversation = new Conversation(answering);
  const say = async (message: string) => (await conversation.answer(Buffer.from(message)))?.toString();
  return { say, asked, sessions, conversation };
}

describe('a conversation', () => {
  it('begins with a login, and ends where something else is asked before', async () => {
    const { say, asked } = talk();
    expect(await say(CHECKOUT)).toBeUndefined();
    expect(await say('9900802.00')).toBeUndefined();
    expect(asked).toHaveLength(0);
    expect(await say(LOGIN)).toBe('941\r');
    expect(await say('9900802.00')).toBe('941\r');
  });

  it('ends after the third wrong login', async () => {
    const { say, conversation } = talk();
    expect(await say('9300CNgate|COguess|')).toBe('940\r');
    expect(await say('9300CNgate|COguess|')).toBe('940\r');
    expect(conversation.isSignedIn).toBe(false);
    expect(await say('9300CNgate|COguess|')).toBeUndefined();
  });

  it('a wrong login later ends what an earlier one allowed', async () => {
    const { say } = talk();
    await say(LOGIN);
    expect(await say('9300CNgate|COguess|')).toBe('940\r');
    expect(await say(CHECKOUT)).toBeUndefined();
  });

  it('sends its last answer again, where that is asked for', async () => {
    const { say, asked } = talk();
    await say(signed(LOGIN, 0));
    const first = await say(signed(CHECKOUT, 1));
    expect(await say('97AZFEF5')).toBe(first);
    expect(await say('97')).toBe(first);
    expect(asked).toHaveLength(1);
  });

  it('gives the same message with the same sequence number the same answer, and does it once', async () => {
    const { say, asked } = talk();
    await say(signed(LOGIN, 0));
    const first = await say(signed(CHECKOUT, 1));
    expect(await say(signed(CHECKOUT, 1))).toBe(first);
    expect(asked).toHaveLength(1);
    expect(await say(signed(CHECKOUT, 2))).not.toBe(first);
    expect(asked).toHaveLength(2);
  });

  it('asks anew what has no date, however often it comes', async () => {
    const { say, asked } = talk();
    await say(signed(LOGIN, 0));
    await say(signed('9900802.00', 1));
    await say(signed('9900802.00', 1));
    expect(asked).toHaveLength(2);
  });

  it('asks for a message again that arrived broken, and does nothing', async () => {
    const { say, asked } = talk();
    await say(signed(LOGIN, 0));
    expect(await say(signed(CHECKOUT, 1).replace('AA777', 'AA778'))).toBe('96AZFEF6\r');
    expect(await say('11NN')).toBe('96\r');
    expect(asked).toHaveLength(0);
  });

  it('is in the encoding of the device, once that is known', async () => {
    const { conversation, asked } = talk();
    await conversation.answer(Buffer.from(LOGIN));
    await conversation.answer(Buffer.from(CHECKOUT.replace('AB12', 'AB\xa3'), 'latin1'));
    expect(asked).toMatchObject([{ itemId: 'Ł' }]);
  });

  it('ends with who sends nothing that can be read', async () => {
    const { say } = talk();
    for (let times = 1; times < 5; times += 1) expect(await say('GET / HTTP/1.1')).toBe('96\r');
    expect(await say('GET / HTTP/1.1')).toBeUndefined();
  });

  it('knows a patron until another one comes, or they go', async () => {
    const { say, sessions } = talk();
    await say(LOGIN);
    await say(CHECKOUT);
    await say(CHECKOUT.replace('AB12', 'AB13'));
    expect(sessions[1]).toBe(sessions[0]);
    await say(CHECKOUT.replace('AA777', 'AA778'));
    expect(sessions[2]).not.toBe(sessions[0]);
    await say(`35${DATE}AOL|AA778|`);
    await say(CHECKOUT.replace('AA777', 'AA778'));
    expect(sessions[4]).not.toBe(sessions[2]);
  });
});
