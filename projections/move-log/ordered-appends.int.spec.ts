import { randomUUID } from 'node:crypto';
import type { Duplex, Readable } from 'node:stream';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { openEventStoreUnderTest, uniqueStream } from '../../test-support/event-store-under-test.js';
import { OrderedAppends } from './ordered-appends.js';
import { verbatimEvent } from './verbatim-event.js';

const EVENTS = 2_000;

describe('appends in a strict order', () => {
  const closers: (() => Promise<unknown> | void)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it('waits for a connection that is slower than the events come, and leaves no listener behind', async () => {
    const store = await openEventStoreUnderTest();
    closers.push(() => store.close());
    const client = eventStoreClient(store.url, ANY_LOG);
    closers.push(() => client.dispose());
    const calls: (Readable | Duplex)[] = [];
    const openCall: ResilientEventStoreClient['openCall'] = async (open) => {
      const call = await client.openCall(open);
      calls.push(call);
      return call;
    };
    const done: number[] = [];
    const appends = await OrderedAppends.open<number>({ openCall }, (mark) => done.push(mark));
    closers.push(() => appends.close());
    const listeners = () =>
      calls.flatMap((call) => call.eventNames().map((name) => call.listenerCount(name)));
    const before = listeners();

    const stream = uniqueStream();
    for (let revision = 0; revision < EVENTS; revision += 1) {
      const event = verbatimEvent({
        ...{ stream, revision: BigInt(revision), id: randomUUID(), type: 'Noted' },
        ...{ contentType: 'application/octet-stream', data: Buffer.alloc(300), metadata: Buffer.from('{}') },
        ...{ created: new Date(), position: { commit: 0n, prepare: 0n } },
      });
      await appends.add([event], revision);
    }
    await appends.finish();

    expect(done).toEqual(Array.from({ length: EVENTS }, (_, revision) => revision));
    expect(listeners()).toEqual(before);
  });
});
