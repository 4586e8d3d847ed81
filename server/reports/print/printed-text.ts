import {
  decodePDFRawStream,
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  type PDFPage,
} from '@cantoo/pdf-lib';

/** Not a PDF as printed by Chromium. */
class PdfUnreadable extends Error {
  constructor(why: string) {
    super(`The browser's PDF cannot be read: ${why}.`);
  }
}

/** Maps the glyph codes of a font to text. */
interface GlyphTexts {
  /** Number of hexadecimal digits in a code. */
  digits: number;
  texts: Map<string, string>;
}

/** Parses a PDF without yielding: the printing process has nothing else to do. */
export function readPdf(pdf: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(pdf, {
    updateMetadata: false,
    parseSpeed: ParseSpeeds.Fastest,
    throwOnInvalidObject: true,
  });
}

/**
 * The text of each page of a PDF printed by Chromium, in painting order, as PDF readers extract it: by the glyphs' code
 * map, and by `ActualText` where several glyphs make a letter, or several letters share a glyph.
 * @throws PdfUnreadable if Chromium did not print it
 */
export function textOfPages(document: PDFDocument): string[] {
  const fonts = new Map<PDFDict, GlyphTexts>();
  return document.getPages().map((page) => textOfPage(page, fonts));
}

function textOfPage({ node }: PDFPage, fonts: Map<PDFDict, GlyphTexts>): string {
  const named = node.Resources()?.lookupMaybe(PDFName.of('Font'), PDFDict);
  const glyphs = (name: string): GlyphTexts => {
    const font = named?.lookupMaybe(PDFName.of(name), PDFDict);
    if (!font) throw new PdfUnreadable(`its font ${name} is nowhere`);
    const known = fonts.get(font) ?? glyphTexts(font);
    fonts.set(font, known);
    return known;
  };
  const contents = node.Contents();
  const streams =
    contents instanceof PDFArray ? contents.asArray().map((_, at) => contents.lookup(at)) : [contents];
  return streams.map((stream) => paintedText(textOf(stream), glyphs)).join('');
}
const PAINTING =
  /\/Span\s*<<\s*\/ActualText\s*<([0-9A-Fa-f]*)>\s*>>\s*BDC|\/\w+\s*(?:<<.*?>>\s*)?(?:BDC|BMC)|\bEMC\b|\/(\w+)\s+[-\d.]+\s+Tf|<([0-9A-Fa-f]*)>\s*Tj|(\bTJ\b|\)\s*Tj)/gs;

function paintedText(painting: string, glyphs: (font: string) => GlyphTexts): string {
  let text = '';
  let font: GlyphTexts | undefined;
  // The nesting depth of marked content, and the depth at which `ActualText` replaces its text.
  let depth = 0;
  let replaced = 0;
  let words = '';
  for (const [operator, actual, name, codes, other] of painting.matchAll(PAINTING)) {
    if (other !== undefined) throw new PdfUnreadable('its text is written in another way');
    if (name !== undefined) font = glyphs(name);
    else if (codes !== undefined) {
      if (!font) throw new PdfUnreadable('it has text without a font');
      if (replaced === 0) text += glyphText(codes, font);
      // The first glyph of every font is the box for missing characters.
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

function glyphTexts(font: PDFDict): GlyphTexts {
  const map = font.lookup(PDFName.of('ToUnicode'));
  const texts = new Map<string, string>();
  // A font with nothing but blanks or unknown characters may have no map.
  if (map === undefined) return { digits: 4, texts };
  const source = textOf(map);
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
  // Zero stands for a glyph without text.
  return bytes
    .swap16()
    .toString('utf16le')
    .replace(/[\ufeff\0]/g, '');
}

function textOf(stream: unknown): string {
  if (!(stream instanceof PDFRawStream)) throw new PdfUnreadable('it has a stream of another kind');
  return Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');
}
