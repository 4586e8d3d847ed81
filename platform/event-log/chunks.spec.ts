import fc from 'fast-check';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import { Frames, messagesOfChunk, Chunk, toChunk } from './chunks.js';

const messages = fc.array(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  { minLength: 1, maxLength: 20 },
);

/** As gRPC does with a message. */
function sent(message: Buffer | Frames | Chunk): Buffer {
  const output = Buffer.alloc(message.byteLength + 5, 255);
  (message as Buffer).copy(output, 5);
  return output.subarray(5);
}

describe('messages that leave as one piece', () => {
  it('are taken apart as they were put together', () => {
    forAll([messages], {}, (given) => {
      expect(messagesOfChunk(sent(new Chunk(given)))).toEqual(given);
    });
  });

  it('are refused where the piece is cut off, or has anything else in it', () => {
    const whole = sent(new Chunk([Buffer.from('one'), Buffer.alloc(200, 'x')]));
    for (let end = 3; end < whole.length; end += 1) {
      // After the first message it is a whole piece again.
      if (end !== 6) expect(() => messagesOfChunk(whole.subarray(0, end))).toThrow(RangeError);
    }
    expect(() => messagesOfChunk(Buffer.concat([whole, Buffer.from('more')]))).toThrow(RangeError);
  });

  it('are sent one by one to whoever does not know pieces, and where they are large', () => {
    const [small, large] = [Buffer.from('small'), Buffer.alloc(700_000)];
    expect(toChunk([small], true)).toBe(small);
    expect(toChunk([small, small], true)).toBeInstanceOf(Chunk);
    expect(toChunk([small, small], false)).toBeInstanceOf(Frames);
    expect(toChunk([large, large], true)).toBeInstanceOf(Frames);
  });

  it('are no other message', () => {
    expect(messagesOfChunk(Buffer.alloc(0))).toBeUndefined();
    expect(messagesOfChunk(Buffer.from([0x0a, 0x01, 0x00]))).toBeUndefined();
  });
});
