const VARINT = 0;
const BYTES = 2;
const FIRST_SIZE = 4096;
// A longer scratch than this is given back, so that one large event does not stay in memory.
const KEPT_SIZE = 256 * 1024;

/**
 * Writes protobuf messages. It writes from the end to the beginning, so that the length of a nested message
 * is known when it has to be written; a decoder does not mind the order of fields.
 */
export class MessageWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #at = FIRST_SIZE;

  unsigned(field: number, value: bigint): void {
    this.#varint(value);
    this.#tag(field, VARINT);
  }

  bytes(field: number, value: Uint8Array): void {
    this.#room(value.length);
    this.#at -= value.length;
    this.#bytes.set(value, this.#at);
    this.#lengthAndTag(field, value.length);
  }

  string(field: number, value: string): void {
    const length = Buffer.byteLength(value);
    this.#room(length);
    this.#at -= length;
    this.#bytes.write(value, this.#at);
    this.#lengthAndTag(field, length);
  }

  /** @param write writes the fields of the nested message */
  message(field: number, write: () => void): void {
    const end = this.#bytes.length - this.#at;
    write();
    this.#lengthAndTag(field, this.#bytes.length - this.#at - end);
  }

  /** The message, in memory of its own. The writer is then empty. */
  finish(): Buffer {
    const message = Buffer.from(this.#bytes.subarray(this.#at));
    if (this.#bytes.length > KEPT_SIZE) this.#bytes = Buffer.allocUnsafeSlow(FIRST_SIZE);
    this.#at = this.#bytes.length;
    return message;
  }

  #lengthAndTag(field: number, length: number): void {
    this.#small(length);
    this.#tag(field, BYTES);
  }

  #tag(field: number, wireType: number): void {
    this.#small((field << 3) | wireType);
  }

  #varint(value: bigint): void {
    if (value <= 0x7fffffffn) return this.#small(Number(value));
    const rest: number[] = [];
    for (let left = value; left > 0n; left >>= 7n) rest.push(Number(left & 0x7fn));
    this.#room(rest.length);
    this.#at -= rest.length;
    for (const [index, bits] of rest.entries()) {
      this.#bytes[this.#at + index] = index === rest.length - 1 ? bits : bits | 0x80;
    }
  }

  /** @param value of at most 31 bits */
  #small(value: number): void {
    this.#room(5);
    let length = 1;
    for (let left = value >>> 7; left > 0; left >>>= 7) length += 1;
    this.#at -= length;
    let left = value;
    for (let index = 0; index < length; index += 1) {
      this.#bytes[this.#at + index] = index === length - 1 ? left : (left & 0x7f) | 0x80;
      left >>>= 7;
    }
  }

  #room(wanted: number): void {
    if (this.#at >= wanted) return;
    const used = this.#bytes.length - this.#at;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, used + wanted));
    this.#bytes.copy(larger, larger.length - used, this.#at);
    this.#at = larger.length - used;
    this.#bytes = larger;
  }
}
