import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import converting from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import fc from 'fast-check';
import { streamNamed } from '#contracts/event-log/categories.js';
import { forAll } from '../../test-support/for-all.js';
import { encodedEvents, parsedEvent } from './encoded-events.js';
import { Chunk } from './chunks.js';
import { asFirstRecorded, withRecordedTime } from './recorded-time.js';

const { ReadEvent } = streams.ReadResp;
const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);
const json = fc.json().map((text) => Buffer.from(text));
const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
const moved = fc
  .oneof(json, bytes)
  .map((metadata) => withRecordedTime({ metadata, at: new Date('2026-02-01T09:00:00.000Z') }));

const recorded = fc
  .record({
    id: fc.uuid(),
    stream: fc.oneof(
      fc.string().map((key) => `borrows-${key}`),
      fc.constantFrom('copies-1', 'rules-library', 'elsewhere-1', '$$borrows-1'),
    ),
    revision: number,
    commit: number,
    contentType: fc.constantFrom('application/json', 'application/octet-stream', undefined),
    type: fc.string(),
    data: fc.oneof(json, bytes),
    metadata: fc.oneof(json, bytes, moved, fc.constant(Buffer.alloc(0))),
  })
  .map(({ id, stream, revision, commit, contentType, type, data, metadata }) => {
    const event = new ReadEvent.RecordedEvent()
      .setId(new shared.UUID().setString(id))
      .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
      .setStreamRevision(revision)
      .setCommitPosition(commit)
      .setPreparePosition(commit)
      .setData(data)
      .setCustomMetadata(metadata);
    event.getMetadataMap().set('type', type).set('created', '17000000000000000');
    if (contentType !== undefined) event.getMetadataMap().set('content-type', contentType);
    return event;
  });

function recordedMessage(event: streams.ReadResp.ReadEvent.RecordedEvent): Buffer {
  return Buffer.from(new streams.ReadResp().setEvent(new ReadEvent().setEvent(event)).serializeBinary());
}

function pieceOf(messages: readonly Buffer[]): Buffer {
  const piece = new Chunk(messages);
  const copy = Buffer.alloc(piece.length);
  piece.copy(copy);
  return copy;
}

describe('events that are decoded elsewhere than read', () => {
  it('are the same as the official client gives them, one by one or several as one', () => {
    forAll(
      [fc.array(fc.tuple(recorded, fc.boolean()), { minLength: 1, maxLength: 8 })],
      { numRuns: 100 },
      (stored) => {
        const messages = stored.map(([event]) => recordedMessage(event));
        // A store of ours sends some as one, and these lie with others in what is handed over.
        const sent = stored.map(([, isAsOne], index) => {
          const message = messages[index] ?? Buffer.alloc(0);
          return isAsOne ? pieceOf([message]) : message;
        });
        const events = encodedEvents(pieceOf(sent));
        expect(events.map((event) => String(event.getCommitPosition()))).toEqual(
          stored.map(([event]) => event.getCommitPosition()),
        );
        const expected = stored.map(([event]) => {
          const { event: read } = converting.convertGrpcEvent(new ReadEvent().setEvent(event));
          const named = read && streamNamed(read.streamId);
          if (!read || !named) return undefined;
          const { id, type, revision, data } = read;
          return { ...named, id, type, revision, data, metadata: asFirstRecorded(read).metadata };
        });
        expect(events.map(parsedEvent)).toEqual(expected);
      },
    );
  });

  it('are not taken for events where the store sent something else', () => {
    const checkpoint = new streams.ReadResp.Checkpoint().setCommitPosition('7').setPreparePosition('7');
    const answer = Buffer.from(new streams.ReadResp().setCheckpoint(checkpoint).serializeBinary());
    expect(encodedEvents(pieceOf([answer]))).toEqual([]);
    expect(() => encodedEvents(pieceOf([answer]).subarray(0, -1))).toThrow('cut off');
  });
});
