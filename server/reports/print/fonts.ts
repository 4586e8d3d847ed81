import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** A font file with its characters. */
interface Face {
  family: string;
  weight: string;
  ranges: [first: number, last: number][];
  /** As in the style sheet of its package. */
  unicodeRange: string;
  path: string;
}

const NEWSREADER = '@fontsource-variable/newsreader/wght.css';
const INTER = '@fontsource-variable/inter/wght.css';
const noto = (script: string) => `@fontsource-variable/noto-sans${script}/wght.css`;

/** The style of Han characters: the same code point looks different in each. */
const HAN = { ja: noto('-jp'), ko: noto('-kr'), zh: noto('-sc') };
export type HanStyle = keyof typeof HAN;

const OTHERS = [noto(''), noto('-arabic'), noto('-hebrew')];
const STYLES = Object.keys(HAN) as HanStyle[];

/** The fonts to try for a character, in order. */
function stack(face: 'serif' | 'sans', style: HanStyle): string[] {
  const han = [HAN[style], ...STYLES.filter((other) => other !== style).map((other) => HAN[other])];
  return [face === 'serif' ? NEWSREADER : INTER, ...OTHERS, ...han];
}

const SHEETS = [NEWSREADER, INTER, ...OTHERS, ...Object.values(HAN)];

/** The style of a text's Han characters: Japanese beside kana, Korean beside hangul, else Chinese. */
export function hanStyle(text: string): HanStyle {
  if (/[\u3040-\u30ff\uff66-\uff9f]/.test(text)) return 'ja';
  return /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/.test(text) ? 'ko' : 'zh';
}

/** The bundled fonts: a page may rely on no other, as the machine may have none. */
export class Fonts {
  private readonly faces = new Map<string, Face[]>(SHEETS.map((sheet) => [sheet, readFaces(sheet)]));
  private readonly data = new Map<string, string>();
  private readonly characters = new Map<string, Set<number>>();

  /** The style rules of the families, for `font-family: var(--serif)` or `--sans` below a `lang` of `HanStyle`. */
  families(): string {
    const value = (face: 'serif' | 'sans', style: HanStyle) =>
      stack(face, style)
        .map((sheet) => `'${this.faces.get(sheet)?.[0]?.family}'`)
        .join(', ');
    const rule = (selector: string, style: HanStyle) =>
      `${selector} { --serif: ${value('serif', style)}, serif; --sans: ${value('sans', style)}, sans-serif; }`;
    return [rule(':root', 'zh'), ...STYLES.map((style) => rule(`[lang=${style}]`, style))].join('\n');
  }

  /** The characters of a text that no bundled font has: printed only if the machine has a font for them. */
  missing(text: string): string[] {
    return [...new Set(text)].filter((character) => {
      const code = character.codePointAt(0) ?? 0;
      return !isBlank(code) && ![...this.faces.values()].flat().some((face) => this.has(face, code));
    });
  }

  /**
   * The `@font-face` rules, with embedded fonts, that these texts need and no more.
   * @param texts with the style of each text's Han characters
   */
  faceRules(texts: Iterable<string>): string {
    const characters = new Map<HanStyle, Set<string>>(STYLES.map((style) => [style, new Set<string>()]));
    for (const text of texts) {
      const set = characters.get(hanStyle(text));
      for (const character of text) set?.add(character);
    }
    const needed = new Set<Face>();
    for (const [style, set] of characters) {
      for (const character of set) {
        for (const face of ['serif', 'sans'] as const) {
          const found = this.find(stack(face, style), character.codePointAt(0) ?? 0);
          if (found) needed.add(found);
        }
      }
    }
    return [...needed].map((face) => this.rule(face)).join('\n');
  }

  private find(sheets: string[], code: number): Face | undefined {
    for (const sheet of sheets) {
      const found = this.faces.get(sheet)?.find((face) => this.has(face, code));
      if (found) return found;
    }
    return undefined;
  }

  private has(face: Face, code: number): boolean {
    if (!face.ranges.some(([first, last]) => code >= first && code <= last)) return false;
    let characters = this.characters.get(face.path);
    if (!characters) {
      characters = fontCharacters(face.path);
      this.characters.set(face.path, characters);
    }
    return characters.has(code);
  }

  private rule(face: Face): string {
    let data = this.data.get(face.path);
    if (data === undefined) {
      data = readFileSync(face.path).toString('base64');
      this.data.set(face.path, data);
    }
    return `@font-face { font-family: '${face.family}'; font-weight: ${face.weight}; font-display: block; src: url(data:font/woff2;base64,${data}) format('woff2'); unicode-range: ${face.unicodeRange}; }`;
  }
}

/** White space, controls, direction marks and variation selectors have no visible glyph. */
const isBlank = (code: number) =>
  /^[\p{White_Space}\p{Cc}\p{Cf}\ufe00-\ufe0f]$/u.test(String.fromCodePoint(code));

function readFaces(sheet: string): Face[] {
  const path = createRequire(import.meta.url).resolve(sheet);
  const rules = readFileSync(path, 'utf8').match(/@font-face\s*\{[^}]*\}/g) ?? [];
  const value = (rule: string, name: RegExp) => {
    const found = name.exec(rule)?.[1];
    if (found === undefined) throw new Error(`The style sheet ${sheet} is not as it is expected.`);
    return found;
  };
  // Later rules win where ranges overlap: Latin is drawn by the Latin subset.
  return rules.reverse().map((rule) => {
    const unicodeRange = value(rule, /unicode-range:\s*([^;]+);/);
    return {
      family: value(rule, /font-family:\s*'([^']+)'/),
      weight: value(rule, /font-weight:\s*([^;]+);/),
      path: join(dirname(path), value(rule, /src:\s*url\(([^)]+)\)/)),
      unicodeRange,
      ranges: unicodeRange.split(',').map((range) => {
        const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
        return [parseInt(first, 16), parseInt(last, 16)];
      }),
    };
  });
}

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
function fontCharacters(path: string): Set<number> {
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
