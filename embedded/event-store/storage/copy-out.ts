import type pg from 'pg';
import type { RecordedEvent } from './recorded-event.js';

const FIRST_BYTES = 64 * 1024;

/** The parts of the driver's connection that a `COPY` needs. */
interface Connection {
  query(text: string): void;
}

/**
 * Runs a query and gives its rows in PostgreSQL's binary form, in one piece. The driver reads the columns of all other
 * answers as texts, bytes as hexadecimal digits; only what is copied comes as it is.
 * @param select without parameters: `COPY` takes none
 */
export async function copyOut(pool: pg.Pool, select: string): Promise<Buffer> {
  const client = await pool.connect();
  // The pool listens to idle connections only; the copy itself is told of a lost one.
  const lost = () => undefined;
  client.on('error', lost);
  let failure: Error | undefined;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      client.query(new Copy(select, resolve, reject));
    });
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.off('error', lost);
    client.release(failure);
  }
}

/** A statement as the driver runs it. */
class Copy {
  readonly #select: string;
  readonly #resolve: (rows: Buffer) => void;
  readonly #reject: (error: Error) => void;
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  constructor(select: string, resolve: (rows: Buffer) => void, reject: (error: Error) => void) {
    this.#select = select;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: Connection): void {
    connection.query(`copy (${this.#select}) to stdout (format binary)`);
  }

  /** Called for each row. The driver uses the memory of the chunk again. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const more = Buffer.allocUnsafeSlow(Math.max(length, this.#bytes.length * 2));
      this.#bytes.copy(more, 0, 0, this.#length);
      this.#bytes = more;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  handleCommandComplete(): void {
    // The connection is ready a moment later.
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#bytes.subarray(0, this.#length));
  }

  handleError(error: Error): void {
    this.#reject(error);
  }
}

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
