import { randomUUID } from 'node:crypto';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import {
  ANY_LOG,
  type EventData,
  eventStoreClient,
  jsonEvent,
  ownStores,
  WrongExpectedVersionError,
} from '../../test-support/event-store/event-store-parts.js';
import { collect, startEmbeddedStore } from '../../test-support/event-store/event-store-under-test.js';

const noted = (text = ''): EventData => jsonEvent({ id: randomUUID(), type: 'Noted', data: { text } });

describe('batched appends to a store of the same process', () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function start() {
    const store = await startEmbeddedStore(closers);
    const address = new URL(store.connectionString).host;
    const ports: MessagePort[] = [];
    ownStores.set(address, () => {
      const { port1, port2 } = new MessageChannel();
      ports.push(port2);
      store.appendOver(port2);
      return port1;
    });
    closers.push(async () => ownStores.delete(address));
    const client = eventStoreClient(store.connectionString, ANY_LOG, { batched: true, isOwn: true });
    closers.push(() => client.dispose());
    const append = (stream: string, event: EventData, expectedRevision: bigint | 'any' = 'any') =>
      client.appendToStream(stream, event, { expectedRevision, deadline: 20_000 });
    const textsOf = async (stream: string) => {
      const events = await collect(client.readStream(stream));
      return events.map(({ event }) => (event?.data as { text: string } | undefined)?.text);
    };
    return { stop: () => store.stop(), ports, append, textsOf };
  }

  it('stores all that are under way at once over one port, and answers each by itself', async () => {
    const { ports, append, textsOf } = await start();
    const streams = Array.from({ length: 20 }, (_, index) => `own-${index}`);
    const texts = Array.from({ length: 30 }, (_, index) => String(index));
    const answers = await Promise.all(
      texts.flatMap((text) => streams.map((stream) => append(stream, noted(text)))),
    );
    expect(new Set(answers.map(({ position }) => position?.commit)).size).toBe(600);
    for (const stream of streams) expect((await textsOf(stream)).toSorted()).toEqual(texts.toSorted());

    const repeated = noted('again');
    const settled = await Promise.allSettled([
      append('own-0', noted(), 3n),
      append('own-0', repeated, 29n),
      append('own-1', noted('x'.repeat(1_200_000))),
      append('own-2', noted('last')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect(settled[0]).toMatchObject({ reason: expect.any(WrongExpectedVersionError) });
    expect(await append('own-0', repeated, 29n)).toMatchObject({ nextExpectedRevision: 30n });
    expect((await textsOf('own-0')).slice(30)).toEqual(['again']);
    expect(ports).toHaveLength(1);
  });

  it('takes more at once than may wait for the writer', async () => {
    const { append, textsOf } = await start();
    const texts = Array.from({ length: 60 }, (_, index) => `${index} ${'x'.repeat(900_000)}`);
    await Promise.all(texts.map((text) => append('own', noted(text))));
    expect((await textsOf('own')).toSorted()).toEqual(texts.toSorted());
  });

  it('answers what is under way when the store stops, and refuses what comes then', async () => {
    const { append, stop } = await start();
    await append('own', noted());
    const under = Promise.allSettled(Array.from({ length: 50 }, () => append('own', noted())));
    await stop();
    for (const each of await under) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ type: 'unavailable' });
    }
    await expect(append('own', noted())).rejects.toMatchObject({ type: 'unavailable' });
  });

  it('lets appends fail whose port is lost, and goes over another one', async () => {
    const { append, ports, textsOf } = await start();
    await append('own', noted('first'));
    const lost = append('own', noted('perhaps'));
    ports[0]?.close();
    await lost.catch((error: unknown) => expect(error).toMatchObject({ type: 'unavailable' }));
    await append('own', noted('second'));
    expect(ports).toHaveLength(2);
    expect((await textsOf('own')).filter((text) => text !== 'perhaps')).toEqual(['first', 'second']);
  });
});
