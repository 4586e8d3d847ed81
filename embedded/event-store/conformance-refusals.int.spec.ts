import {
  UnavailableError,
  UnknownError,
  UnsupportedError,
  EventStoreDBClient,
  jsonEvent,
  persistentSubscriptionToStreamSettingsFromDefaults,
} from '@eventstore/db-client';
import {
  collect,
  embeddedOnly,
  openEventStoreUnderTest,
  refusal,
  uniqueStream,
} from '../../test-support/event-store-under-test.js';
import { shared } from '../../test-support/shared.js';

// Numbers of gRPC.
const UNIMPLEMENTED = 12;
const UNAVAILABLE = 14;

describe('refusing', () => {
  const store = shared(() => openEventStoreUnderTest());

  embeddedOnly('persistent subscriptions and projections are not served', async () => {
    const { client } = store;
    const stream = uniqueStream();
    const settings = persistentSubscriptionToStreamSettingsFromDefaults();
    for (const call of [
      () => client.createPersistentSubscriptionToStream(stream, 'group', settings),
      () => client.deletePersistentSubscriptionToStream(stream, 'group'),
      () => collect(client.subscribeToPersistentSubscriptionToStream(stream, 'group')),
      () => client.createProjection('p', 'fromAll()'),
      () => client.listProjections(),
      () => client.getProjectionState('p'),
    ]) {
      const error = await refusal(call());
      expect(error).toBeInstanceOf(UnknownError);
      expect(error['code']).toBe(UNIMPLEMENTED);
    }
    // What the features of the server do not name is refused by the client itself.
    expect(await refusal(client.getPersistentSubscriptionToAllInfo('group'))).toBeInstanceOf(
      UnsupportedError,
    );
  });

  // EventStoreDB takes them. PostgreSQL, which keeps the events here, cannot.
  embeddedOnly('an event cannot have a zero byte in the name of its stream or its type', async () => {
    for (const [stream, type] of [
      [`${uniqueStream()}\0`, 'Noted'],
      [uniqueStream(), 'No\0ted'],
    ] as const) {
      await refusal(store.client.appendToStream(stream, jsonEvent({ type, data: {} })));
    }
  });

  it.each([true, false])(
    'an event has a type, an id and a stream, or is refused (batched: %s)',
    async (batched) => {
      const options = batched ? {} : { credentials: { username: 'admin', password: 'changeit' } };
      const stream = uniqueStream();
      const good = () => jsonEvent({ type: 'Noted', data: {} });
      for (const bad of [
        jsonEvent({ type: '', data: {} }),
        jsonEvent({ type: 'Noted', data: {}, id: '00000000-0000-0000-0000-000000000000' }),
        { ...good(), id: 'no id' },
      ]) {
        await refusal(store.client.appendToStream(stream, [good(), bad], options));
      }
      await refusal(store.client.appendToStream('', good(), options));
      await store.client.appendToStream(stream, good(), options);
      expect(await collect(store.client.readStream(stream))).toHaveLength(1);
    },
  );

  it('one bad append among many fails alone', async () => {
    const bad = uniqueStream();
    const event = () => jsonEvent({ type: 'Noted', data: {} });
    await store.client.appendToStream(bad, event());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) =>
        n % 3 === 0
          ? store.client.appendToStream(bad, event(), { expectedRevision: 99n })
          : store.client.appendToStream(uniqueStream(), event()),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      outcomes.map((_, n) => (n % 3 === 0 ? 'rejected' : 'fulfilled')),
    );
  });

  it('a store that is not there is unavailable', async () => {
    const client = EventStoreDBClient.connectionString('esdb://127.0.0.1:1?tls=false');
    expect(await refusal(collect(client.readStream(uniqueStream())))).toBeInstanceOf(UnavailableError);
    // An append asks for the features of the server first, and the client does not type that error.
    const append = client.appendToStream(uniqueStream(), jsonEvent({ type: 'Noted', data: {} }));
    expect(await refusal(append)).toHaveProperty('code', UNAVAILABLE);
    await client.dispose();
  });
});
