import protobuf from 'protobufjs/minimal.js';

const VARINT = 0;
const BYTES = 2;

/**
 * The fields of one protobuf message. Call `next` for each, then the method that fits its type, or `skip`.
 * @throws an Error from every method when the message is cut off or is not protobuf
 */
export class MessageReader {
  /** The number of the current field. */
  field = 0;
  #wireType = VARINT;
  readonly #reader: protobuf.Reader;
  readonly #end: number;

  constructor(bytes: Buffer | protobuf.Reader, length?: number) {
    this.#reader = bytes instanceof protobuf.Reader ? bytes : protobuf.Reader.create(bytes);
    this.#end = length === undefined ? this.#reader.len : this.#reader.pos + length;
    if (this.#end > this.#reader.len) throw new RangeError('The message is cut off');
  }

  /** Goes to the next field. @returns false at the end of the message */
  next(): boolean {
    if (this.#reader.pos >= this.#end) return false;
    const tag = this.#reader.uint32();
    this.field = tag >>> 3;
    this.#wireType = tag & 7;
    return true;
  }

  /** An unsigned number of up to 64 bits. */
  unsigned(): bigint {
    const { high, low } = this.#reader.uint64();
    return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  }

  boolean(): boolean {
    return this.#reader.bool();
  }

  /** The bytes of the field. They share the memory of the message. */
  bytes(): Buffer {
    return this.#reader.bytes() as Buffer;
  }

  string(): string {
    return this.#reader.string();
  }

  message(): MessageReader {
    return new MessageReader(this.#reader, this.#reader.uint32());
  }

  skip(): void {
    this.#reader.skipType(this.#wireType);
  }
}

/** Writes one protobuf message after the other. */
export class MessageWriter {
  readonly #writer = protobuf.Writer.create();

  unsigned(field: number, value: bigint): void {
    this.#writer.uint32((field << 3) | VARINT);
    if (value <= 0xffffffffn) this.#writer.uint32(Number(value));
    else this.#writer.uint64(value.toString());
  }

  bytes(field: number, value: Uint8Array): void {
    this.#writer.uint32((field << 3) | BYTES).bytes(value);
  }

  string(field: number, value: string): void {
    this.#writer.uint32((field << 3) | BYTES).string(value);
  }

  /** @param write writes the fields of the nested message */
  message(field: number, write: () => void): void {
    this.#writer.uint32((field << 3) | BYTES).fork();
    write();
    this.#writer.ldelim();
  }

  /** The message. The writer is then empty. */
  finish(): Buffer {
    const message = this.#writer.finish() as Buffer;
    this.#writer.reset();
    return message;
  }
}
