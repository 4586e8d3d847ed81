import type { RecordedEvent } from '../storage/recorded-event.js';

const VARINT = 0;
const BYTES = 2;
/** A UUID as text. */
const ID_BYTES = 36;
const TYPE = 'type';
const CONTENT_TYPE = 'content-type';
const CREATED = 'created';

/**
 * An event as an answer of `Read`, encoded (`ReadResp`). By hand and into memory of just the right size: an event sent is
 * most of what the store does for readers and subscribers.
 */
export function eventAnswer(event: RecordedEvent): Buffer {
  return answer(event, { event });
}

/** A link with the event that it points to, or without one. It has the link's own place in the log. */
export function resolvedAnswer(link: RecordedEvent, event: RecordedEvent | undefined): Buffer {
  return answer(link, { event, link });
}

function answer(
  { position }: RecordedEvent,
  { event, link }: { event: RecordedEvent | undefined; link?: RecordedEvent },
): Buffer {
  const eventSize = event && sizeOf(event);
  const linkSize = link && sizeOf(link);
  const size =
    (eventSize ? fieldSize(eventSize.whole) : 0) +
    (linkSize ? fieldSize(linkSize.whole) : 0) +
    numberSize(position);
  const fields = new Fields(fieldSize(size));
  fields.open(1, size);
  if (event && eventSize) write(fields, 1, event, eventSize);
  if (link && linkSize) write(fields, 2, link, linkSize);
  fields.number(3, position);
  return fields.bytes;
}

/** Sizes in bytes: of an encoded event, and of its texts. */
interface Sizes {
  whole: number;
  stream: number;
  type: number;
  contentType: number;
  created: string;
}

function sizeOf({ stream, type, contentType, ...event }: RecordedEvent): Sizes {
  const sizes = {
    whole: 0,
    stream: Buffer.byteLength(stream),
    type: Buffer.byteLength(type),
    contentType: Buffer.byteLength(contentType),
    // In units of 100 ns.
    created: `${event.created}0000`,
  };
  sizes.whole =
    fieldSize(fieldSize(ID_BYTES)) +
    fieldSize(fieldSize(sizes.stream)) +
    numberSize(event.revision) +
    2 * numberSize(event.position) +
    fieldSize(entrySize(TYPE, sizes.type)) +
    fieldSize(entrySize(CONTENT_TYPE, sizes.contentType)) +
    fieldSize(entrySize(CREATED, sizes.created.length)) +
    fieldSize(event.metadata.length) +
    fieldSize(event.data.length);
  return sizes;
}

function write(fields: Fields, number: number, event: RecordedEvent, sizes: Sizes): void {
  fields.open(number, sizes.whole);
  fields.open(1, fieldSize(ID_BYTES));
  fields.text(2, event.id, ID_BYTES);
  fields.open(2, fieldSize(sizes.stream));
  fields.text(3, event.stream, sizes.stream);
  fields.number(3, event.revision);
  fields.number(4, event.position);
  fields.number(5, event.position);
  fields.entry(6, TYPE, event.type, sizes.type);
  fields.entry(6, CONTENT_TYPE, event.contentType, sizes.contentType);
  fields.entry(6, CREATED, sizes.created, sizes.created.length);
  fields.blob(7, event.metadata);
  fields.blob(8, event.data);
}

/** Of a field with a length before it. All fields here have numbers of one byte. */
function fieldSize(length: number): number {
  return 1 + varintSize(length) + length;
}

function entrySize(key: string, length: number): number {
  return fieldSize(key.length) + fieldSize(length);
}

function numberSize(value: bigint): number {
  return 1 + (value <= MOST ? varintSize(Number(value)) : Math.ceil(value.toString(2).length / 7));
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
  return size;
}

const MOST = BigInt(Number.MAX_SAFE_INTEGER);

/** Writes the fields of a message whose size is known. */
class Fields {
  readonly bytes: Buffer;
  #at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  /** What follows up to the length is the field's value. */
  open(field: number, length: number): void {
    this.bytes[this.#at++] = (field << 3) | BYTES;
    this.#varint(length);
  }

  number(field: number, value: bigint): void {
    this.bytes[this.#at++] = (field << 3) | VARINT;
    if (value <= MOST) return this.#varint(Number(value));
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) this.bytes[this.#at++] = Number(rest & 0x7fn) | 0x80;
    this.bytes[this.#at++] = Number(rest);
  }

  text(field: number, value: string, length: number): void {
    this.open(field, length);
    this.#at += this.bytes.write(value, this.#at, length);
  }

  entry(field: number, key: string, value: string, length: number): void {
    this.open(field, entrySize(key, length));
    this.text(1, key, key.length);
    this.text(2, value, length);
  }

  blob(field: number, value: Buffer): void {
    this.open(field, value.length);
    this.#at += value.copy(this.bytes, this.#at);
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.bytes[this.#at++] = (rest % 0x80) | 0x80;
    this.bytes[this.#at++] = rest;
  }
}
