const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/**
 * Reads the fields of one protobuf message in place, without copying.
 * Call `next` for each field, then the method that fits it, or `skip`.
 * @throws RangeError from every method when the message is cut off or is no protobuf
 */
export class MessageReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;
  #wireType = VARINT;
  /** The number of the field that `next` came to. */
  field = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#at = 0;
    this.#end = bytes.length;
  }

  /** Goes to the next field. @returns false at the end of the message */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const tag = Number(this.unsigned());
    this.field = tag >>> 3;
    this.#wireType = tag & 7;
    return true;
  }

  /** An unsigned number of up to 64 bits. */
  unsigned(): bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new RangeError('A number in the message is too long');
  }

  boolean(): boolean {
    return this.unsigned() !== 0n;
  }

  /** The bytes of the field. They share the memory of the message. */
  bytes(): Buffer {
    const length = Number(this.unsigned());
    const from = this.#at;
    if (this.#wireType !== BYTES || length > this.#end - from) throw cutOff();
    this.#at = from + length;
    return this.#bytes.subarray(from, this.#at);
  }

  string(): string {
    return this.bytes().toString('utf8');
  }

  message(): MessageReader {
    return new MessageReader(this.bytes());
  }

  skip(): void {
    if (this.#wireType === VARINT) this.unsigned();
    else if (this.#wireType === BYTES) this.bytes();
    else if (this.#wireType === FIXED64) this.#at += 8;
    else if (this.#wireType === FIXED32) this.#at += 4;
    else throw new RangeError('The message is no protobuf');
    if (this.#at > this.#end) throw cutOff();
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw cutOff();
    this.#at += 1;
    return byte;
  }
}

function cutOff(): RangeError {
  return new RangeError('The message is cut off');
}
