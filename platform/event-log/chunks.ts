/**
 * Asks a store of ours, with a call, to send answers that leave together as one message, a piece; of a subscription, with
 * the milliseconds that it may keep what is new. Any other store passes it over, and nothing changes.
 */
export const CHUNKS_HEADER = 'lectern-chunks';

/** Field 2000 of a message that has no fields of its own but these: far from any that the protocol has. */
const TAG = [0x82, 0x7d] as const;
/** More than this is not put into one message. */
const LARGEST_PIECE = 1024 * 1024;

/** Messages that leave together: as one, where the other side knows how to take it apart, else one after the other. */
export function toChunk(messages: readonly Buffer[], inPieces: boolean): Buffer | Frames | Chunk {
  const [first] = messages;
  if (first && messages.length === 1) return first;
  if (!inPieces) return new Frames(messages);
  const piece = new Chunk(messages);
  return piece.length > LARGEST_PIECE ? new Frames(messages) : piece;
}

/**
 * Several messages in one. Each message of its own passes through a dozen layers of gRPC on either side, with several
 * promises and a pause of its stream. As a `Buffer` is, gRPC asks it for its length and a copy.
 */
export class Chunk {
  readonly byteLength: number;
  readonly #messages: readonly Buffer[];

  constructor(messages: readonly Buffer[]) {
    this.#messages = messages;
    this.byteLength = messages.reduce(
      (bytes, { length }) => bytes + TAG.length + varintSize(length) + length,
      0,
    );
  }

  get length(): number {
    return this.byteLength;
  }

  copy(target: Buffer, start = 0): number {
    let at = start;
    for (const message of this.#messages) {
      target[at++] = TAG[0];
      target[at++] = TAG[1];
      let rest = message.length;
      for (; rest >= 0x80; rest >>>= 7) target[at++] = (rest & 0x7f) | 0x80;
      target[at++] = rest;
      at += message.copy(target, at);
    }
    return at - start;
  }
}

/**
 * The messages of a piece; nothing for any other message.
 * @throws RangeError when it is cut off, or has anything else in it
 */
export function messagesOfChunk(bytes: Buffer): Buffer[] | undefined {
  if (!isTagAt(bytes, 0)) return undefined;
  const messages: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    if (!isTagAt(bytes, at)) throw new RangeError('A piece has something else than messages in it.');
    at += TAG.length;
    let length = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('A piece is cut off.');
      length += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
    }
    if (at + length > bytes.length) throw new RangeError('A piece is cut off.');
    messages.push(bytes.subarray(at, at + length));
    at += length;
  }
  return messages;
}

function isTagAt(bytes: Buffer, at: number): boolean {
  return bytes[at] === TAG[0] && bytes[at + 1] === TAG[1];
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest >>>= 7) size += 1;
  return size;
}

/** What gRPC puts before each message: whether it is compressed, and its length. */
const HEADER_BYTES = 5;

/**
 * Several messages of a call that leave as one: each of them on its own would pass through all layers of gRPC, and be a
 * write to its connection. gRPC takes them for one message. It copies that behind a header, and these bytes, each message
 * with a header of its own, over both. The other side sees single messages.
 */
export class Frames {
  /** Of what gRPC takes for the message. */
  readonly byteLength: number;

  constructor(readonly messages: readonly Buffer[]) {
    this.byteLength = messages.reduce((bytes, { length }) => bytes + HEADER_BYTES + length, -HEADER_BYTES);
  }

  get length(): number {
    return this.byteLength;
  }

  /** As that of a buffer, as gRPC calls it: with the place after its own header. */
  copy(target: Buffer): number {
    let at = 0;
    for (const message of this.messages) {
      target[at] = 0;
      target.writeUInt32BE(message.length, at + 1);
      message.copy(target, at + HEADER_BYTES);
      at += HEADER_BYTES + message.length;
    }
    return at;
  }
}
