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
} from '../../test-support/event-store/event-store-parts.js';
import {
  collect,
  openEventStoreUnderTest,
  refusal,
  uniqueStream,
  type EventStoreUnderTest,
  embeddedOnly,
} from '../../test-support/event-store/event-store-under-test.js';
import { shared } from '../../test-support/shared.js';

const store = shared(() => openEventStoreUnderTest());

const note = (n = 0) => jsonEvent({ type: 'Noted', data: { n } });

type Expected = bigint | 'any' | 'no_stream' | 'stream_exists';

describe('appending', () => {
  const append = (...args: Parameters<EventStoreUnderTest['client']['appendToStream']>) =>
    store.client.appendToStream(...args);
  const revisions = async (stream: string) =>
    (await collect(store.client.readStream(stream))).map(({ event }) => event?.revision);

  const wrong = (streamName: string, expectedVersion: unknown, actualVersion: unknown) => ({
    ...{ type: 'wrong-expected-version', streamName, expectedVersion, actualVersion },
  });
  /** The results of appends of one event each, one after the other: the revision, or the expected one and the actual one. */
  const outcomes = async (stream: string, ...expected: Expected[]) => {
    const given: unknown[] = [];
    for (const expectedRevision of expected) {
      const appended = append(stream, note(), { expectedRevision });
      const answer: unknown = await appended.catch((error: unknown) => error);
      if (!(answer instanceof WrongExpectedVersionError)) given.push((await appended).nextExpectedRevision);
      else {
        expect(answer).toMatchObject(wrong(stream, answer.expectedVersion, answer.actualVersion));
        given.push([answer.expectedVersion, answer.actualVersion]);
      }
    }
    return given;
  };

  it.each<[string, Expected[], unknown[]]>([
    ['any: creates the stream and goes on with it', [ANY, ANY], [0n, 1n]],
    ['no_stream: succeeds once', [NO_STREAM, NO_STREAM], [0n, ['no_stream', 0n]]],
    [
      'stream_exists: wants a stream, of any length',
      [STREAM_EXISTS, ANY, STREAM_EXISTS],
      [['stream_exists', 'no_stream'], 0n, 1n],
    ],
    [
      'a number: wants exactly this last revision',
      [0n, ANY, 0n, 0n, 7n],
      [[0n, 'no_stream'], 0n, 1n, [0n, 1n], [7n, 1n]],
    ],
  ])('with the expected revision %s', async (_what, expected, given) => {
    const stream = uniqueStream();
    expect(await outcomes(stream, ...expected)).toEqual(given);
    const written = given.filter((each) => typeof each === 'bigint');
    expect((await append(stream, [note(), note()])).nextExpectedRevision).toBe(BigInt(written.length + 1));
    expect(await revisions(stream)).toEqual([...written, ...[0n, 1n].map((n) => n + BigInt(written.length))]);
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
    it('gets the first answer and writes nothing, however much was written since', async () => {
      const stream = uniqueStream();
      const events = [note(1), note(2)];
      const first = await append(stream, events, { expectedRevision: NO_STREAM });
      await append(stream, note(3), { expectedRevision: 1n });
      for (const expectedRevision of [NO_STREAM, ANY, STREAM_EXISTS] as const)
        expect(await append(stream, events, { expectedRevision })).toEqual(first);
      const later = [note(4)];
      const second = await append(stream, later, { expectedRevision: 2n });
      expect(await append(stream, later, { expectedRevision: 2n })).toEqual(second);
      expect(await revisions(stream)).toEqual([0n, 1n, 2n, 3n]);
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
    const [data, metadata] = [{ text: 'gęślą jaźń 📚', list: [1, null] }, { actor: 'a' }];
    const said = { id, type: 'Zażółć', data, metadata };
    await append(stream, [
      jsonEvent(said),
      binaryEvent({ type: 'bytes', data: bytes, metadata: metaBytes }),
      binaryEvent({ type: 'empty', data: new Uint8Array() }),
    ]);
    const [json, binary, empty] = (await collect(store.client.readStream(stream))).map(({ event }) => event!);
    expect(json).toMatchObject({ ...said, streamId: stream, isJson: true });
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

  const binary = (bytes: number, metadata?: Uint8Array) =>
    binaryEvent({ type: 'e'.repeat(300), data: new Uint8Array(bytes), ...(metadata && { metadata }) });
  const MIB = 1024 * 1024;

  it('refuses an append whose data alone are beyond the maximum size, and goes on', async () => {
    const stream = uniqueStream();
    const error = await refusal(append(stream, binary(MIB + 1)));
    expect(error).toBeInstanceOf(MaxAppendSizeExceededError);
    expect(error).toMatchObject({ type: 'maximum-append-size-exceeded', maxAppendSize: MIB });
    const parts = Array.from({ length: 5 }, () => binary(300 * 1024));
    const cut = append(stream, parts, { batchAppendSize: 400 * 1024 });
    expect(await refusal(cut)).toBeInstanceOf(MaxAppendSizeExceededError);
    expect((await append(stream, parts.slice(0, 3))).nextExpectedRevision).toBe(2n);
    const metadata = new Uint8Array(300 * 1024);
    expect((await append(stream, binary(MIB, metadata))).nextExpectedRevision).toBe(3n);
    const empty = Array.from({ length: 6 }, () => binary(0, metadata));
    expect((await append(stream, empty)).nextExpectedRevision).toBe(9n);
    const late = append(stream, binary(MIB + 1), { deadline: -1 });
    expect(await refusal(late)).toBeInstanceOf(DeadlineExceededError);
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
    const refused = append(stream, note(), { ...options, expectedRevision: 5n });
    expect(await refusal(refused)).toMatchObject(wrong(stream, 5n, 0n));
    const big = append(stream, binary(MIB + 1), options);
    expect(await refusal(big)).toBeInstanceOf(MaxAppendSizeExceededError);
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
