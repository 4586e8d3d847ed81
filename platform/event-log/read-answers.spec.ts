import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import converting from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import fc from 'fast-check';
import { decodeReadAnswer } from './read-answers.js';
import { forAll } from '../../test-support/for-all.js';

const { ReadEvent } = streams.ReadResp;
const id = fc.uuid();
const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);
const json = fc.json().map((text) => Buffer.from(text));
const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));

interface Fields {
  id: string;
  stream: string;
  revision: string;
  commit: string;
  prepare: string;
  contentType: string | undefined;
  type: string;
  created: string;
  data: Buffer;
  metadata: Buffer;
}

const recordedFields: fc.Arbitrary<Fields> = fc.record({
  id,
  stream: fc.string({ unit: 'binary' }),
  revision: number,
  commit: number,
  prepare: number,
  contentType: fc.constantFrom('application/json', 'application/octet-stream', undefined),
  type: fc.string({ unit: 'binary' }),
  created: fc.nat().map(String),
  data: fc.oneof(json, bytes),
  metadata: fc.oneof(json, bytes),
});

function recorded(fields: Fields): streams.ReadResp.ReadEvent.RecordedEvent {
  const event = new ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(fields.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(fields.stream)))
    .setStreamRevision(fields.revision)
    .setCommitPosition(fields.commit)
    .setPreparePosition(fields.prepare)
    .setData(fields.data)
    .setCustomMetadata(fields.metadata);
  event.getMetadataMap().set('type', fields.type).set('created', fields.created);
  if (fields.contentType !== undefined) event.getMetadataMap().set('content-type', fields.contentType);
  return event;
}

/** The event as the official client gives it, decoded by its own classes or by us. */
function read(answer: streams.ReadResp): unknown {
  return converting.convertGrpcEvent(answer.getEvent()!);
}

describe('an answer with an event', () => {
  it('is the same to the official client as decoded by its own classes', () => {
    forAll(
      [recordedFields, fc.option(recordedFields, { nil: undefined }), fc.option(number, { nil: undefined })],
      { numRuns: 60 },
      (fields, link, commit) => {
        const event = new ReadEvent().setEvent(recorded(fields));
        if (link) event.setLink(recorded(link));
        if (commit === undefined) event.setNoPosition(new shared.Empty());
        else event.setCommitPosition(commit);
        const answer = Buffer.from(new streams.ReadResp().setEvent(event).serializeBinary());
        const expected = read(streams.ReadResp.deserializeBinary(answer));
        expect(read(decodeReadAnswer(answer))).toEqual(expected);
        // What comes from a connection lies somewhere within what was received.
        const within = Buffer.concat([Buffer.alloc(7, 1), answer, Buffer.alloc(3, 2)]);
        expect(read(decodeReadAnswer(within.subarray(7, 7 + answer.length)))).toEqual(expected);
      },
    );
  });

  it('may have its id as two numbers', () => {
    const structured = new shared.UUID.Structured()
      .setMostSignificantBits(String(BigInt.asIntN(64, 0x8d4f0a0e3c5e4f6bn)))
      .setLeastSignificantBits(String(BigInt.asIntN(64, 0x9a510a4f7f0c9d11n)));
    const event = new ReadEvent.RecordedEvent()
      .setId(new shared.UUID().setStructured(structured))
      .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from('s')));
    const answer = Buffer.from(
      new streams.ReadResp().setEvent(new ReadEvent().setEvent(event)).serializeBinary(),
    );
    expect(read(decodeReadAnswer(answer))).toEqual(read(streams.ReadResp.deserializeBinary(answer)));
  });

  it('is refused, and not read past its end, when it is cut off', () => {
    const event = recorded({
      id: '8d4f0a0e-3c5e-4f6b-9a51-0a4f7f0c9d11',
      stream: 'borrows-1',
      revision: '300',
      commit: '70000',
      prepare: '70000',
      contentType: 'application/json',
      type: 'BooksRented',
      created: '17000000000000000',
      data: Buffer.from('{"a":1}'),
      metadata: Buffer.from('{}'),
    });
    const answer = Buffer.from(
      new streams.ReadResp().setEvent(new ReadEvent().setEvent(event)).serializeBinary(),
    );
    for (let length = 1; length < answer.length; length += 1) {
      expect(() => decodeReadAnswer(answer.subarray(0, length))).toThrow();
    }
  });
});

describe('any other answer', () => {
  it('is decoded by the generated classes', () => {
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId('id');
    const answer = Buffer.from(new streams.ReadResp().setConfirmation(confirmation).serializeBinary());
    const decoded = decodeReadAnswer(answer);
    expect(decoded.hasEvent()).toBe(false);
    expect(decoded.getConfirmation()?.getSubscriptionId()).toBe('id');
  });
});
