import { currentLanguage } from '#platform/language.js';
import { escapeMarkup } from '#platform/markup.js';
import { hanStyle } from './fonts.js';

/**
 * Normalizes a text for printing: composed, so that a letter and its accent come from one font, and without control
 * characters that would change the direction of what follows.
 */
export function printed(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** An element with user text: isolated in direction, with the fonts of its language. */
export function textElement(tag: string, className: string, text: string): string {
  const han = /[\u1100-\u11ff\u2e80-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u.test(text);
  const lang = han ? ` lang="${hanStyle(text)}"` : '';
  return `<${tag} class="${className}" dir="auto"${lang}>${escapeMarkup(text)}</${tag}>`;
}

/** A document of A4 pages. Its policy forbids every request, even if a text contains an address. */
export function htmlDocument(title: string, style: string, body: string): string {
  return `<!doctype html><html lang="${currentLanguage()}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:">
<title>${escapeMarkup(title)}</title><style>${style}</style></head><body>${body}</body></html>`;
}

/** Style shared by all printed pages. Lengths are in millimetres of paper, type in points. */
export function pageStyle(width: number, height: number): string {
  return `
@page { size: ${width}mm ${height}mm; margin: 0; }
*, *::before, *::after { box-sizing: border-box; }
html, body { margin: 0; padding: 0; background: #fff; color: #000; }
body { font: 8pt/1.3 var(--sans); font-synthesis: none; font-variant-numeric: tabular-nums lining-nums;
  -webkit-print-color-adjust: exact; print-color-adjust: exact; }
.page { position: relative; width: ${width}mm; height: ${height}mm; overflow: hidden; break-after: page; contain: strict; }
.page:last-child { break-after: auto; }`;
}

/** Pages of one PDF, and the texts that each must contain. */
export interface PrintedPages {
  pdf: Uint8Array;
  expected: string[][];
}
