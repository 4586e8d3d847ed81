import type pg from 'pg';

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
