import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import timestampPb from 'google-protobuf/google/protobuf/timestamp_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { encodeAppend } from '#platform/event-log/wire-appends.js';
import { TIMEOUT } from '../../../test-support/wait-for.js';
import { forAll } from '../../../test-support/for-all.js';
import { MessageReader } from './protobuf-messages.js';
import { TOMBSTONE } from '../storage/recorded-event.js';
import { wrongExpectedVersion } from '../storage/store-error.js';
import { batchFailure, batchSuccess } from './wire-batch-answer.js';
import { decodeBatchRequest } from './wire-batch-request.js';
import { eventAnswer } from './wire-event.js';
import { caughtUpAnswer, checkpointAnswer, confirmationAnswer, notFoundAnswer } from './wire-read-request.js';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const bytes = fc.uint8Array({ maxLength: 6000 }).map((array) => Buffer.from(array));
const number = fc.bigInt({ min: 0n, max: TOMBSTONE });

describe('messages that are encoded by hand', () => {
  it('are read by the generated classes: events', () => {
    forAll(
      [
        fc.record({
          id: fc.uuid(),
          stream: text,
          type: text,
          contentType: text,
          data: bytes,
          metadata: bytes,
          revision: number,
          position: number,
          created: fc.integer({ min: 0, max: 4e12 }),
        }),
      ],
      {},
      (event) => {
        const readEvent = streams.ReadResp.deserializeBinary(eventAnswer(event)).getEvent()!;
        expect(readEvent.getCommitPosition()).toBe(String(event.position));
        const recorded = readEvent.getEvent()!;
        expect(recorded.getId()?.getString()).toBe(event.id);
        expect(Buffer.from(recorded.getStreamIdentifier()!.getStreamName_asU8()).toString()).toBe(
          event.stream,
        );
        expect(recorded.getStreamRevision()).toBe(String(event.revision));
        expect(recorded.getCommitPosition()).toBe(String(event.position));
        expect(recorded.getPreparePosition()).toBe(String(event.position));
        expect(recorded.getMetadataMap().get('type')).toBe(event.type);
        expect(recorded.getMetadataMap().get('content-type')).toBe(event.contentType);
        expect(recorded.getMetadataMap().get('created')).toBe(`${event.created}0000`);
        expect(event.data.equals(recorded.getData_asU8())).toBe(true);
        expect(event.metadata.equals(recorded.getCustomMetadata_asU8())).toBe(true);
      },
    );
  });

  it('are read by the generated classes: a large event, and the small one after it', () => {
    const event = {
      id: '8d4f0a0e-3c5e-4f6b-9a51-0a4f7f0c9d11',
      stream: 's',
      type: 't',
      contentType: '',
      data: Buffer.alloc(900_000, 7),
      metadata: Buffer.alloc(0),
      revision: 0n,
      position: 1n,
      created: 0,
    };
    const large = streams.ReadResp.deserializeBinary(eventAnswer(event));
    expect(event.data.equals(large.getEvent()!.getEvent()!.getData_asU8())).toBe(true);
    const small = streams.ReadResp.deserializeBinary(eventAnswer({ ...event, data: Buffer.from([1]) }));
    expect(small.getEvent()!.getEvent()!.getData_asU8()).toEqual(Uint8Array.of(1));
  });

  it('are read by the generated classes: the other answers of a read', () => {
    const read = (answer: Buffer) => streams.ReadResp.deserializeBinary(answer);
    expect(read(confirmationAnswer('id')).getConfirmation()?.getSubscriptionId()).toBe('id');
    expect(read(checkpointAnswer(TOMBSTONE)).getCheckpoint()?.toObject()).toEqual({
      commitPosition: String(TOMBSTONE),
      preparePosition: String(TOMBSTONE),
    });
    const missing = read(notFoundAnswer('łąka')).getStreamNotFound()?.getStreamIdentifier();
    expect(Buffer.from(missing!.getStreamName_asU8()).toString()).toBe('łąka');
    expect(read(caughtUpAnswer()).hasCaughtUp()).toBe(true);
  });

  it('are read by the generated classes: answers to appends', () => {
    forAll([fc.uuid(), text, fc.option(number), fc.option(number)], {}, (id, stream, revision, position) => {
      const answer = streams.BatchAppendResp.deserializeBinary(
        batchSuccess(id, stream, { revision: revision ?? -1n, position: position ?? undefined }),
      );
      expect(answer.getCorrelationId()?.getString()).toBe(id);
      const success = answer.getSuccess()!;
      expect(success.hasNoStream()).toBe(revision === null);
      expect(success.hasNoPosition()).toBe(position === null);
      if (revision !== null) expect(success.getCurrentRevision()).toBe(String(revision));
      if (position !== null) expect(success.getPosition()?.getCommitPosition()).toBe(String(position));
    });
    const failure = streams.BatchAppendResp.deserializeBinary(
      batchFailure('id', 'stream', wrongExpectedVersion('Append', 'stream', 3n, 7n)),
    );
    const details = failure.getError()!.getDetails()!;
    expect(details).toBeInstanceOf(anyPb.Any);
    expect(
      details
        .unpack((from) => shared.WrongExpectedVersion.deserializeBinary(from), details.getTypeName())
        ?.getCurrentStreamRevision(),
    ).toBe('7');
  });
});

describe('appends that are decoded by hand', () => {
  const uuid = (string: string) => new shared.UUID().setString(string);

  it('are those that the generated classes write', () => {
    const expected = fc.oneof(
      fc.constantFrom('any' as const, 'no-stream' as const, 'stream-exists' as const),
      number,
    );
    const event = fc.record({ id: fc.uuid(), type: text, contentType: text, data: bytes, metadata: bytes });
    forAll(
      [
        fc.uuid(),
        text,
        expected,
        fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
        fc.array(event, { maxLength: 4 }),
        fc.boolean(),
      ],
      {},
      (id, stream, revision, deadline, events, isFinal) => {
        const options = new streams.BatchAppendReq.Options()
          .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
          .setDeadline(timestampPb.Timestamp.fromDate(deadline));
        if (revision === 'no-stream') options.setNoStream(new shared.Empty());
        else if (revision === 'stream-exists') options.setStreamExists(new shared.Empty());
        else if (revision === 'any') options.setAny(new shared.Empty());
        else options.setStreamPosition(String(revision));
        const request = new streams.BatchAppendReq().setCorrelationId(uuid(id)).setIsFinal(isFinal);
        request.setOptions(options);
        for (const proposed of events) {
          const message = new streams.BatchAppendReq.ProposedMessage()
            .setId(uuid(proposed.id))
            .setData(proposed.data)
            .setCustomMetadata(proposed.metadata);
          message.getMetadataMap().set('type', proposed.type);
          message.getMetadataMap().set('content-type', proposed.contentType);
          request.addProposedMessages(message);
        }
        expect(decodeBatchRequest(Buffer.from(request.serializeBinary()))).toEqual({
          correlationId: id,
          options: { streamName: Buffer.from(stream), expected: revision, deadline: deadline.getTime() },
          events,
          isFinal,
        });
      },
    );
  });

  it('are those of the product, which give the time that is left and no instant of their own clock', () => {
    const append = { correlationId: '8d4f0a0e-3c5e-4f6b-9a51-0a4f7f0c9d11', stream: 's', expected: 7n };
    const deadlineOf = (within: number) => {
      const now = Date.now();
      const [message = Buffer.alloc(0)] = encodeAppend({ ...append, within, events: [], messageBytes: 1000 });
      return (decodeBatchRequest(message).options?.deadline ?? NaN) - now;
    };
    for (const within of [0, 1, 2_499, 5_000]) {
      expect(deadlineOf(within)).toBeGreaterThanOrEqual(within);
      expect(deadlineOf(within)).toBeLessThan(within + TIMEOUT);
    }
    expect(deadlineOf(-5)).toBeLessThan(TIMEOUT);
  });

  it('may give ids as two numbers', () => {
    const structured = new shared.UUID.Structured()
      .setMostSignificantBits('-8613303245920329199')
      .setLeastSignificantBits('1234567890123456789');
    const request = new streams.BatchAppendReq().setCorrelationId(
      new shared.UUID().setStructured(structured),
    );
    expect(decodeBatchRequest(Buffer.from(request.serializeBinary())).correlationId).toBe(
      '88776655-4433-2211-1122-10f47de98115',
    );
  });

  it('are refused, and not read past their end, when they are cut off or garbage', () => {
    const request = new streams.BatchAppendReq().setCorrelationId(uuid('0'.repeat(36))).setIsFinal(true);
    const whole = Buffer.from(request.serializeBinary());
    expect(() => decodeBatchRequest(whole.subarray(0, 20))).toThrow(RangeError);
    forAll([fc.uint8Array({ maxLength: 60 })], {}, (garbage) => {
      const reader = new MessageReader(Buffer.from(garbage));
      try {
        while (reader.next()) reader.skip();
      } catch (error) {
        expect(String(error)).toMatch(/out of range|invalid (wire type|varint|tag)|cut off/);
      }
    });
  });
});
