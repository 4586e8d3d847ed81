import { randomBytes, randomUUID } from 'node:crypto';
import {
  ANY,
  type AppendResult,
  binaryEvent,
  DeadlineExceededError,
  EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  persistentSubscriptionToStreamSettingsFromDefaults,
  STREAM_EXISTS,
  UnavailableError,
  UnknownError,
  UnsupportedError,
  WrongExpectedVersionError,
} from '../../test-support/event-store-parts.js';
import {
  collect,
  openEventStoreUnderTest,
  refusal,
  uniqueStream,
  type EventStoreUnderTest,
  embeddedOnly,
} from '../../test-support/event-store-under-test.js';
import { shared } from '../../test-support/shared.js';

const store = shared(() => openEventStoreUnderTest());

const note = (n = 0) => jsonEvent({ type: 'Noted', data: { n } });

describe('appending', () => {
  const append = (...args: Parameters<EventStoreUnderTest['client']['appendToStream']>) =>
    store.client.appendToStream(...args);
  const revisions = async (stream: string) =>
    (await collect(store.client.readStream(stream))).map(({ event }) => event?.revision);

  describe('expected revision', () => {
    it('any: creates the stream and goes on with it', async () => {
      const stream = uniqueStream();
      expect((await append(stream, note(), { expectedRevision: ANY })).nextExpectedRevision).toBe(0n);
      expect((await append(stream, [note(), note()])).nextExpectedRevision).toBe(2n);
      expect(await revisions(stream)).toEqual([0n, 1n, 2n]);
    });

    it('no_stream: succeeds once', async () => {
      const stream = uniqueStream();
      await append(stream, [note(), note()], { expectedRevision: NO_STREAM });
      const error = await refusal(append(stream, note(), { expectedRevision: NO_STREAM }));
      expect(error).toBeInstanceOf(WrongExpectedVersionError);
      expect(error).toMatchObject({
        type: 'wrong-expected-version',
        streamName: stream,
        expectedVersion: 'no_stream',
        actualVersion: 1n,
      });
    });

    it('stream_exists: wants a stream, of any length', async () => {
      const stream = uniqueStream();
      expect(await refusal(append(stream, note(), { expectedRevision: STREAM_EXISTS }))).toMatchObject({
        type: 'wrong-expected-version',
        expectedVersion: 'stream_exists',
        actualVersion: 'no_stream',
      });
      await append(stream, note());
      const result = await append(stream, note(), { expectedRevision: STREAM_EXISTS });
      expect(result.nextExpectedRevision).toBe(1n);
    });

    it('a number: wants exactly this last revision', async () => {
      const stream = uniqueStream();
      expect(await refusal(append(stream, note(), { expectedRevision: 0n }))).toMatchObject({
        type: 'wrong-expected-version',
        streamName: stream,
        expectedVersion: 0n,
        actualVersion: 'no_stream',
      });
      await append(stream, note());
      expect((await append(stream, note(), { expectedRevision: 0n })).nextExpectedRevision).toBe(1n);
      expect(await refusal(append(stream, note(), { expectedRevision: 0n }))).toMatchObject({
        type: 'wrong-expected-version',
        expectedVersion: 0n,
        actualVersion: 1n,
      });
      expect(await refusal(append(stream, note(), { expectedRevision: 7n }))).toMatchObject({
        expectedVersion: 7n,
        actualVersion: 1n,
      });
      expect(await revisions(stream)).toEqual([0n, 1n]);
    });
  });

  it('answers with positions that rise over all streams', async () => {
    const results: AppendResult[] = [];
    for (let n = 0; n < 5; n += 1) results.push(await append(uniqueStream(), [note(), note()]));
    const positions = results.map(({ position }) => position!);
    for (const [index, { commit, prepare }] of positions.entries()) {
      expect(commit).toBe(prepare);
      if (index > 0) expect(commit).toBeGreaterThan(positions[index - 1]!.commit);
    }
    const [{ event } = {}] = await collect(
      store.client.readAll({ fromPosition: positions[0]!, maxCount: 1 }),
    );
    expect(event?.position).toEqual(positions[0]);
    expect(event?.revision).toBe(1n);
  });

  describe('a repeat', () => {
    it('at the same expected revision gets the first answer and writes nothing', async () => {
      const stream = uniqueStream();
      const events = [note(1), note(2)];
      const first = await append(stream, events, { expectedRevision: NO_STREAM });
      await append(stream, note(3), { expectedRevision: 1n });
      expect(await append(stream, events, { expectedRevision: NO_STREAM })).toEqual(first);
      expect(await revisions(stream)).toEqual([0n, 1n, 2n]);
      const later = [note(4)];
      const second = await append(stream, later, { expectedRevision: 2n });
      expect(await append(stream, later, { expectedRevision: 2n })).toEqual(second);
      expect(await revisions(stream)).toHaveLength(4);
    });

    it('with any gets the first answer, however much was written since', async () => {
      const stream = uniqueStream();
      const events = [note(1), note(2)];
      const first = await append(stream, events);
      await append(stream, note(3));
      expect(await append(stream, events)).toEqual(first);
      expect(await append(stream, events, { expectedRevision: STREAM_EXISTS })).toEqual(first);
      expect(await revisions(stream)).toHaveLength(3);
    });

    it('many times at once writes once', async () => {
      const stream = uniqueStream();
      const event = note();
      const results = await Promise.all(
        Array.from({ length: 20 }, () => append(stream, event, { expectedRevision: NO_STREAM })),
      );
      expect(new Set(results.map(({ position }) => position?.commit)).size).toBe(1);
      expect(await revisions(stream)).toEqual([0n]);
    });

    it('in part is no repeat', async () => {
      const stream = uniqueStream();
      const known = note(1);
      await append(stream, known, { expectedRevision: NO_STREAM });
      for (const expectedRevision of [ANY, NO_STREAM] as const) {
        expect(await refusal(append(stream, [known, note(2)], { expectedRevision }))).toMatchObject({
          type: 'wrong-expected-version',
        });
      }
      expect(await revisions(stream)).toEqual([0n]);
    });

    it('of an id in another stream is a new event', async () => {
      const event = note();
      const [one, other] = [uniqueStream(), uniqueStream()];
      await append(one, event);
      await append(other, event);
      expect(await revisions(other)).toEqual([0n]);
      // As is the same id at the revision that is expected and reached.
      await append(other, event, { expectedRevision: 0n });
      expect(await revisions(other)).toEqual([0n, 1n]);
    });
  });

  it('keeps JSON, bytes, metadata, type, id and time as they were', async () => {
    const stream = uniqueStream();
    const bytes = Uint8Array.from(randomBytes(3000));
    const metaBytes = Uint8Array.from([0, 255, 1, 254, 0]);
    const id = randomUUID();
    const before = Date.now() - 1000;
    await append(stream, [
      jsonEvent({
        id,
        type: 'Zażółć',
        data: { text: 'gęślą jaźń 📚', list: [1, null] },
        metadata: { actor: 'a' },
      }),
      binaryEvent({ type: 'bytes', data: bytes, metadata: metaBytes }),
      binaryEvent({ type: 'empty', data: new Uint8Array() }),
    ]);
    const [json, binary, empty] = (await collect(store.client.readStream(stream))).map(({ event }) => event!);
    expect(json).toMatchObject({
      id,
      streamId: stream,
      type: 'Zażółć',
      isJson: true,
      data: { text: 'gęślą jaźń 📚', list: [1, null] },
      metadata: { actor: 'a' },
    });
    expect(json!.created.getTime()).toBeGreaterThan(before);
    expect(json!.created.getTime()).toBeLessThan(Date.now() + 1000);
    expect(binary!.isJson).toBe(false);
    expect(Buffer.from(binary!.data as Uint8Array).equals(bytes)).toBe(true);
    expect(Buffer.from(binary!.metadata as Uint8Array).equals(metaBytes)).toBe(true);
    expect((empty!.data as Uint8Array).length).toBe(0);
    expect(empty!.metadata).toBeUndefined();
  });

  it('takes stream names of any letters', async () => {
    const stream = uniqueStream('książki "i" inne/%');
    await append(stream, note());
    expect(await revisions(stream)).toEqual([0n]);
    expect(await refusal(append(stream, note(), { expectedRevision: NO_STREAM }))).toMatchObject({
      streamName: stream,
    });
  });

  it('writes a big batch as one', async () => {
    const stream = uniqueStream();
    const events = Array.from({ length: 2000 }, (_, n) => note(n));
    // Small messages, so that one append is sent as many.
    const result = await append(stream, events, { batchAppendSize: 10_000 });
    expect(result.nextExpectedRevision).toBe(1999n);
    const read = await collect(store.client.readStream<{ type: 'Noted'; data: { n: number } }>(stream));
    expect(read.map(({ event }) => event?.data.n)).toEqual(events.map(({ data }) => data.n));
  });

  it('refuses an append beyond the maximum size, and goes on', async () => {
    const stream = uniqueStream();
    const event = binaryEvent({ type: 'big', data: new Uint8Array(1024 * 1024 + 1) });
    const error = await refusal(append(stream, event));
    expect(error).toBeInstanceOf(MaxAppendSizeExceededError);
    expect(error).toMatchObject({ type: 'maximum-append-size-exceeded', maxAppendSize: 1024 * 1024 });
    const parts = Array.from({ length: 5 }, () =>
      binaryEvent({ type: 'part', data: new Uint8Array(300 * 1024) }),
    );
    expect(await refusal(append(stream, parts, { batchAppendSize: 400 * 1024 }))).toBeInstanceOf(
      MaxAppendSizeExceededError,
    );
    expect((await append(stream, parts.slice(0, 3))).nextExpectedRevision).toBe(2n);
  });

  it('counts the bytes of data alone towards the maximum size', async () => {
    const metadata = new Uint8Array(300 * 1024);
    const stream = uniqueStream();
    const full = binaryEvent({ type: 'full', data: new Uint8Array(1024 * 1024), metadata });
    expect((await append(stream, full)).nextExpectedRevision).toBe(0n);
    const empty = () => binaryEvent({ type: 'e'.repeat(3000), data: new Uint8Array(), metadata });
    expect((await append(stream, Array.from({ length: 6 }, empty))).nextExpectedRevision).toBe(6n);
  });

  it('tells whoever sent too much too late that it was late', async () => {
    const event = binaryEvent({ type: 'big', data: new Uint8Array(1024 * 1024 + 1) });
    const error = await refusal(append(uniqueStream(), event, { deadline: -1 }));
    expect(error).toBeInstanceOf(DeadlineExceededError);
  });

  it('lets exactly one of many concurrent writers win each revision', async () => {
    const stream = uniqueStream();
    const won: number[] = [];
    await Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        for (let next = 0; next < 20; next += 1) {
          const expectedRevision = next === 0 ? NO_STREAM : BigInt(next - 1);
          const error = await append(stream, note(writer), { expectedRevision }).catch((e: unknown) => e);
          if (error instanceof WrongExpectedVersionError) continue;
          expect(error).toHaveProperty('success', true);
          won.push(next);
        }
      }),
    );
    expect(won.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(await revisions(stream)).toEqual(won.map(BigInt));
  });

  it('lets writers who expect nothing in particular all win', async () => {
    const stream = uniqueStream();
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let n = 0; n < 20; n += 1) await append(stream, note(n));
      }),
    );
    expect(await revisions(stream)).toEqual(Array.from({ length: 320 }, (_, n) => BigInt(n)));
  });

  it('answers the single call that is used with credentials of its own in the same way', async () => {
    const stream = uniqueStream();
    const options = { credentials: { username: 'admin', password: 'changeit' } };
    const event = note();
    const first = await append(stream, event, { ...options, expectedRevision: NO_STREAM });
    expect(first.nextExpectedRevision).toBe(0n);
    expect(await append(stream, event, { ...options, expectedRevision: NO_STREAM })).toEqual(first);
    expect(await refusal(append(stream, note(), { ...options, expectedRevision: 5n }))).toMatchObject({
      type: 'wrong-expected-version',
      streamName: stream,
      expectedVersion: 5n,
      actualVersion: 0n,
    });
    const big = binaryEvent({ type: 'big', data: new Uint8Array(1024 * 1024 + 1) });
    expect(await refusal(append(stream, big, options))).toBeInstanceOf(MaxAppendSizeExceededError);
  });
});

// Numbers of gRPC.
const UNIMPLEMENTED = 12;

const UNAVAILABLE = 14;

describe('refusing', () => {
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
