/** Element types, by PostgreSQL's own numbers. */
const BYTEA = 17;
const BIGINT = 20;
const TEXT = 25;
const UUID = 2950;

const HEADER = 20;

/**
 * One-dimensional arrays in PostgreSQL's binary form, as parameters of a statement. The driver would write
 * them as text, bytes as hexadecimal digits: twice the size and the greater part of the work of an insert.
 */
export function byteaArray(values: readonly Buffer[]): Buffer {
  return array(
    BYTEA,
    values,
    (value) => value.length,
    (value, into, at) => value.copy(into, at),
  );
}

export function textArray(values: readonly string[]): Buffer {
  return array(
    TEXT,
    values,
    (value) => Buffer.byteLength(value),
    (value, into, at) => into.write(value, at),
  );
}

export function bigintArray(values: readonly bigint[]): Buffer {
  return array(
    BIGINT,
    values,
    () => 8,
    (value, into, at) => into.writeBigInt64BE(value, at),
  );
}

/** @param values UUIDs with their dashes */
export function uuidArray(values: readonly string[]): Buffer {
  return array(
    UUID,
    values,
    () => 16,
    (value, into, at) => into.write(value.replaceAll('-', ''), at, 'hex'),
  );
}

function array<T>(
  type: number,
  values: readonly T[],
  sizeOf: (value: T) => number,
  write: (value: T, into: Buffer, at: number) => void,
): Buffer {
  let size = HEADER;
  for (const value of values) size += 4 + sizeOf(value);
  const bytes = Buffer.allocUnsafe(size);
  bytes.writeInt32BE(1, 0); // dimensions
  bytes.writeInt32BE(0, 4); // no nulls
  bytes.writeInt32BE(type, 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16); // index of the first element
  let at = HEADER;
  for (const value of values) {
    const length = sizeOf(value);
    bytes.writeInt32BE(length, at);
    write(value, bytes, at + 4);
    at += 4 + length;
  }
  return bytes;
}
