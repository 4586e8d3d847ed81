import iconv from 'iconv-lite';
import type { Encoding } from '#contracts/self-service/devices.js';

/** Bytes of the longest message that is read. */
const LONGEST = 4096;

const CR = 13;
const LF = 10;

/** Puts the bytes that arrive together to messages, each of which ends with a carriage return, a line feed or both. */
export class Frames {
  private rest: Buffer = Buffer.alloc(0);

  /**
   * @returns the messages that are complete by now, without their ends
   * @throws RangeError for one that is too long
   */
  add(bytes: Buffer): Buffer[] {
    const all = Buffer.concat([this.rest, bytes]);
    const frames: Buffer[] = [];
    let begin = 0;
    for (let at = this.rest.length; at < all.length; at += 1) {
      if (all[at] !== CR && all[at] !== LF) continue;
      if (at > begin) frames.push(all.subarray(begin, at));
      begin = at + 1;
    }
    this.rest = all.subarray(begin);
    if (this.rest.length > LONGEST || frames.some(({ length }) => length > LONGEST)) {
      throw new RangeError('A message is too long.');
    }
    return frames;
  }
}

/** What surrounds a message where a device has error detection on. */
export interface Frame {
  message: Buffer;
  /** One digit; none in a request to send something again. */
  sequence?: string;
  /** Whether the checksum is there, and whether it is right. */
  detection: 'none' | 'right' | 'wrong';
}

const DETECTION = /(?:AY(\d))?AZ([0-9A-Fa-f]{4})$/;
const LONGEST_DETECTION = 9;

export function readFrame(bytes: Buffer): Frame {
  const found = DETECTION.exec(bytes.subarray(-LONGEST_DETECTION).toString('latin1'));
  if (!found) return { message: bytes, detection: 'none' };
  const [whole, sequence, sum = ''] = found;
  const isRight = checksum(bytes.subarray(0, -sum.length)) === sum.toUpperCase();
  return {
    message: bytes.subarray(0, bytes.length - whole.length),
    ...(sequence !== undefined && { sequence }),
    detection: isRight ? 'right' : 'wrong',
  };
}

/** As the device asked: with its sequence number and a checksum, where it sent some. */
export function writeFrame(
  message: string,
  { sequence, detection }: Omit<Frame, 'message'>,
  encoding: Encoding,
): Buffer {
  if (detection === 'none') return Buffer.concat([encode(message, encoding), Buffer.of(CR)]);
  const named = sequence === undefined ? 'AZ' : `AY${sequence}AZ`;
  const summed = encode(message + named, encoding);
  return Buffer.concat([summed, Buffer.from(`${checksum(summed)}\r`, 'latin1')]);
}

/** What has to be added to the sum of all bytes to make it nothing, in sixteen bits. */
export function checksum(bytes: Uint8Array): string {
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  return (-sum & 0xffff).toString(16).toUpperCase().padStart(4, '0');
}

/** Signs that nothing prints are blanks: the database would take some of them for mistakes. */
export function decode(bytes: Buffer, encoding: Encoding): string {
  return iconv.decode(bytes, encoding, { stripBOM: false }).replace(/\p{Cc}/gu, ' ');
}

/** A letter that the encoding does not have is written without its accent. */
export function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === 'UTF-8') return Buffer.from(text);
  const letters = Array.from(text, (letter) => (isIn(letter, encoding) ? letter : withoutAccent(letter)));
  return iconv.encode(letters.join(''), encoding);
}

const isIn = (letter: string, encoding: Encoding) =>
  letter <= '\x7f' || iconv.decode(iconv.encode(letter, encoding), encoding) === letter;

const PLAIN: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  '’': "'",
  '„': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
};

const withoutAccent = (letter: string) => PLAIN[letter] ?? letter.normalize('NFKD').replace(/\p{M}/gu, '');
