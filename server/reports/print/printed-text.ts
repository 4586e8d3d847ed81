import { inflateSync } from 'node:zlib';
import { PdfUnreadable, readPdf, type PdfObject, type PdfObjects } from './read-pdf.js';

/** What the codes of a font's glyphs mean. */
interface GlyphTexts {
  /** Hexadecimal digits of a code. */
  digits: number;
  texts: Map<string, string>;
}

/**
 * The text of each page of a PDF that Chromium printed, in the order in which it was painted, as a reader of PDFs
 * finds it: by what the glyphs stand for, and where a letter is drawn of several glyphs, or several letters of one, by
 * the `ActualText` beside them.
 * @throws PdfUnreadable when it is none that Chromium prints
 */
export function textOfPages(pdf: Uint8Array): string[] {
  const document = readPdf(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
  const fonts = new Map<number, GlyphTexts>();
  const [tree] = references(documentObject(document, document.root).head, 'Pages');
  return pagesBelow(document, tree).map((page) => textOfPage(document, page, fonts));
}

function pagesBelow(document: PdfObjects, number: number | undefined): PdfObject[] {
  const node = documentObject(document, number);
  if (!/\/Type\s*\/Pages\b/.test(node.head)) return [node];
  return references(node.head, 'Kids').flatMap((kid) => pagesBelow(document, kid));
}

function textOfPage(document: PdfObjects, page: PdfObject, fonts: Map<number, GlyphTexts>): string {
  const [shared] = /\/Resources\s+\d/.test(page.head) ? references(page.head, 'Resources') : [];
  const resources = shared === undefined ? page.head : documentObject(document, shared).head;
  const named = new Map<string, number>();
  const list = /\/Font\s*<<([^>]*)>>/.exec(resources)?.[1] ?? '';
  for (const [, name = '', number] of list.matchAll(/\/(\w+)\s+(\d+) 0 R/g)) named.set(name, Number(number));

  const glyphs = (name: string): GlyphTexts => {
    const number = named.get(name);
    if (number === undefined) throw new PdfUnreadable(`its font ${name} is nowhere`);
    let known = fonts.get(number);
    if (!known) {
      known = glyphTexts(document, number);
      fonts.set(number, known);
    }
    return known;
  };
  return references(page.head, 'Contents')
    .map((number) => paintedText(content(documentObject(document, number)).toString('latin1'), glyphs))
    .join('');
}

const PAINTING =
  /\/Span\s*<<\s*\/ActualText\s*<([0-9A-Fa-f]*)>\s*>>\s*BDC|\/\w+\s*(?:<<.*?>>\s*)?(?:BDC|BMC)|\bEMC\b|\/(\w+)\s+[-\d.]+\s+Tf|<([0-9A-Fa-f]*)>\s*Tj|(\bTJ\b|\)\s*Tj)/gs;

function paintedText(painting: string, glyphs: (font: string) => GlyphTexts): string {
  let text = '';
  let font: GlyphTexts | undefined;
  // How deep in marked content, and at which depth its text was given in other words.
  let depth = 0;
  let replaced = 0;
  let words = '';
  for (const [operator, actual, name, codes, other] of painting.matchAll(PAINTING)) {
    if (other !== undefined) throw new PdfUnreadable('its text is written in another way');
    if (name !== undefined) font = glyphs(name);
    else if (codes !== undefined) {
      if (!font) throw new PdfUnreadable('it has text without a font');
      if (replaced === 0) text += glyphText(codes, font);
      // The first glyph of every font is the box that stands for a character it does not have.
      else if (/[^0]/.test(codes)) {
        text += words;
        words = '';
      }
    } else if (operator === 'EMC') {
      if (replaced === depth) replaced = 0;
      depth -= 1;
    } else {
      depth += 1;
      if (actual === undefined || replaced > 0) continue;
      replaced = depth;
      words = utf16(actual);
    }
  }
  return text;
}

function glyphText(codes: string, { digits, texts }: GlyphTexts): string {
  let text = '';
  for (let at = 0; at < codes.length; at += digits) {
    text += texts.get(codes.slice(at, at + digits).toUpperCase()) ?? '';
  }
  return text;
}

function glyphTexts(document: PdfObjects, number: number): GlyphTexts {
  const [map] = references(documentObject(document, number).head, 'ToUnicode');
  const texts = new Map<string, string>();
  // A font with nothing but blanks or unknown characters may have none.
  if (map === undefined) return { digits: 4, texts };
  const source = content(documentObject(document, map)).toString('latin1');
  const digits = /begincodespacerange\s*<([0-9A-Fa-f]+)>/.exec(source)?.[1]?.length;
  if (digits === undefined) throw new PdfUnreadable('its fonts do not say what they mean');
  for (const [, section = ''] of source.matchAll(/beginbfchar(.*?)endbfchar/gs)) {
    for (const [, code = '', text = ''] of section.matchAll(/<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>/g)) {
      texts.set(code.toUpperCase(), utf16(text));
    }
  }
  for (const [, section = ''] of source.matchAll(/beginbfrange(.*?)endbfrange/gs)) {
    for (const [, first = '', last = '', text = ''] of section.matchAll(
      /<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>/g,
    )) {
      const begin = parseInt(first, 16);
      for (let code = begin; code <= parseInt(last, 16); code += 1) {
        const next = (parseInt(text, 16) + code - begin).toString(16).padStart(text.length, '0');
        texts.set(code.toString(16).toUpperCase().padStart(digits, '0'), utf16(next));
      }
    }
  }
  return { digits, texts };
}

function utf16(hexadecimal: string): string {
  const bytes = Buffer.from(hexadecimal.padEnd(Math.ceil(hexadecimal.length / 4) * 4, '0'), 'hex');
  // A glyph without a meaning is written as zero.
  return bytes
    .swap16()
    .toString('utf16le')
    .replace(/[\ufeff\0]/g, '');
}

function content({ head, stream }: PdfObject): Buffer {
  const length = Number(/\/Length (\d+)(?! \d+ R)/.exec(head)?.[1] ?? NaN);
  const begin = /^stream\r?\n/.exec(stream.subarray(0, 8).toString('latin1'))?.[0].length;
  if (Number.isNaN(length) || begin === undefined) throw new PdfUnreadable('it has a stream of another kind');
  const bytes = stream.subarray(begin, begin + length);
  return /\/FlateDecode\b/.test(head) ? inflateSync(bytes) : bytes;
}

/** What an entry refers to: one object, or a list of them. */
function references(head: string, key: string): number[] {
  const value = new RegExp(`/${key}\\s*(\\[[^\\]]*\\]|\\d+ 0 R)`).exec(head)?.[1] ?? '';
  return [...value.matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number));
}

function documentObject({ objects }: PdfObjects, number: number | undefined): PdfObject {
  const object = number === undefined ? undefined : objects.get(number);
  if (!object) throw new PdfUnreadable('it refers to nothing');
  return object;
}
