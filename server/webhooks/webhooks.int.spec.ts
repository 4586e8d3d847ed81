import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { EVENT_KINDS, type Delivery, type Webhook } from '#contracts/webhooks/webhooks.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { rent } from '../../test-support/product/borrow-steps.js';
import { forAllInTime } from '../../test-support/arbitraries/for-all.js';
import { startProduct, type TestServer } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { storeByTurns } from '../../test-support/event-store/stored-events.js';
import { TestClock } from '../../test-support/test-clock.js';
import { waitFor } from '../../test-support/wait-for.js';
import {
  isSignedWith,
  startWebhookReceiver,
  type Received,
  type Reply,
  type WebhookReceiver,
} from '../../test-support/services/webhook-receiver.js';

const HOUR = 3_600_000;

describe('events for others', () => {
  const clock = new TestClock();
  const jobs = { rounds: false };
  const product = shared(() =>
    startProduct(clock, { staySignedIn: true, environment: { PRIVATE_HOSTS: '127.0.0.1' }, jobs }),
  );
  const admin = shared(() => product.account('Admin'));
  const auditor = shared(() => product.account('Auditor'));
  const receivers: WebhookReceiver[] = [];
  afterEach(async () => {
    for (const { id } of (await admin.get('Webhook')).body as Webhook[]) await admin.delete(`Webhook/${id}`);
    for (const receiver of receivers.splice(0)) await receiver.close();
  });

  const receive = async (options?: { tls: boolean }) => {
    const receiver = await startWebhookReceiver(options);
    receivers.push(receiver);
    return receiver;
  };
  const add = async (address: string, more: object = {}) => {
    const { status, body } = await admin.post('Webhook', {
      address,
      kinds: EVENT_KINDS,
      names: false,
      ...more,
    });
    expect(status).toBe(201);
    return body as Webhook & { secret: string };
  };
  const shown = async (id: string) =>
    ((await admin.get('Webhook')).body as Webhook[]).find((each) => each.id === id);
  const deliveries = async (id: string) => (await admin.get(`Webhook/${id}/deliveries`)).body as Delivery[];
  const look = () => product.database.query('select pg_notify($1, $2)', [CHANNELS.webhooks, randomUUID()]);

  const happen = (readers: number, events: number, between?: () => Promise<void>) =>
    storeByTurns(product, readers, events, between);

  const takenOf = (receiver: WebhookReceiver, ids: readonly string[]) =>
    receiver.taken().filter((id) => ids.includes(id));

  it('are signed as Standard Webhooks says, with the former secret too for a day after a new one', async () => {
    const receiver = await receive();
    const { id, secret } = await add(receiver.url);
    const [ids = []] = await happen(1, 5);
    await waitFor(() => takenOf(receiver, ids).length === ids.length);
    const [first] = receiver.received as [Received];
    expect(secret).toMatch(/^whsec_/);
    expect(isSignedWith(secret, first)).toBe(true);
    expect(first.event).toMatchObject({ type: 'BooksRented', data: { books: expect.any(Array) } });
    const renewed = (await admin.post(`Webhook/${id}/secret`)).body.secret as string;
    await admin.post(`Webhook/${id}/deliveries`, { again: null });
    const test = receiver.received.at(-1) as Received;
    expect(isSignedWith(secret, test) && isSignedWith(renewed, test)).toBe(true);
    expect(isSignedWith(`whsec_${'A'.repeat(32)}`, test)).toBe(false);
    expect(test.event).toMatchObject({ type: 'test', data: {} });
    const written = JSON.stringify((await admin.get('Webhook')).body) + (await product.lines()).join();
    expect(written).not.toContain(secret.slice(6));
  });

  it('name readers by pseudonym, and by name and address where that is wanted, as long as they have an account', async () => {
    const [without, withNames] = [await receive(), await receive()];
    await add(without.url, { kinds: ['BooksRented'] });
    await add(withNames.url, { kinds: ['BooksRented'], names: true });
    const reader = await product.account();
    await rent(product, reader);
    await waitFor(() => without.received.length === 1 && withNames.received.length === 1);
    await happen(1, 1);
    await waitFor(() => withNames.received.length === 2);
    const [own] = without.received;
    expect(own?.event.data['readerId']).toBe(reader.pseudonym);
    expect(own?.body).not.toMatch(/Zofia|Łęcka|@/);
    const [named, unknown] = withNames.received;
    expect(named?.event.data['reader']).toEqual({
      name: expect.stringMatching(/^Zofia Łęcka/),
      email: expect.stringContaining('@lectern.example'),
    });
    expect(unknown?.event.data).not.toHaveProperty('reader');
  });

  it('are told completely and in order to a receiver that was away for an hour', async () => {
    const receiver = await receive();
    const { id } = await add(receiver.url);
    receiver.reply = () => 503;
    const histories = await happen(3, 8);
    await waitFor(async () => (await shown(id))?.failingSince);
    for (let minutes = 0; minutes < 60; minutes += 5) {
      await clock.forward(HOUR / 12);
      await look();
      await waitFor(async () => {
        const { nextTry } = (await shown(id)) ?? {};
        return nextTry && Date.parse(nextTry) > clock.now().getTime();
      });
    }
    expect(receiver.taken()).toEqual([]);
    const tries = receiver.received.length;
    // It backs off, and asks no more than one event of who is away.
    expect(tries).toBeLessThan(25);
    receiver.reply = () => 204;
    await clock.forward(HOUR);
    await look();
    const ids = histories.flat();
    await waitFor(() => receiver.taken().length === ids.length);
    for (const history of histories) expect(takenOf(receiver, history)).toEqual(history);
    expect(await shown(id)).toMatchObject({ failingSince: null, offWhy: null });
  });

  it('end after a day without success, and go on from where they stopped or from now on', async () => {
    const receiver = await receive();
    const { id } = await add(receiver.url);
    receiver.reply = () => 500;
    const [ids = []] = await happen(1, 4);
    await waitFor(async () => (await shown(id))?.failingSince);
    await clock.forward(23 * HOUR);
    await look();
    await waitFor(async () => (await deliveries(id)).length > 1);
    expect(await shown(id)).toMatchObject({ offWhy: null });
    await clock.forward(2 * HOUR);
    await look();
    await waitFor(async () => (await shown(id))?.offWhy === 'gave-up');
    receiver.reply = () => 200;
    await admin.put(`Webhook/${id}/on`, { from: 'stopped' });
    await waitFor(() => receiver.taken().length === ids.length);
    expect(receiver.taken()).toEqual(ids);
    await admin.put(`Webhook/${id}/on`, { from: 'off' });
    await happen(1, 4);
    await admin.put(`Webhook/${id}/on`, { from: 'now' });
    const [later = []] = await happen(1, 4);
    await waitFor(() => receiver.taken().length > ids.length);
    await waitFor(() => takenOf(receiver, later).length === later.length);
    expect(receiver.taken()).toEqual([...ids, ...later]);
    const changes = (await admin.get('Webhook/changes')).body as { what: string; by: string }[];
    expect(changes.slice(0, 4).map(({ what }) => what)).toEqual(['now', 'off', 'stopped', 'added']);
    expect(changes[0]?.by).toMatch(/^Zofia/);
  });

  it('end at once where the address is gone', async () => {
    const receiver = await receive();
    const { id } = await add(receiver.url);
    receiver.reply = () => 410;
    await happen(1, 4);
    await waitFor(async () => (await shown(id))?.offWhy === 'gone');
    expect(receiver.received).toHaveLength(1);
  });

  it('are sent again, one or all from one on, with the ids that they had', async () => {
    const receiver = await receive();
    const { id } = await add(receiver.url);
    const [ids = []] = await happen(1, 6);
    await waitFor(() => receiver.taken().length === ids.length);
    const third = (await deliveries(id)).find(({ eventId }) => eventId === ids[2]);
    receiver.received.length = 0;
    const { body } = await admin.post(`Webhook/${id}/deliveries`, { again: third?.id });
    expect(body).toMatchObject({ status: 204, eventId: ids[2] });
    expect(receiver.taken()).toEqual([ids[2]]);
    receiver.reply = () => 500;
    const failed = await admin.post(`Webhook/${id}/deliveries`, { again: null });
    expect(failed.body).toMatchObject({ status: 500, problem: null, answer: 'said the receiver' });
    receiver.reply = () => 204;
    receiver.received.length = 0;
    await admin.put(`Webhook/${id}/on`, { from: third?.id });
    await waitFor(() => receiver.taken().length === ids.length - 2);
    expect(receiver.taken()).toEqual(ids.slice(2));
  });

  it('go to no address of this machine or its network that the operator has not named, and to nothing that is none', async () => {
    const refusal = async (body: object) => {
      const kinds = ['BooksRented'];
      const answer = await admin.post('Webhook', { kinds, names: false, ...body });
      return [answer.status, Object.keys(answer.body.errors ?? {}).join()];
    };
    for (const address of [
      ...['', 'library', 'ftp://example.org', 'https://user:secret@example.org', 'https://example.org/#x'],
      ...[
        'http://example.org',
        'https://10.0.0.1/',
        'https://[::1]/',
        'https://localhost/',
        'https://0x0a.1/',
      ],
    ])
      expect([address, ...(await refusal({ address }))]).toEqual([address, 400, 'address']);
    const address = 'http://127.0.0.1:1/';
    expect(await refusal({ address, kinds: [] })).toEqual([400, 'kinds']);
    expect(await refusal({ address, kinds: ['Unheard'] })).toEqual([400, 'kinds.0']);
    // What was allowed once may not be any more.
    const { id } = await add(address);
    await product.database.query(`update webhook set address = 'https://localhost:1/' where id = $1`, [id]);
    const { body } = await admin.post(`Webhook/${id}/deliveries`, { again: null });
    expect(body).toMatchObject({ problem: 'not-public', status: null });
  });

  it('can be asked for, a page after the other, and waited for', async () => {
    const ask = async (query: string) =>
      (await auditor.get(`events?${query}`)).body as {
        events: { id: string; type: string; data: object }[];
        next: string;
      };
    let { next } = await ask('limit=500&kinds=EventSkipped');
    for (let last = ''; last !== next;) [last, next] = [next, (await ask(`after=${next}&limit=500`)).next];
    const histories = await happen(2, 6);
    const all = histories.flat();
    const found: string[] = [];
    for (let after = next; found.length < all.length;) {
      const page = await ask(`after=${after}&limit=5`);
      found.push(...page.events.map(({ id }) => id));
      after = page.next;
    }
    for (const history of histories) expect(found.filter((id) => history.includes(id))).toEqual(history);
    const rented = await ask(`after=${next}&kinds=BooksRented,BooksReturned`);
    expect(new Set(rented.events.map(({ type }) => type))).toEqual(new Set(['BooksRented', 'BooksReturned']));
    const waiting = ask(`after=${(await ask(`after=${next}&limit=500`)).next}&wait=20`);
    const [later = []] = await happen(1, 3);
    expect((await waiting).events[0]?.id).toBe(later[0]);
    expect((await auditor.get('events?after=nowhere')).body.errors).toHaveProperty('after');
  });

  it('reach a receiver in the order of each reader, whatever fails, ends and begins anew, with two servers', async () => {
    const others: TestServer[] = [];
    const lost: Reply = (response) => void response.destroy();
    const reply = fc.constantFrom<Reply[]>(200, 204, 204, 500, 429, lost);
    await forAllInTime(
      [
        fc.array(reply, { minLength: 5, maxLength: 40 }),
        fc.array(fc.constantFrom('nothing', 'start', 'stop', 'rewind'), { minLength: 4, maxLength: 8 }),
      ],
      { numRuns: 6, quick: 2 },
      async (replies, steps) => {
        const receiver = await receive();
        // The last are all successes.
        receiver.reply = (received) => {
          const next = replies.shift() ?? 200;
          // It took what it was sent, and its answer was lost.
          if (typeof next === 'function') received.isTaken = true;
          return next;
        };
        const { id } = await add(receiver.url);
        const step = steps[Symbol.iterator]();
        const histories = await happen(4, 8, async () => {
          const next = step.next().value;
          if (next === 'start') others.push(await product.startServer({}, { jobs }));
          if (next === 'stop') await others.shift()?.close();
          if (next === 'rewind') await admin.put(`Webhook/${id}/on`, { from: 'stopped' });
          await clock.forward(HOUR / 10);
          await look();
        });
        const all = histories.flat();
        await waitFor(async () => {
          await clock.forward(HOUR / 10);
          await look();
          return takenOf(receiver, all).length === all.length;
        });
        for (const history of histories) expect(takenOf(receiver, history)).toEqual(history);
        await admin.delete(`Webhook/${id}`);
      },
    );
  }, 180_000);
});
