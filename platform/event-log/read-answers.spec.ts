import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import converting from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import fc from 'fast-check';
import { streamNamed } from '#contracts/event-log/categories.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import { Chunk } from './chunks.js';
import { encodedEvents, parsedEvent } from './encoded-events.js';
import { decodeReadAnswer } from './read-answers.js';
import { asFirstRecorded, withRecordedTime } from './recorded-time.js';

const { ReadEvent } = streams.ReadResp;
type Recorded = streams.ReadResp.ReadEvent.RecordedEvent;
const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);
const json = fc.json().map((text) => Buffer.from(text));
const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
const moved = fc
  .oneof(json, bytes)
  .map((metadata) => withRecordedTime({ metadata, at: new Date('2026-02-01T09:00:00.000Z') }));
const asText = (uuid: string) => new shared.UUID().setString(uuid);
function asNumbers(uuid: string) {
  const half = (from: number) => BigInt(`0x${uuid.replaceAll('-', '').slice(from, from + 16)}`);
  const bits = (from: number) => String(BigInt.asIntN(64, half(from)));
  const both = new shared.UUID.Structured().setMostSignificantBits(bits(0)).setLeastSignificantBits(bits(16));
  return new shared.UUID().setStructured(both);
}
const recorded: fc.Arbitrary<Recorded> = fc
  .record({
    ...{
      id: fc.uuid().map(asText),
      revision: number,
      commit: number,
      prepare: number,
      type: fc.string({ unit: 'binary' }),
    },
    stream: fc.oneof(
      fc.string({ unit: 'binary' }).map((key) => `borrows-${key}`),
      fc.constantFrom('copies-1', 'rules-library', 'elsewhere-1', '$$borrows-1'),
    ),
    contentType: fc.constantFrom('application/json', 'application/octet-stream', undefined),
    created: fc.nat().map(String),
    data: fc.oneof(json, bytes),
    metadata: fc.oneof(json, bytes, moved, fc.constant(Buffer.alloc(0))),
  })
  .map((fields) => {
    const event = new ReadEvent.RecordedEvent()
      .setId(fields.id)
      .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(fields.stream)))
      .setStreamRevision(fields.revision)
      .setCommitPosition(fields.commit)
      .setPreparePosition(fields.prepare)
      .setData(fields.data)
      .setCustomMetadata(fields.metadata);
    event.getMetadataMap().set('type', fields.type).set('created', fields.created);
    if (fields.contentType !== undefined) event.getMetadataMap().set('content-type', fields.contentType);
    return event;
  });

const answerOf = (event: streams.ReadResp.ReadEvent): Buffer =>
  Buffer.from(new streams.ReadResp().setEvent(event).serializeBinary());
/** The event as the official client gives it, decoded by its own classes or by us. */
const read = (answer: streams.ReadResp) => converting.convertGrpcEvent(answer.getEvent()!);
function pieceOf(messages: readonly Buffer[]): Buffer {
  const piece = new Chunk(messages);
  const copy = Buffer.alloc(piece.length);
  piece.copy(copy);
  return copy;
}

describe('an answer with an event', () => {
  const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

  it('is the same to the official client as decoded by its own classes', () => {
    const id = fc
      .tuple(fc.uuid({ version: 4 }), fc.boolean())
      .map(([uuid, hasNumbers]) => (hasNumbers ? asNumbers : asText)(uuid));
    const given = fc.tuple(recorded, id).map(([event, of]) => event.setId(of));
    forAll([given, maybe(recorded), maybe(number)], { numRuns: 60 }, (of, link, commit) => {
      const event = new ReadEvent().setEvent(of);
      if (link) event.setLink(link);
      if (commit === undefined) event.setNoPosition(new shared.Empty());
      else event.setCommitPosition(commit);
      const answer = answerOf(event);
      const expected = read(streams.ReadResp.deserializeBinary(answer));
      expect(read(decodeReadAnswer(answer))).toEqual(expected);
      // A frame from a connection begins anywhere within the bytes received.
      const within = Buffer.concat([Buffer.alloc(7, 1), answer, Buffer.alloc(3, 2)]);
      expect(read(decodeReadAnswer(within.subarray(7, 7 + answer.length)))).toEqual(expected);
    });
  });

  it('is the same where it is decoded elsewhere than read, by itself or with others', () => {
    const stored = fc.array(fc.tuple(recorded, fc.boolean()), { minLength: 1, maxLength: 8 });
    forAll([stored], { numRuns: 100 }, (given) => {
      // A store of ours sends some as one, and these lie with others in what is handed over.
      const sent = given.map(([event, isAsOne]) => {
        const message = answerOf(new ReadEvent().setEvent(event));
        return isAsOne ? pieceOf([message]) : message;
      });
      const events = encodedEvents(pieceOf(sent));
      const positions = given.map(([event]) => event.getCommitPosition());
      expect(events.map((event) => String(event.getCommitPosition()))).toEqual(positions);
      const expected = given.map(([event]) => {
        const { event: official } = converting.convertGrpcEvent(new ReadEvent().setEvent(event));
        const named = official && streamNamed(official.streamId);
        if (!official || !named) return undefined;
        const { id: eventId, type, revision, data } = official;
        return { ...named, id: eventId, type, revision, data, metadata: asFirstRecorded(official).metadata };
      });
      expect(events.map(parsedEvent)).toEqual(expected);
    });
  });

  it('is refused, and not read past its end, when it is cut off', () => {
    const [event] = fc.sample(recorded, { numRuns: 1, seed: 7 });
    const answer = answerOf(new ReadEvent().setEvent(event));
    for (let length = 1; length < answer.length; length += 1) {
      expect(() => decodeReadAnswer(answer.subarray(0, length))).toThrow();
    }
  });
});

it('any other answer is decoded by the generated classes, and is no event', () => {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId('id');
  const answer = Buffer.from(new streams.ReadResp().setConfirmation(confirmation).serializeBinary());
  const decoded = decodeReadAnswer(answer);
  expect([decoded.hasEvent(), decoded.getConfirmation()?.getSubscriptionId()]).toEqual([false, 'id']);
  expect(encodedEvents(pieceOf([answer]))).toEqual([]);
  expect(() => encodedEvents(pieceOf([answer]).subarray(0, -1))).toThrow('cut off');
});
