import type { RecordedEvent } from './recorded-event.js';

/** What is copied of an event, in this order. */
export const COPIED_COLUMNS =
  'position, stream, revision, created, event_id, type, content_type, data, metadata';
const COLUMNS = 9;

/** Before the rows: the format's signature, its flags and the length of what else there is. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const HEADER_BYTES = SIGNATURE.length + 8;
/** In the place of a row's number of columns. */
const END = -1;
/** PostgreSQL counts microseconds from 2000 on. */
const YEAR_2000 = Date.UTC(2000, 0, 1);

/**
 * Decodes rows in PostgreSQL's binary form. Data and metadata share the memory of the rows.
 * @throws an Error when they are something else
 */
export function copiedEvents(rows: Buffer): RecordedEvent[] {
  if (!rows.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw notAsExpected();
  const reader = new TupleReader(rows, HEADER_BYTES + rows.readInt32BE(HEADER_BYTES - 4));
  const events: RecordedEvent[] = [];
  while (reader.next(COLUMNS)) {
    events.push({
      position: reader.bigint(),
      stream: reader.text(),
      revision: reader.bigint(),
      created: YEAR_2000 + Math.round(Number(reader.bigint()) / 1000),
      id: reader.uuid(),
      type: reader.text(),
      contentType: reader.text(),
      data: reader.bytes(),
      metadata: reader.bytes(),
    });
  }
  return events;
}

/** Reads the columns of one row after the other. */
class TupleReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  /** Goes to the next row. @returns false at the end */
  next(columns: number): boolean {
    const count = this.#bytes.readInt16BE(this.#at);
    this.#at += 2;
    if (count !== END && count !== columns) throw notAsExpected();
    return count !== END;
  }

  bigint(): bigint {
    return this.#bytes.readBigInt64BE(this.#column(8));
  }

  uuid(): string {
    const at = this.#column(16);
    const hex = this.#bytes.toString('hex', at, at + 16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  text(): string {
    const at = this.#column();
    return this.#bytes.toString('utf8', at, this.#at);
  }

  bytes(): Buffer {
    const at = this.#column();
    return this.#bytes.subarray(at, this.#at);
  }

  /** Goes behind the next column. @returns where it begins */
  #column(length?: number): number {
    const size = this.#bytes.readInt32BE(this.#at);
    const at = this.#at + 4;
    this.#at = at + size;
    if (size < 0 || (length !== undefined && size !== length) || this.#at > this.#bytes.length) {
      throw notAsExpected();
    }
    return at;
  }
}

function notAsExpected(): Error {
  return new Error('The rows of the event table are not as expected.');
}
