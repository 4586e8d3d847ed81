import {
  ANY,
  BACKWARDS,
  END,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  jsonEvent,
} from '@eventstore/db-client';
import {
  collect,
  openEventStoreUnderTest,
  refusal,
  uniqueStream,
  type EventStoreUnderTest,
} from '../../test-support/event-store-under-test.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';

const notes = (count: number) =>
  Array.from({ length: count }, (_, n) => jsonEvent({ type: 'Noted', data: { n } }));

describe('the life of a stream', () => {
  const store = shared(() => openEventStoreUnderTest());

  const revisions = async (
    stream: string,
    options?: Parameters<EventStoreUnderTest['client']['readStream']>[1],
  ) => (await collect(store.client.readStream(stream, options))).map(({ event }) => Number(event?.revision));
  const filled = async (count: number) => {
    const stream = uniqueStream();
    await store.client.appendToStream(stream, notes(count));
    return stream;
  };

  describe('deleted', () => {
    it('is not found any more, and goes on with its revisions when it is written to again', async () => {
      const stream = await filled(3);
      const { position } = await store.client.deleteStream(stream, { expectedRevision: 2n });
      expect(position?.commit).toBeGreaterThan(0n);
      expect(await refusal(collect(store.client.readStream(stream)))).toBeInstanceOf(StreamNotFoundError);

      const back = await store.client.appendToStream(stream, notes(2), { expectedRevision: NO_STREAM });
      expect(back.nextExpectedRevision).toBe(4n);
      expect(await revisions(stream)).toEqual([3, 4]);
      expect(await revisions(stream, { direction: BACKWARDS, fromRevision: END })).toEqual([4, 3]);
      expect((await store.client.getStreamMetadata(stream)).metadata?.truncateBefore).toBe(3);
      await store.client.appendToStream(stream, notes(1), { expectedRevision: 4n });
      expect(await revisions(stream)).toEqual([3, 4, 5]);
    });

    it('can be written to with any and with its last revision too', async () => {
      const one = await filled(2);
      await store.client.deleteStream(one);
      expect((await store.client.appendToStream(one, notes(1))).nextExpectedRevision).toBe(2n);
      expect(await revisions(one)).toEqual([2]);
      const other = await filled(2);
      await store.client.deleteStream(other);
      await store.client.appendToStream(other, notes(1), { expectedRevision: 1n });
      expect(await revisions(other)).toEqual([2]);
    });

    it('does not count as existing', async () => {
      const stream = await filled(1);
      await store.client.deleteStream(stream);
      const append = store.client.appendToStream(stream, notes(1), { expectedRevision: STREAM_EXISTS });
      expect(await refusal(append)).toBeInstanceOf(StreamDeletedError);
    });

    it('only at the expected revision', async () => {
      const stream = await filled(2);
      const error = await refusal(store.client.deleteStream(stream, { expectedRevision: 5n }));
      expect(error).toBeInstanceOf(WrongExpectedVersionError);
      expect(error).toMatchObject({ streamName: stream, expectedVersion: 5n, actualVersion: 1n });
      expect(
        await refusal(store.client.deleteStream(stream, { expectedRevision: NO_STREAM })),
      ).toBeInstanceOf(WrongExpectedVersionError);
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
        () => store.client.appendToStream(stream, notes(1)),
        () => store.client.appendToStream(stream, notes(1), { expectedRevision: NO_STREAM }),
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
      expect(await refusal(store.client.appendToStream(missing, notes(1)))).toBeInstanceOf(
        StreamDeletedError,
      );
    });
  });

  describe('metadata', () => {
    it('is kept as it was set, the last of it counts', async () => {
      const stream = await filled(1);
      expect(await store.client.getStreamMetadata(stream)).toEqual({ streamName: stream });
      await store.client.setStreamMetadata(stream, { maxCount: 7, owner: 'library' });
      const first = await store.client.getStreamMetadata(stream);
      expect(first.metadata).toEqual({ maxCount: 7, owner: 'library' });
      await store.client.setStreamMetadata(
        stream,
        { acl: { readRoles: ['$all'] } },
        { expectedRevision: 0n },
      );
      expect((await store.client.getStreamMetadata(stream)).metadata).toEqual({
        acl: { readRoles: ['$all'] },
      });
      const wrong = store.client.setStreamMetadata(stream, {}, { expectedRevision: 0n });
      expect(await refusal(wrong)).toMatchObject({ expectedVersion: 0n, actualVersion: 1n });
    });

    it('$maxCount shows the last events alone', async () => {
      const stream = await filled(10);
      await store.client.setStreamMetadata(stream, { maxCount: 3 });
      expect(await revisions(stream)).toEqual([7, 8, 9]);
      expect(await revisions(stream, { fromRevision: 2n, maxCount: 2 })).toEqual([7, 8]);
      expect(await revisions(stream, { direction: BACKWARDS, fromRevision: END })).toEqual([9, 8, 7]);
      await store.client.appendToStream(stream, notes(1));
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
        await store.client.appendToStream(stream, notes(1));
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
      expect((await store.client.getStreamMetadata(stream)).metadata).toEqual({
        owner: 'library',
        truncateBefore: 2,
      });
      expect(await revisions(stream)).toEqual([]);
      await store.client.appendToStream(stream, notes(1), { expectedRevision: 1n });
      expect(await revisions(stream)).toEqual([2]);
    });

    it('lets a stream exist before its first event', async () => {
      const stream = uniqueStream();
      await store.client.setStreamMetadata(stream, { maxCount: 5 });
      const result = await store.client.appendToStream(stream, notes(1), { expectedRevision: STREAM_EXISTS });
      expect(result.nextExpectedRevision).toBe(0n);
    });
  });
});
