import { EAST_ASIAN, SINGLE_BYTE } from './marc-8-tables.js';

const ESC = 0x1b;
const ASCII = 'B';
const ANSEL = 'E';
/** Three bytes for each character. */
const CJK = '1';
/** Controls of the extended Latin set: what is not sorted by, and joiners. */
const CONTROLS: Readonly<Record<number, string>> = {
  0x88: '\u0098',
  0x89: '\u009c',
  0x8d: '\u200d',
  0x8e: '\u200c',
};
/** Marks over two letters, which MARC-8 has in two halves: the code of the second one. */
const SECOND_HALVES: Readonly<Record<string, number>> = { '\u0361': 0xec, '\u0360': 0xfb };
const REFERENCE = /&#x([0-9A-Fa-f]{2,6});/g;
const isMark = (character: string) => /\p{M}/u.test(character);

/** A byte, or an escape sequence, that the coding does not have. */
export class UnknownCharacter extends Error {}

/** How a character is written: in which set, and by which codes of seven bits. */
interface Code {
  set: string;
  codes: readonly number[];
}

interface Tables {
  characters: ReadonlyMap<string, string>;
  codes: ReadonlyMap<string, Code>;
}

let made: Tables | undefined;
/** Both directions; made when a text is not ASCII alone for the first time. */
const tables = (): Tables => (made ??= makeTables());
const keyOf = ({ set, codes }: Code) => set + String.fromCharCode(...codes);

function makeTables(): Tables {
  const characters = new Map<string, string>();
  const codes = new Map<string, Code>(
    Object.entries(CONTROLS).map(([code, character]) => [
      character,
      { set: ANSEL, codes: [Number(code) & 0x7f] },
    ]),
  );
  const add = (row: string, set: string, before: readonly number[]) =>
    [...row].forEach((character, place) => {
      if (character === ' ') return;
      const code = { set, codes: [...before, place + 0x20] };
      characters.set(keyOf(code), character);
      if (!codes.has(character)) codes.set(character, code);
    });
  for (const [set, row] of Object.entries(SINGLE_BYTE)) add(row, set, []);
  for (const plane of EAST_ASIAN) {
    const [first = '', ...rows] = plane.split('|');
    rows.forEach((row, second) => add(row, CJK, [Number.parseInt(first, 16), second + 0x21]));
  }
  return { characters, codes };
}

/** ASCII is itself. */
function codeOf(character: string): Code | undefined {
  return character <= '~' ? { set: ASCII, codes: [character.charCodeAt(0)] } : tables().codes.get(character);
}

/**
 * Reads a value in MARC-8. Marks come before their letter there, and behind it in Unicode.
 * @returns the text, composed (NFC)
 * @throws UnknownCharacter
 */
export function decodeMarc8(bytes: Uint8Array): string {
  return withoutReferences(
    bytes.some((byte) => byte > 0x7f || byte === ESC)
      ? decoded(bytes)
      : Buffer.from(bytes).toString('latin1'),
  );
}

function withoutReferences(text: string): string {
  if (!text.includes('&#x')) return text;
  const character = (whole: string, code: string) => {
    const point = Number.parseInt(code, 16);
    return point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? whole : String.fromCodePoint(point);
  };
  return text.replace(REFERENCE, character).normalize('NFC');
}

function decoded(bytes: Uint8Array): string {
  const sets = { low: ASCII, high: ANSEL };
  let text = '';
  let marks = '';
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (byte === ESC) {
      at = designate(bytes, at, sets);
      continue;
    }
    const isHigh = byte > 0x80;
    const set = isHigh ? sets.high : sets.low;
    const width = set === CJK && (byte & 0x7f) > 0x20 ? 3 : 1;
    const character = characterAt(bytes, at, set, width);
    at += width;
    if (isMark(character)) marks += character;
    else if (character !== '') {
      text += character + marks;
      marks = '';
    }
  }
  return (text + marks).normalize('NFC');
}

function characterAt(bytes: Uint8Array, at: number, set: string, width: number): string {
  const byte = bytes[at] ?? 0;
  if (byte <= 0x20 || (set === ASCII && byte < 0x80)) return String.fromCharCode(byte);
  const control = CONTROLS[byte];
  if (control !== undefined) return control;
  if (set === ANSEL && Object.values(SECOND_HALVES).includes(byte | 0x80)) return '';
  const written = bytes.subarray(at, at + width);
  const character = tables().characters.get(keyOf({ set, codes: [...written].map((each) => each & 0x7f) }));
  if (character !== undefined) return character;
  throw new UnknownCharacter(Buffer.from(written).toString('hex'));
}

const AFTER_ESCAPE = /^(?:([gbps])|([(,)-])!?([\x30-\x7e])|\$([,)-]?)([\x30-\x7e]))/;

/** Takes an escape sequence, and says where it ends. */
function designate(bytes: Uint8Array, at: number, sets: { low: string; high: string }): number {
  const found = AFTER_ESCAPE.exec(Buffer.from(bytes.subarray(at + 1, at + 5)).toString('latin1'));
  if (!found) throw new UnknownCharacter('1b');
  const [sequence, short, single, ofSingle, multi = '', ofMulti] = found;
  const set = short ?? ofSingle ?? ofMulti ?? ASCII;
  if (')-'.includes((single ?? multi) || ' ')) sets.high = set;
  else sets.low = set === 's' && short ? ASCII : set;
  return at + 1 + sequence.length;
}

/**
 * Writes a text in MARC-8. A character that MARC-8 does not have becomes a reference (`&#x1F4DA;`), as the Library of Congress has
 * it.
 */
export function encodeMarc8(text: string): Buffer {
  if (/^[\x20-\x7e]*$/.test(text)) return Buffer.from(text, 'latin1');
  const bytes: number[] = [];
  let low = ASCII;
  const put = (character: string) => {
    const code = codeOf(character);
    if (!code) throw new UnknownCharacter(character);
    const { set, codes } = code;
    if (set === ANSEL) return void bytes.push(...codes.map((each) => each | 0x80));
    if (low !== set) bytes.push(...escapeTo(set, low));
    low = set;
    bytes.push(...codes);
  };
  let second: number | undefined;
  for (const [cluster] of text.normalize('NFC').matchAll(/\P{M}?\p{M}*/gsu)) {
    if (cluster === '') continue;
    const { letter, marks, rest } = taken(cluster);
    if (second !== undefined) bytes.push(second);
    second = undefined;
    for (const mark of marks) {
      put(mark);
      second ??= SECOND_HALVES[mark];
    }
    for (const character of [...letter, ...rest.flatMap((each) => [...reference(each)])]) put(character);
  }
  if (low !== ASCII) bytes.push(...escapeTo(ASCII, low));
  return Buffer.from(bytes);
}

/** A letter with its marks, as MARC-8 has them; the marks from the first on that it has not are left over. */
function taken(cluster: string): { letter: string; marks: string[]; rest: string[] } {
  const composed = [...cluster];
  // As it is: some letters with marks have a code of their own. Otherwise apart.
  const parts = codeOf(composed[0] ?? '') ? composed : [...cluster.normalize('NFD')];
  let [letter = ''] = parts;
  const marks: string[] = [];
  // A mark would go to the letter that follows.
  if (isMark(letter) || !codeOf(letter)) return { letter: '', marks, rest: composed };
  for (let at = 1; at < parts.length; at += 1) {
    const mark = parts[at] ?? '';
    const together = (letter + mark).normalize('NFC');
    if (codeOf(mark)) marks.push(mark);
    else if ([...together].length === 1 && codeOf(together)) letter = together;
    else return { letter, marks, rest: parts.slice(at) };
  }
  return { letter, marks, rest: [] };
}

const reference = (character: string) =>
  `&#x${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''};`;

/** What was begun by a short sequence is ended by one. */
function escapeTo(set: string, from: string): number[] {
  const isShort = (each: string) => 'gbp'.includes(each);
  const ended = set === ASCII && isShort(from) ? 's' : undefined;
  const sequence = isShort(set) ? set : (ended ?? `${set === CJK ? '$' : '('}${set}`);
  return [ESC, ...Buffer.from(sequence, 'latin1')];
}
