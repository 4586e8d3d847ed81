import { shared } from '../../test-support/shared.js';
import { startWebhookReceiver, type Reply } from '../../test-support/services/webhook-receiver.js';
import { post } from './post.js';

describe('what is posted to a webhook', () => {
  const receiver = shared(() => startWebhookReceiver());
  const [elsewhere, selfSigned] = [
    shared(() => startWebhookReceiver()),
    shared(() => startWebhookReceiver({ tls: true })),
  ];
  const attempt = (reply: Reply, { url } = receiver, longest?: number) => {
    receiver.reply = () => reply;
    return post(new URL(url), true, {}, '{}', longest);
  };

  it('leads nowhere else', async () => {
    const redirect: Reply = (response) => response.writeHead(302, { location: elsewhere.url }).end();
    expect(await attempt(redirect)).toMatchObject({ status: 302, problem: null });
    expect(elsewhere.received).toEqual([]);
  });

  it('has an answer, of which no more is read than is kept', async () => {
    expect(await attempt(500)).toEqual({ status: 500, problem: null, answer: 'said the receiver' });
    const huge = await attempt((response) => {
      response.writeHead(400);
      const write = () => void (response.write(`<b>\u0000${'x'.repeat(100_000)}`) && setImmediate(write));
      write();
    });
    expect(huge).toMatchObject({ status: 400, answer: expect.stringMatching(/^<b> x{100,196}$/) });
  });

  it('fails in words, whatever the receiver does', async () => {
    const failed = (problem: string) => ({ status: null, problem, answer: '' });
    expect(await attempt((response) => void response.destroy())).toEqual(failed('unreachable'));
    expect(await attempt(() => undefined, receiver, 100)).toEqual(failed('timeout'));
    expect(await attempt(204, selfSigned)).toEqual(failed('tls'));
    await receiver.close();
    expect(await attempt(204)).toEqual(failed('unreachable'));
  });
});
