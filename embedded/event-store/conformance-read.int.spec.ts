import {
  ANY,
  BACKWARDS,
  binaryEvent,
  END,
  jsonEvent,
  NO_STREAM,
  type Position,
  type ResolvedEvent,
  START,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '../../test-support/event-store/event-store-parts.js';
import {
  caughtUp,
  collect,
  eventually,
  openEventStoreUnderTest,
  refusal,
  uniqueStream,
  type EventStoreUnderTest,
} from '../../test-support/event-store/event-store-under-test.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';

const store = shared(() => openEventStoreUnderTest());

const append = (...args: Parameters<EventStoreUnderTest['client']['appendToStream']>) =>
  store.client.appendToStream(...args);
const notes = (count: number) =>
  Array.from({ length: count }, (_, n) => jsonEvent({ type: 'Noted', data: { n } }));

/** A number of gRPC. */
const UNKNOWN = 2;

describe('reading', () => {
  const stream = uniqueStream();
  const COUNT = 1500;
  const positions: Position[] = [];
  beforeAll(async () => {
    await append(stream, notes(COUNT));
    for await (const { event } of store.client.readStream(stream)) positions.push(event!.position!);
  });

  const read = async (...[options]: [Parameters<EventStoreUnderTest['client']['readStream']>[1]?]) =>
    (await collect(store.client.readStream(stream, options))).map(({ event }) => Number(event?.revision));
  const range = (from: number, to: number): number[] =>
    from <= to ? Array.from({ length: to - from + 1 }, (_, n) => from + n) : range(to, from).reverse();

  describe('one stream', () => {
    const LAST = COUNT - 1;
    it.each<[string, Parameters<typeof read>[0], number[]]>([
      ['all', undefined, range(0, LAST)],
      ['so many', { fromRevision: START, maxCount: 3 }, [0, 1, 2]],
      ['so many from a revision', { fromRevision: 700n, maxCount: 600 }, range(700, 1299)],
      ['the last', { fromRevision: BigInt(LAST - 1) }, [LAST - 1, LAST]],
      ['none from beyond its end', { fromRevision: BigInt(LAST + 6) }, []],
      ['all, backwards', { direction: BACKWARDS, fromRevision: END }, range(LAST, 0)],
      ['the last, backwards', { direction: BACKWARDS, fromRevision: END, maxCount: 2 }, [LAST, LAST - 1]],
      ['backwards from a revision', { direction: BACKWARDS, fromRevision: 3n }, [3, 2, 1, 0]],
      ['so many backwards', { direction: BACKWARDS, fromRevision: 3n, maxCount: 2 }, [3, 2]],
      ['backwards from the start', { direction: BACKWARDS, fromRevision: START }, [0]],
      [
        'backwards from beyond its end',
        { direction: BACKWARDS, fromRevision: BigInt(LAST + 6), maxCount: 1 },
        [LAST],
      ],
    ])('%s', async (_what, options, revisions) => {
      expect(await read(options)).toEqual(revisions);
    });

    it('not forwards from the end: an error', async () => {
      expect(await refusal(read({ fromRevision: END }))).toMatchObject({ code: UNKNOWN });
    });

    it('with links to be resolved: the events that they point to, where those can be read', async () => {
      const { client } = store;
      const [links, cut, gone] = [uniqueStream(), uniqueStream(), uniqueStream()];
      const link = (target: string) => binaryEvent({ type: '$>', data: new Uint8Array(Buffer.from(target)) });
      for (const target of [cut, gone]) await client.appendToStream(target, notes(2));
      const targets = [`7@${stream}`, `3@${cut}`, `0@${cut}`, `1@${cut}`, `0@${gone}`, `0@${uniqueStream()}`];
      await client.appendToStream(links, [...targets, 'no link', `-1@${stream}`].map(link));
      await client.setStreamMetadata(cut, { truncateBefore: 1 });
      await client.tombstoneStream(gone);
      const shown = ({ event, link: from }: ResolvedEvent) => [
        event && `${Number(event.revision)}@${event.streamId}`,
        from && Number(from.revision),
      ];
      const resolved = [
        [`7@${stream}`, 0],
        ...[1, 2].map((n) => [undefined, n]),
        [`1@${cut}`, 3],
        ...[4, 5].map((n) => [undefined, n]),
        [`6@${links}`, undefined],
        [`${COUNT - 1}@${stream}`, 7],
      ];
      const options = { resolveLinkTos: true };
      expect((await collect(client.readStream(links, options))).map(shown)).toEqual(resolved);
      expect((await collect(client.readStream(links))).map(shown)).toEqual(
        resolved.map((_, n) => [`${n}@${links}`, undefined]),
      );
      const all = client.readAll({ ...options, direction: BACKWARDS, fromPosition: END, maxCount: 20 });
      const mine = (await collect(all)).filter(
        ({ event, link: from }) => (from ?? event)?.streamId === links,
      );
      expect(mine.map(shown)).toEqual(resolved.toReversed());
      const followed: unknown[] = [];
      const subscription = client.subscribeToStream(links, options);
      subscription.on('data', (event: ResolvedEvent) => followed.push(shown(event)));
      await caughtUp(subscription);
      await client.appendToStream(links, [link(`8@${stream}`), link(`9@${gone}`)]);
      await eventually(() => followed.length >= resolved.length + 2);
      expect(followed).toEqual([...resolved, [`8@${stream}`, 8], [undefined, 9]]);
      await subscription.unsubscribe();
    });

    it('that is not there', async () => {
      const missing = uniqueStream();
      const error = await refusal(collect(store.client.readStream(missing)));
      expect(error).toBeInstanceOf(StreamNotFoundError);
      expect(error).toMatchObject({ type: 'stream-not-found', streamName: missing });
      const backwards = store.client.readStream(missing, { direction: BACKWARDS, fromRevision: END });
      expect(await refusal(collect(backwards))).toBeInstanceOf(StreamNotFoundError);
    });

    it('stops when the reader does', async () => {
      const seen: bigint[] = [];
      for await (const { event } of store.client.readStream(stream)) {
        seen.push(event!.revision);
        if (seen.length === 5) break;
      }
      expect(seen).toHaveLength(5);
      expect(await read({ maxCount: 1 })).toEqual([0]);
    });
  });

  describe('the whole log', () => {
    const mine = async (options: Parameters<EventStoreUnderTest['client']['readAll']>[0]) =>
      (await collect(store.client.readAll(options)))
        .filter(({ event }) => event?.streamId === stream)
        .map(({ event }) => Number(event!.revision));

    it('forwards, from a position on', async () => {
      expect(await mine({ fromPosition: START })).toEqual(range(0, COUNT - 1));
      expect(await mine({ fromPosition: positions[4]!, maxCount: 1 })).toEqual([4]);
      expect(await mine({ fromPosition: positions[1000]! })).toEqual(range(1000, COUNT - 1));
      expect(await collect(store.client.readAll({ fromPosition: END }))).toEqual([]);
    });

    it('backwards, from before a position', async () => {
      const direction = BACKWARDS;
      expect(await mine({ direction, fromPosition: END })).toEqual(range(COUNT - 1, 0));
      expect(await mine({ direction, fromPosition: positions[5]! })).toEqual([4, 3, 2, 1, 0]);
      expect(await mine({ direction, fromPosition: positions[5]!, maxCount: 2 })).toEqual([4, 3]);
      expect(await collect(store.client.readAll({ direction, fromPosition: START }))).toEqual([]);
    });

    it('in the order of positions, which rise', async () => {
      const all = await collect(store.client.readAll());
      const seen = all.map(({ event }) => event!.position.commit);
      for (let n = 1; n < seen.length; n += 1) expect(seen[n]! > seen[n - 1]!).toBe(true);
      expect(all[0]?.commitPosition).toBe(all[0]?.event?.position?.commit);
    });

    it('from the very last event, and from beyond it: nothing forwards, an error backwards', async () => {
      const { position } = await append(uniqueStream(), notes(1));
      const far = position!.commit + 1_000_000n;
      const fromPosition = { commit: far, prepare: far };
      expect(await collect(store.client.readAll({ fromPosition }))).toEqual([]);
      const [last] = await collect(store.client.readAll({ fromPosition: position!, maxCount: 1 }));
      expect(last?.event?.position).toEqual(position);
      const backwards = store.client.readAll({ direction: BACKWARDS, fromPosition });
      expect(await refusal(collect(backwards))).toMatchObject({ code: UNKNOWN });
    });
  });
});

describe('the life of a stream', () => {
  const revisions = async (
    stream: string,
    options?: Parameters<EventStoreUnderTest['client']['readStream']>[1],
  ) => (await collect(store.client.readStream(stream, options))).map(({ event }) => Number(event?.revision));
  const metadataOf = async (stream: string) => (await store.client.getStreamMetadata(stream)).metadata;
  const filled = async (count: number) => {
    const stream = uniqueStream();
    await append(stream, notes(count));
    return stream;
  };

  describe('deleted', () => {
    it('is not found any more, and goes on with its revisions when it is written to again', async () => {
      const stream = await filled(3);
      const { position } = await store.client.deleteStream(stream, { expectedRevision: 2n });
      expect(position?.commit).toBeGreaterThan(0n);
      expect(await refusal(collect(store.client.readStream(stream)))).toBeInstanceOf(StreamNotFoundError);
      const existing = append(stream, notes(1), { expectedRevision: STREAM_EXISTS });
      expect(await refusal(existing)).toBeInstanceOf(StreamDeletedError);

      const back = await append(stream, notes(2), { expectedRevision: NO_STREAM });
      expect(back.nextExpectedRevision).toBe(4n);
      expect(await revisions(stream)).toEqual([3, 4]);
      expect(await revisions(stream, { direction: BACKWARDS, fromRevision: END })).toEqual([4, 3]);
      expect(await metadataOf(stream)).toMatchObject({ truncateBefore: 3 });
      await append(stream, notes(1), { expectedRevision: 4n });
      expect(await revisions(stream)).toEqual([3, 4, 5]);
    });

    it('can be written to with any and with its last revision too', async () => {
      for (const expectedRevision of [ANY, 1n] as const) {
        const stream = await filled(2);
        await store.client.deleteStream(stream);
        const back = await append(stream, notes(1), { expectedRevision });
        expect([back.nextExpectedRevision, await revisions(stream)]).toEqual([2n, [2]]);
      }
    });

    it('only at the expected revision', async () => {
      const stream = await filled(2);
      for (const [expectedRevision, expectedVersion] of [
        [5n, 5n],
        [NO_STREAM, -1n],
      ] as const) {
        const error = await refusal(store.client.deleteStream(stream, { expectedRevision }));
        expect(error).toBeInstanceOf(WrongExpectedVersionError);
        expect(error).toMatchObject({ streamName: stream, expectedVersion, actualVersion: 1n });
      }
      expect(await revisions(stream)).toEqual([0, 1]);
    });

    it('only if it ever was, whatever is expected', async () => {
      for (const expectedRevision of [ANY, NO_STREAM, 0n] as const) {
        const error = await refusal(store.client.deleteStream(uniqueStream(), { expectedRevision }));
        expect(error).toBeInstanceOf(WrongExpectedVersionError);
        expect(error).toMatchObject({ actualVersion: -1n });
      }
      const described = uniqueStream();
      await store.client.setStreamMetadata(described, { maxCount: 3 });
      expect((await store.client.deleteStream(described)).position?.commit).toBeGreaterThan(0n);
    });
  });

  describe('tombstoned', () => {
    it('is gone for ever', async () => {
      const stream = await filled(2);
      const { position } = await store.client.tombstoneStream(stream, { expectedRevision: 1n });
      expect(position?.commit).toBeGreaterThan(0n);
      for (const call of [
        () => collect(store.client.readStream(stream)),
        () => append(stream, notes(1)),
        () => append(stream, notes(1), { expectedRevision: NO_STREAM }),
        () => store.client.deleteStream(stream),
        () => store.client.tombstoneStream(stream),
        () => collect(store.client.subscribeToStream(stream)),
      ]) {
        const error = await refusal(call());
        expect(error).toBeInstanceOf(StreamDeletedError);
        expect(error).toMatchObject({ type: 'stream-deleted', streamName: stream });
      }
    });

    it('only at the expected revision, and even when there never was such a stream', async () => {
      const stream = await filled(1);
      expect(await refusal(store.client.tombstoneStream(stream, { expectedRevision: 9n }))).toBeInstanceOf(
        WrongExpectedVersionError,
      );
      const missing = uniqueStream();
      await store.client.tombstoneStream(missing);
      expect(await refusal(append(missing, notes(1)))).toBeInstanceOf(StreamDeletedError);
    });
  });

  describe('metadata', () => {
    it('is kept as it was set, the last of it counts', async () => {
      const stream = await filled(1);
      expect(await store.client.getStreamMetadata(stream)).toEqual({ streamName: stream });
      await store.client.setStreamMetadata(stream, { maxCount: 7, owner: 'library' });
      expect(await metadataOf(stream)).toEqual({ maxCount: 7, owner: 'library' });
      const acl = { readRoles: ['$all'] };
      await store.client.setStreamMetadata(stream, { acl }, { expectedRevision: 0n });
      expect(await metadataOf(stream)).toEqual({ acl });
      const wrong = store.client.setStreamMetadata(stream, {}, { expectedRevision: 0n });
      expect(await refusal(wrong)).toMatchObject({ expectedVersion: 0n, actualVersion: 1n });
    });

    it('$maxCount shows the last events alone', async () => {
      const stream = await filled(10);
      await store.client.setStreamMetadata(stream, { maxCount: 3 });
      expect(await revisions(stream)).toEqual([7, 8, 9]);
      expect(await revisions(stream, { fromRevision: 2n, maxCount: 2 })).toEqual([7, 8]);
      expect(await revisions(stream, { direction: BACKWARDS, fromRevision: END })).toEqual([9, 8, 7]);
      await append(stream, notes(1));
      expect(await revisions(stream)).toEqual([8, 9, 10]);
    });

    it('$tb hides what is before', async () => {
      const stream = await filled(5);
      await store.client.setStreamMetadata(stream, { truncateBefore: 3 });
      expect(await revisions(stream)).toEqual([3, 4]);
      expect(await revisions(stream, { direction: BACKWARDS, fromRevision: END })).toEqual([4, 3]);
      await store.client.setStreamMetadata(stream, {});
      expect(await revisions(stream)).toEqual([0, 1, 2, 3, 4]);
    });

    it('$maxAge hides what is older', async () => {
      const stream = await filled(2);
      await new Promise((resolve) => setTimeout(resolve, 1600));
      await store.client.setStreamMetadata(stream, { maxAge: 1 });
      expect(await revisions(stream)).toEqual([]);
      // On a busy machine it may be that old before it is read.
      const young = await waitFor(async () => {
        await append(stream, notes(1));
        const read = await revisions(stream);
        return read.length > 0 && read;
      });
      expect(Math.min(...young)).toBeGreaterThanOrEqual(2);
      await store.client.setStreamMetadata(stream, { maxAge: 1000 });
      expect((await revisions(stream)).slice(0, 3)).toEqual([0, 1, 2]);
    });

    it('of a deleted stream brings it back, empty', async () => {
      const stream = await filled(2);
      await store.client.deleteStream(stream);
      await store.client.setStreamMetadata(stream, { owner: 'library' });
      expect(await metadataOf(stream)).toEqual({ owner: 'library', truncateBefore: 2 });
      expect(await revisions(stream)).toEqual([]);
      await append(stream, notes(1), { expectedRevision: 1n });
      expect(await revisions(stream)).toEqual([2]);
    });

    it('lets a stream exist before its first event', async () => {
      const stream = uniqueStream();
      await store.client.setStreamMetadata(stream, { maxCount: 5 });
      const result = await append(stream, notes(1), { expectedRevision: STREAM_EXISTS });
      expect(result.nextExpectedRevision).toBe(0n);
    });
  });
});
