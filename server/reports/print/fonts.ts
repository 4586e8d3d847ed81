import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fontCharacters } from './font-characters.js';

/** A font file with its characters. */
interface Face {
  family: string;
  weight: string;
  ranges: [first: number, last: number][];
  /** As in the style sheet of its package. */
  unicodeRange: string;
  path: string;
}

const NEWSREADER = '@fontsource-variable/newsreader/opsz.css';
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
