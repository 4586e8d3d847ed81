import { parseIso2709, splitIso2709, writeIso2709 } from './iso-2709.js';
import { parseMarcXml, splitMarcXml, writeMarcXml } from './marc-xml.js';
import { MarcDamaged, type MarcForm, type MarcRecord } from './record.js';

/** A record as it came: it is read again from these bytes. */
export interface KeptRecord {
  form: MarcForm;
  bytes: Buffer;
}

/** One record of a file, or why it cannot be read; `place` counts from 1. */
export type ReadRecord = { place: number } & (
  | { record: MarcRecord; kept: KeptRecord }
  | { damaged: MarcDamaged }
);

/** How long the beginning of a file is by which its form is known. */
export const BEGINNING = 512;

/**
 * What a file is, by how it begins: a length of five digits, or the element of MARCXML.
 * @returns undefined for what is neither, such as CSV
 */
export function marcFormOf(beginning: Uint8Array): MarcForm | undefined {
  const text = Buffer.from(beginning).toString('latin1', 0, BEGINNING);
  if (/^[\s\0]*\d{5}[ a-z]{2,3}.{2}[ a]22\d{5}/.test(text)) return 'iso2709';
  return /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!--|(?:[\w.-]+:)?(?:collection|record)[\s>])/.test(text)
    ? 'marcxml'
    : undefined;
}

/**
 * Reads a file record by record, in memory that does not depend on its size. A damaged record costs itself and no other.
 * @throws the errors of the stream
 */
export async function* readMarc(
  form: MarcForm,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ReadRecord> {
  let place = 0;
  const pieces = form === 'iso2709' ? splitIso2709(chunks) : splitMarcXml(decoded(chunks));
  for await (const piece of pieces) {
    place += 1;
    yield { place, ...readPiece(piece) };
  }
}

function readPiece(
  piece: { bytes: Buffer } | { xml: string } | { damaged: MarcDamaged },
): { record: MarcRecord; kept: KeptRecord } | { damaged: MarcDamaged } {
  if ('damaged' in piece) return piece;
  try {
    const form = 'xml' in piece ? 'marcxml' : 'iso2709';
    const bytes = 'xml' in piece ? Buffer.from(piece.xml) : piece.bytes;
    return { record: readKept({ form, bytes }), kept: { form, bytes } };
  } catch (error) {
    if (error instanceof MarcDamaged) return { damaged: error };
    throw error;
  }
}

/** @throws MarcDamaged */
export function readKept({ form, bytes }: KeptRecord): MarcRecord {
  return form === 'iso2709' ? parseIso2709(bytes) : parseMarcXml(bytes.toString('utf8'));
}

/** @throws MarcDamaged where the form has no room for it */
export const writeRecord = (record: MarcRecord, form: MarcForm): Buffer =>
  form === 'iso2709' ? writeIso2709(record) : Buffer.from(writeMarcXml(record));

/** XML says its encoding itself, where it is not UTF-8. */
async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder?.decode() ?? '';
}

function encodingOf(beginning: Uint8Array): string {
  const text = Buffer.from(beginning).toString('latin1', 0, BEGINNING);
  const named = /^[^<]*<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(text)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return 'utf-8';
  }
}
