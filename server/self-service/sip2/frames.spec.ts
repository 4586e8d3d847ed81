import fc from 'fast-check';
import { ENCODINGS } from '#contracts/self-service/devices.js';
import { forAll } from '../../../test-support/arbitraries/for-all.js';
import { checksum, decode, encode, Frames, readFrame, writeFrame } from './frames.js';

describe('a checksum', () => {
  // As the protocol's own text and the makers of devices give them.
  it.each(['9900401.00AY1AZFCA5', '941AY3AZFDFA', '97AZFEF5', '96AZFEF6'])('is right in %s', (message) => {
    expect(checksum(Buffer.from(message.slice(0, -4)))).toBe(message.slice(-4));
    expect(readFrame(Buffer.from(message)).detection).toBe('right');
  });

  it('finds whatever was changed, but for changes that even out', () => {
    const sent = writeFrame('1720261127    101500AOL|AB12|', { sequence: '4', detection: 'right' }, 'UTF-8');
    const message = sent.subarray(0, -1);
    forAll([fc.nat(message.length - 10), fc.integer({ min: 1, max: 255 })], {}, (at, by) => {
      const changed = Buffer.from(message);
      changed[at] = ((changed[at] ?? 0) + by) % 256;
      return readFrame(changed).detection === 'wrong';
    });
  });

  it('is not asked of a device that sends none', () => {
    expect(readFrame(Buffer.from('9900401.00'))).toEqual({
      message: Buffer.from('9900401.00'),
      detection: 'none',
    });
    expect(writeFrame('941', { detection: 'none' }, 'UTF-8').toString()).toBe('941\r');
  });

  it('goes back with the sequence number that came', () => {
    expect(writeFrame('941', { sequence: '3', detection: 'right' }, 'UTF-8').toString()).toBe(
      '941AY3AZFDFA\r',
    );
  });
});

describe('messages on the wire', () => {
  it('are the same however their bytes arrive', () => {
    const messages = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 });
    const ends = fc.constantFrom('\r', '\n', '\r\n', '\r\n\r\n');
    forAll(
      [messages, ends, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })],
      {},
      (sent, end, cuts) => {
        const plain = sent.map((bytes) =>
          Buffer.from(bytes.map((byte) => (byte === 10 || byte === 13 ? 32 : byte))),
        );
        const stream = Buffer.concat(plain.flatMap((message) => [message, Buffer.from(end)]));
        const frames = new Frames();
        const arrived: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const length = cuts[turn % cuts.length] ?? 1;
          arrived.push(...frames.add(stream.subarray(at, at + length)));
          at += length;
        }
        expect(arrived).toEqual(plain);
      },
    );
  });

  it('are not kept for ever where they have no end', () => {
    const frames = new Frames();
    expect(() => {
      for (let times = 0; times < 100; times += 1) frames.add(Buffer.alloc(1000, 65));
    }).toThrow(RangeError);
  });
});

describe('an encoding', () => {
  it.each(ENCODINGS)('of %s gives plain text back', (encoding) => {
    expect(decode(encode('The Sea, 1978 (2nd ed.)', encoding), encoding)).toBe('The Sea, 1978 (2nd ed.)');
  });

  it('writes what it lacks without its accent', () => {
    const written = (encoding: (typeof ENCODINGS)[number]) =>
      decode(encode('Żółć – „Łódź”', encoding), encoding);
    expect(written('UTF-8')).toBe('Żółć – „Łódź”');
    expect(written('Windows-1250')).toBe('Żółć – „Łódź”');
    expect(written('ISO-8859-1')).toBe('Zólc - "Lódz"');
    expect(written('CP850')).toBe('Zólc - "Lódz"');
    expect(written('ISO-8859-2')).toBe('Żółć - "Łódź"');
    expect(written('CP852')).toBe('Żółć - "Łódź"');
    expect(written('Windows-1252')).toBe('Zólc – „Lódz”');
  });

  it('never fails on bytes that are none of it', () => {
    forAll([fc.uint8Array(), fc.constantFrom(...ENCODINGS)], {}, (bytes, encoding) => {
      decode(Buffer.from(bytes), encoding);
    });
  });
});
