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
  readonly #messages: readonly Buffer[];

  constructor(messages: readonly Buffer[]) {
    this.#messages = messages;
    this.byteLength = messages.reduce((bytes, { length }) => bytes + HEADER_BYTES + length, -HEADER_BYTES);
  }

  get length(): number {
    return this.byteLength;
  }

  /** As that of a buffer, as gRPC calls it: with the place after its own header. */
  copy(target: Buffer): number {
    let at = 0;
    for (const message of this.#messages) {
      target[at] = 0;
      target.writeUInt32BE(message.length, at + 1);
      message.copy(target, at + HEADER_BYTES);
      at += HEADER_BYTES + message.length;
    }
    return at;
  }
}
