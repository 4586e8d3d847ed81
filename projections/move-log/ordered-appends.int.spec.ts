import { randomUUID } from 'node:crypto';
import type { Duplex, Readable } from 'node:stream';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { ANY_LOG, built, eventStoreClient } from '../../test-support/event-store-parts.js';
import { openEventStoreUnderTest, uniqueStream } from '../../test-support/event-store-under-test.js';
import { shared } from '../../test-support/shared.js';
import { verbatimEvent } from './verbatim-event.js';

const { OrderedAppends } = await built<typeof import('./ordered-appends.js')>(
  'projections/move-log/ordered-appends',
);

const EVENTS = 2_000;

describe('appends in a strict order', () => {
  const store = shared(() => openEventStoreUnderTest());
  const client = shared(() => eventStoreClient(store.url, ANY_LOG));

  it('waits for a connection that is slower than the events come, and leaves no listener behind', async () => {
    const calls: (Readable | Duplex)[] = [];
    const openCall: ResilientEventStoreClient['openCall'] = async (open) => {
      const call = await client.openCall(open);
      calls.push(call);
      return call;
    };
    const done: number[] = [];
    const appends = await OrderedAppends.open<number>({ openCall }, (mark) => done.push(mark));
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
    appends.close();
  });
});
