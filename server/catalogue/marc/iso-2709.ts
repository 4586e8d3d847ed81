import { isUtf8 } from 'node:buffer';
import { decodeMarc8, encodeMarc8, UnknownCharacter } from './marc-8.js';
import {
  isControl,
  isControlTag,
  isUnicode,
  MarcDamaged,
  type DataField,
  type MarcField,
  type MarcRecord,
} from './record.js';

const RECORD_END = 0x1d;
const FIELD_END = 0x1e;
const DELIMITER = 0x1f;
const LEADER = 24;
const ENTRY = 12;
/** What the five digits of the length have room for, and the four of a field. */
const LONGEST_RECORD = 99_999;
const LONGEST_FIELD = 9_999;
/** Between two records: line ends, blanks, the ends of files that were put together. */
const BETWEEN = [0x0a, 0x0d, 0x20, 0x00, 0x1a];

/** The bytes of a record with its terminator, or why there is no whole one. */
export type SplitRecord = { bytes: Buffer } | { damaged: MarcDamaged };

/** Takes a file apart at the terminators of its records, in memory for one record. What is damaged ends at the next of them. */
export async function* splitIso2709(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SplitRecord> {
  let pieces: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer) => {
    length += piece.length;
    if (length <= LONGEST_RECORD) pieces.push(piece);
    else pieces = [];
  };
  const whole = (): SplitRecord[] => {
    const records: SplitRecord[] =
      length > LONGEST_RECORD
        ? [{ damaged: new MarcDamaged('too-long', String(LONGEST_RECORD)) }]
        : apart(withoutBetween(Buffer.concat(pieces)));
    pieces = [];
    length = 0;
    return records;
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let end = bytes.indexOf(RECORD_END); end >= 0; end = bytes.indexOf(RECORD_END, from)) {
      take(bytes.subarray(from, end + 1));
      from = end + 1;
      yield* whole();
    }
    if (from < bytes.length) take(bytes.subarray(from));
  }
  if (length > LONGEST_RECORD || withoutBetween(Buffer.concat(pieces)).length > 0)
    yield { damaged: new MarcDamaged('truncated') };
}

/** Where a terminator is lost, the record behind it is found by a leader that says how long the rest is. */
function apart(bytes: Buffer): SplitRecord[] {
  if (numberIn(bytes.toString('latin1', 0, 5), 0, 5) === bytes.length) return [{ bytes }];
  const leaders = bytes.toString('latin1').matchAll(/(?=(\d{5})[ -~]{5}22\d{5}[ -~]{3}45)/g);
  const behind = [...leaders].find(
    ({ index, 1: length }) => index > 0 && Number(length) === bytes.length - index,
  );
  return behind
    ? [{ damaged: new MarcDamaged('truncated') }, { bytes: bytes.subarray(behind.index) }]
    : [{ bytes }];
}

function withoutBetween(bytes: Buffer): Buffer {
  let from = 0;
  while (BETWEEN.includes(bytes[from] ?? -1)) from += 1;
  return bytes.subarray(from);
}

/**
 * Reads one record.
 * @param bytes with its terminator
 * @throws MarcDamaged
 */
export function parseIso2709(bytes: Buffer): MarcRecord {
  const leader = bytes.toString('latin1', 0, LEADER);
  const length = numberIn(leader, 0, 5);
  const base = numberIn(leader, 12, 17);
  if (leader.length < LEADER || !/^[\x20-\x7e]+$/.test(leader) || length === undefined || base === undefined)
    throw new MarcDamaged('leader');
  if (leader.slice(10, 12) !== '22' || !leader.startsWith('45', 20)) throw new MarcDamaged('leader');
  if (length !== bytes.length) throw new MarcDamaged('length', `${length} / ${bytes.length}`);
  const directory = bytes.toString('latin1', LEADER, base - 1);
  if (base <= LEADER || base >= length || bytes[base - 1] !== FIELD_END || directory.length % ENTRY !== 0)
    throw new MarcDamaged('directory');
  const read = isUnicode({ leader, fields: [] }) ? decodeUtf8 : decodeMarc8;
  const fields: MarcField[] = [];
  for (let at = 0; at < directory.length; at += ENTRY) {
    const tag = directory.slice(at, at + 3);
    const size = numberIn(directory, at + 3, at + 7);
    const start = numberIn(directory, at + 7, at + ENTRY);
    if (!/^[0-9A-Za-z]{3}$/.test(tag) || size === undefined || start === undefined || size === 0)
      throw new MarcDamaged('directory', tag);
    const end = base + start + size - 1;
    const field = bytes.subarray(base + start, end);
    if (end >= length - 1 || bytes[end] !== FIELD_END || field.includes(FIELD_END))
      throw new MarcDamaged('field', tag);
    fields.push(readField(tag, field, read));
  }
  return { leader, fields };
}

function numberIn(text: string, from: number, to: number): number | undefined {
  const digits = text.slice(from, to);
  return digits.length === to - from && /^\d+$/.test(digits) ? Number(digits) : undefined;
}

function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new UnknownCharacter();
  return bytes.toString('utf8');
}

function readField(tag: string, bytes: Buffer, read: (bytes: Buffer) => string): MarcField {
  try {
    if (isControlTag(tag)) return { tag, value: read(bytes), bytes };
    const indicators = bytes.toString('latin1', 0, 2);
    const isWhole = bytes.length === 2 || bytes[2] === DELIMITER;
    if (!/^[\x20-\x7e]{2}$/.test(indicators) || !isWhole) throw new MarcDamaged('field', tag);
    const subfields: [string, string][] = [];
    for (let from = 3; from <= bytes.length;) {
      const next = bytes.indexOf(DELIMITER, from);
      const end = next < 0 ? bytes.length : next;
      const code = String.fromCharCode(bytes[from] ?? 0);
      if (from === end || !/^[\x21-\x7e]$/.test(code)) throw new MarcDamaged('field', tag);
      subfields.push([code, read(bytes.subarray(from + 1, end))]);
      from = end + 1;
    }
    return { tag, indicators, subfields, bytes };
  } catch (error) {
    if (error instanceof UnknownCharacter) throw new MarcDamaged('characters', tag);
    throw error;
  }
}

/**
 * Writes a record in the coding that its leader names. Fields that nobody changed are the bytes that they came as.
 * @throws MarcDamaged `too-long` or `field`: ISO 2709 has no room for it
 */
export function writeIso2709(record: MarcRecord): Buffer {
  const write = isUnicode(record) ? (text: string) => Buffer.from(text, 'utf8') : encodeMarc8;
  let directory = '';
  let start = 0;
  const pieces = record.fields.map((field) => {
    const bytes = Buffer.concat([field.bytes ?? bytesOf(field, write), Buffer.of(FIELD_END)]);
    if (bytes.length > LONGEST_FIELD) throw new MarcDamaged('too-long', field.tag);
    directory += field.tag + digits(bytes.length, 4) + digits(start, 5);
    start += bytes.length;
    return bytes;
  });
  const base = LEADER + directory.length + 1;
  const length = base + start + 1;
  if (length > LONGEST_RECORD) throw new MarcDamaged('too-long', String(LONGEST_RECORD));
  const { leader } = record;
  const head = `${digits(length, 5)}${leader.slice(5, 10)}22${digits(base, 5)}${leader.slice(17, 20)}4500`;
  return Buffer.concat([Buffer.from(`${head}${directory}\x1e`, 'latin1'), ...pieces, Buffer.of(RECORD_END)]);
}

const digits = (number: number, places: number) => String(number).padStart(places, '0');

function bytesOf(field: MarcField, write: (text: string) => Buffer): Buffer {
  if (isControl(field)) return write(unstructured(field.value, field.tag));
  const { indicators, subfields, tag }: DataField = field;
  const parts = subfields.map(([code, value]) =>
    Buffer.concat([Buffer.from(`\x1f${code}`, 'latin1'), write(unstructured(value, tag))]),
  );
  return Buffer.concat([Buffer.from(indicators, 'latin1'), ...parts]);
}

const STRUCTURE = ['\x1b', '\x1d', '\x1e', '\x1f'];

/** What ends a field cannot be in it, nor what begins an escape sequence. */
function unstructured(text: string, tag: string): string {
  if (STRUCTURE.some((character) => text.includes(character))) throw new MarcDamaged('field', tag);
  return text;
}
