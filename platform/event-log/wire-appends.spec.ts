import { ANY, NO_STREAM, STREAM_EXISTS, binaryEvent, jsonEvent, type EventData } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { decodeAppendAnswer, encodeAppend } from './wire-appends.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';

const ID = '8d4f0a0e-3c5e-4f6b-9a51-0a4f7f0c9d11';
const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const text = fc.string({ unit: 'binary' });
const bytes = fc.uint8Array({ maxLength: 300 });

const events: fc.Arbitrary<EventData[]> = fc.array(
  fc.oneof(
    fc
      .record({
        id: fc.uuid(),
        type: text,
        data: fc.dictionary(text, text),
        metadata: fc.dictionary(text, text),
      })
      .map((event) => jsonEvent(event)),
    fc.record({ id: fc.uuid(), type: text, data: bytes }).map((event) => binaryEvent(event)),
    fc.record({ id: fc.uuid(), type: text, data: bytes, metadata: bytes }).map((event) => binaryEvent(event)),
  ),
  { maxLength: 6 },
);

function proposed({ id, type, contentType, data, metadata }: EventData): object {
  const stored = (value: unknown) =>
    Buffer.from(value instanceof Uint8Array ? value : value === undefined ? '' : JSON.stringify(value));
  return { id, type, contentType, data: stored(data), metadata: stored(metadata) };
}

function asProposed(message: streams.BatchAppendReq.ProposedMessage): object {
  return {
    id: message.getId()?.getString(),
    type: message.getMetadataMap().get('type'),
    contentType: message.getMetadataMap().get('content-type'),
    data: Buffer.from(message.getData_asU8()),
    metadata: Buffer.from(message.getCustomMetadata_asU8()),
  };
}

describe('appends that are encoded by hand', () => {
  it('are read by the generated classes as they were meant', () => {
    const expectations = fc.oneof(number, fc.constantFrom(ANY, NO_STREAM, STREAM_EXISTS));
    forAll(
      [text, expectations, fc.integer({ min: -10, max: 1e9 }), events, fc.integer({ min: 1, max: 2000 })],
      { numRuns: 50 },
      (stream, expected, within, given, messageBytes) => {
        const messages = encodeAppend({
          correlationId: ID,
          stream,
          expected,
          within,
          events: given,
          messageBytes,
        }).map((message) => streams.BatchAppendReq.deserializeBinary(message));
        for (const message of messages) expect(message.getCorrelationId()?.getString()).toBe(ID);
        expect(messages.map((message) => message.getIsFinal())).toEqual(
          messages.map((_message, index) => index === messages.length - 1),
        );
        const [options, ...others] = messages.map((message) => message.getOptions());
        expect(others.every((other) => other === undefined)).toBe(true);
        expect(Buffer.from(options!.getStreamIdentifier()!.getStreamName_asU8()).toString()).toBe(
          Buffer.from(stream).toString(),
        );
        // An instant would be one of this machine's clock.
        expect(options!.hasDeadline()).toBe(false);
        expect(options!.hasNoStream()).toBe(expected === NO_STREAM);
        expect(options!.hasAny()).toBe(expected === ANY);
        expect(options!.hasStreamExists()).toBe(expected === STREAM_EXISTS);
        if (typeof expected === 'bigint') expect(options!.getStreamPosition()).toBe(String(expected));
        expect(messages.flatMap((message) => message.getProposedMessagesList().map(asProposed))).toEqual(
          given.map(proposed),
        );
      },
    );
  });
});

describe('answers to appends that are decoded by hand', () => {
  const correlation = fc.constantFrom(
    new shared.UUID().setString(ID),
    new shared.UUID().setStructured(
      new shared.UUID.Structured()
        .setMostSignificantBits(String(BigInt.asIntN(64, 0x8d4f0a0e3c5e4f6bn)))
        .setLeastSignificantBits(String(BigInt.asIntN(64, 0x9a510a4f7f0c9d11n))),
    ),
  );

  it('say where the last event is', () => {
    forAll([correlation, number, fc.option(number)], {}, (id, revision, commit) => {
      const success = new streams.BatchAppendResp.Success().setCurrentRevision(String(revision));
      if (commit === null) success.setNoPosition(new shared.Empty());
      else
        success.setPosition(
          new shared.AllStreamPosition().setCommitPosition(String(commit)).setPreparePosition(String(commit)),
        );
      const answer = new streams.BatchAppendResp().setCorrelationId(id).setSuccess(success);
      expect(decodeAppendAnswer(Buffer.from(answer.serializeBinary()))).toEqual({
        correlationId: ID,
        revision,
        position: commit === null ? undefined : { commit, prepare: commit },
      });
    });
  });

  it('are refusals as the generated classes read them', () => {
    const refusal = new streams.BatchAppendResp()
      .setCorrelationId(new shared.UUID().setString(ID))
      .setError(new status.Status().setCode(6).setMessage('wrong'));
    const answer = decodeAppendAnswer(Buffer.from(refusal.serializeBinary()));
    expect(answer.correlationId).toBe(ID);
    expect(answer.refusal?.getError()?.getMessage()).toBe('wrong');
  });
});
