import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** Tables that WOFF2 names by a number; only those needed to find `cmap`. */
const CMAP = 0;
const GLYF = 10;
const LOCA = 11;
const NAMED_IN_FULL = 63;
const HEADER = 48;

/**
 * The characters that a font (a WOFF2 file) has glyphs for. The ranges in style sheets promise more: they divide a
 * script by how often its characters are used, whether the font has them or not.
 * @throws an Error if the file is no such font
 */
export function fontCharacters(path: string): Set<number> {
  const file = readFileSync(path);
  if (file.toString('latin1', 0, 4) !== 'wOF2') throw new Error(`${path} is no WOFF2 font.`);
  const tables = file.readUInt16BE(12);
  let at = HEADER;
  const readNumber = () => {
    let value = 0;
    for (;;) {
      const byte = file.readUInt8(at);
      at += 1;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  let offset = 0;
  let cmap: { offset: number; length: number } | undefined;
  for (let table = 0; table < tables; table += 1) {
    const flags = file.readUInt8(at);
    const tag = flags & 63;
    at += tag === NAMED_IN_FULL ? 5 : 1;
    const original = readNumber();
    // For these two, zero is a transformation; for all others it means none.
    const transformed = tag === GLYF || tag === LOCA ? flags >> 6 !== 3 : flags >> 6 !== 0;
    const length = transformed ? readNumber() : original;
    if (tag === CMAP) cmap = { offset, length };
    offset += length;
  }
  if (!cmap) throw new Error(`${path} says of no character that it has it.`);
  const data = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)));
  return charactersOf(data.subarray(cmap.offset, cmap.offset + cmap.length));
}

/** From the table `cmap` of OpenType: its formats for the basic plane (4) and for all of Unicode (12). */
function charactersOf(cmap: Buffer): Set<number> {
  const characters = new Set<number>();
  for (let record = 0; record < cmap.readUInt16BE(2); record += 1) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + record * 8 + 4));
    const format = table.readUInt16BE(0);
    if (format === 4) readSegments(table, characters);
    else if (format === 12) readGroups(table, characters);
  }
  return characters;
}

function readSegments(table: Buffer, characters: Set<number>): void {
  const double = table.readUInt16BE(6);
  for (let segment = 0; segment < double; segment += 2) {
    const last = table.readUInt16BE(14 + segment);
    const first = table.readUInt16BE(16 + double + segment);
    const delta = table.readUInt16BE(16 + 2 * double + segment);
    const rangeAt = 16 + 3 * double + segment;
    const range = table.readUInt16BE(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const glyph = range === 0 ? code : table.readUInt16BE(rangeAt + range + 2 * (code - first));
      if (glyph !== 0 && ((glyph + delta) & 0xffff) !== 0) characters.add(code);
    }
  }
}

function readGroups(table: Buffer, characters: Set<number>): void {
  for (let group = 0; group < table.readUInt32BE(12); group += 1) {
    const at = 16 + group * 12;
    const first = table.readUInt32BE(at);
    const glyph = table.readUInt32BE(at + 8);
    for (let code = first; code <= table.readUInt32BE(at + 4); code += 1) {
      if (glyph + code - first !== 0) characters.add(code);
    }
  }
}
