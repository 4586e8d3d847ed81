import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { encodeAppend } from '#platform/event-log/wire-appends.js';
import { TIMEOUT } from '../../../test-support/wait-for.js';
import { forAll } from '../../../test-support/arbitraries/for-all.js';
import { MessageReader } from './protobuf-messages.js';
import { decodeBatchRequest } from './wire-batch-request.js';

// That they are those of the official client: `conformance-append.int.spec.ts`.
describe('appends that are decoded by hand', () => {
  const uuid = (string: string) => new shared.UUID().setString(string);

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
