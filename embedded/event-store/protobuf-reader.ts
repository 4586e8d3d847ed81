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

  /** The message is the part of `bytes` from `at` to `end`. */
  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
  }

  /** Goes to the next field. @returns false at the end of the message */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const tag = this.#small();
    this.field = tag >>> 3;
    this.#wireType = tag & 7;
    return true;
  }

  /** An unsigned number of up to 64 bits. */
  unsigned(): bigint {
    const first = this.#byte();
    if (first < 0x80) return BigInt(first);
    let value = BigInt(first & 0x7f);
    for (let shift = 7n; shift < 70n; shift += 7n) {
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
    const from = this.#pass();
    return this.#bytes.subarray(from, this.#at);
  }

  string(): string {
    const from = this.#pass();
    return this.#bytes.toString('utf8', from, this.#at);
  }

  message(): MessageReader {
    const from = this.#pass();
    return new MessageReader(this.#bytes, from, this.#at);
  }

  skip(): void {
    if (this.#wireType === VARINT) this.unsigned();
    else if (this.#wireType === BYTES) this.#pass();
    else if (this.#wireType === FIXED64) this.#at += 8;
    else if (this.#wireType === FIXED32) this.#at += 4;
    else throw new RangeError('The message is no protobuf');
    if (this.#at > this.#end) throw cutOff();
  }

  /** Goes past the bytes of the field. @returns where they begin */
  #pass(): number {
    if (this.#wireType !== BYTES) throw new RangeError('The message has a field of another kind');
    const length = this.#small();
    const from = this.#at;
    if (length > this.#end - from) throw cutOff();
    this.#at = from + length;
    return from;
  }

  /** A tag or a length: less than 2 ** 31. */
  #small(): number {
    let value = this.#byte();
    if (value < 0x80) return value;
    value &= 0x7f;
    for (let shift = 7; shift < 35; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('A number in the message is too long');
  }

  #byte(): number {
    if (this.#at >= this.#end) throw cutOff();
    const byte = this.#bytes[this.#at] ?? 0;
    this.#at += 1;
    return byte;
  }
}

function cutOff(): RangeError {
  return new RangeError('The message is cut off');
}
