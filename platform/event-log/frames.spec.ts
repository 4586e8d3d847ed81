import { Frames } from './chunks.js';

describe('messages that leave as one', () => {
  it('are, in the place where gRPC puts one message, each with its own header', () => {
    const frames = new Frames([Buffer.from('one'), Buffer.alloc(0), Buffer.from('three')]);
    // As gRPC does with a message.
    const output = Buffer.alloc(frames.length + 5, 255);
    output.writeUInt8(0, 0);
    output.writeUInt32BE(frames.byteLength, 1);
    frames.copy(output);
    expect(output.toString('latin1')).toBe('\0\0\0\0\x03one\0\0\0\0\0\0\0\0\0\x05three');
  });
});
