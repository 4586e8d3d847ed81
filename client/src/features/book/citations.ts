import type { Book } from '#contracts/catalogue/book-views.js';
import { citedOf, type CitedBook, type CitedName } from './cited-book.js';

/** The ways in which a book is named in what somebody writes. */
export const CITATION_STYLES = ['APA', 'MLA', 'BibTeX', 'RIS'] as const;
export type CitationStyle = (typeof CITATION_STYLES)[number];

/** A part of a citation; titles of books stand in italics. */
export interface CitationPart {
  text: string;
  isItalic?: true;
}

/** The text as it is copied and saved. BibTeX and RIS are lines of a file. */
export function citationText(book: Book, style: CitationStyle): string {
  return citationParts(book, style)
    .map(({ text }) => text)
    .join('');
}

export function citationParts(book: Book, style: CitationStyle): CitationPart[] {
  const cited = citedOf(book);
  if (style === 'APA') return apa(cited);
  if (style === 'MLA') return mla(cited);
  return [{ text: style === 'BibTeX' ? bibtex(cited) : ris(cited) }];
}

const MAX_APA_AUTHORS = 20;

/** Publication Manual of the American Psychological Association, 7th edition, 9.8 and 10.2. */
function apa({ authors, title, year, publisher }: CitedBook): CitationPart[] {
  const names = authors.map((name) => joined([name.family, initialsOf(name.given), name.suffix]));
  const by =
    names.length > MAX_APA_AUTHORS
      ? `${names.slice(0, MAX_APA_AUTHORS - 1).join(', ')}, . . . ${names.at(-1)}`
      : names.length > 1
        ? `${names.slice(0, -1).join(', ')}, & ${names.at(-1)}`
        : (names[0] ?? '');
  const when = `(${year ?? 'n.d.'}).`;
  const end = publisher === null ? '' : ` ${ended(publisher)}`;
  const named: CitationPart = { text: title, isItalic: true };
  if (by === '') return [named, { text: `${endOf(title)} ${when}${end}` }];
  return [{ text: `${ended(by)} ${when} ` }, named, { text: `${endOf(title)}${end}` }];
}

/** MLA Handbook, 9th edition, chapter 5. */
function mla({ authors, title, year, publisher }: CitedBook): CitationPart[] {
  const [first, second] = authors;
  const by = !first
    ? ''
    : authors.length > 2
      ? `${invertedOf(first)}, et al.`
      : second
        ? `${invertedOf(first)}, and ${spokenOf(second)}`
        : invertedOf(first);
  const end = [publisher, year].filter((part) => part !== null).join(', ');
  return [
    ...(by === '' ? [] : [{ text: `${ended(by)} ` }]),
    { text: title, isItalic: true },
    { text: `${endOf(title)}${end === '' ? '' : ` ${ended(end)}`}` },
  ];
}

/** Signs that mean something to TeX. What is not ASCII stays as it is: today's programs read UTF-8. */
const TEX: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};
const tex = (text: string) => text.replace(/[\\{}$&#%_~^]/g, (sign) => TEX[sign] ?? sign);

function bibtex(book: CitedBook): string {
  const { authors, title, year, publisher, isbn, series, volume } = book;
  const fields = [
    ['author', authors.map(bibtexName).join(' and ')],
    // In braces of its own: else some styles make capital letters small.
    ['title', `{${tex(title)}}`],
    ['publisher', publisher === null ? '' : tex(publisher)],
    ['year', year ?? ''],
    ['series', series === null ? '' : tex(series)],
    [/^\d+$/.test(volume ?? '') ? 'number' : 'note', volume === null ? '' : tex(volumeNote(volume))],
    ['isbn', isbn ?? ''],
  ].filter(([, value]) => value !== '');
  const lines = fields.map(([name, value]) => `  ${name} = {${value}}`);
  return `@book{${keyOf(book)},\n${lines.join(',\n')}\n}\n`;
}

const volumeNote = (volume: string) => (/^\d+$/.test(volume) ? volume : `Volume ${volume}`);

/** A name that is no first and last name stands in braces, so that it is not taken apart. */
function bibtexName({ family, given, suffix }: CitedName): string {
  if (given === '') return / |,/.test(family) ? `{${tex(family)}}` : tex(family);
  const whole = /(?:^|\s)and(?:\s|$)/i.test(`${family} ${given}`) || family.includes(',');
  return whole ? `{${tex(`${given} ${family}`)}}` : tex(joined([family, suffix, given]));
}

/** "prus1890lalka": of ASCII letters and digits alone. */
function keyOf({ authors, title, year }: CitedBook): string {
  const word =
    title
      .split(/\s+/)
      .map(asciiOf)
      .find((each) => each.length > 3) ?? asciiOf(title);
  return `${asciiOf(authors[0]?.family ?? '')}${year ?? ''}${word}` || 'book';
}

function asciiOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '');
}

/** The lines end as the format asks for. */
function ris({ authors, title, year, publisher, isbn, series, volume }: CitedBook): string {
  const lines: [tag: string, value: string | null][] = [
    ['TY', 'BOOK'],
    ...authors.map((name): [string, string] => ['AU', invertedOf(name)]),
    ['TI', title],
    ['PB', publisher],
    ['PY', year],
    ['T2', series],
    ['M1', volume],
    ['SN', isbn],
  ];
  const there = lines.filter((line): line is [string, string] => line[1] !== null);
  return `${there.map(([tag, value]) => `${tag}  - ${value}\r\n`).join('')}ER  - \r\n`;
}

/** "U. K.", "J.-P.", "J. R. R."; nothing of nothing. */
function initialsOf(given: string): string {
  return given
    .split(/\s+|(?<=\.)(?=\p{L})/u)
    .map((name) =>
      name
        .split('-')
        .flatMap((part) => /\p{L}/u.exec(part)?.[0] ?? [])
        .map((letter) => `${letter.toUpperCase()}.`)
        .join('-'),
    )
    .filter((initials) => initials !== '')
    .join(' ');
}

/** "Le Guin, Ursula K." */
const invertedOf = ({ family, given, suffix }: CitedName) => joined([family, given, suffix]);
const spokenOf = ({ family, given, suffix }: CitedName) => `${given} ${family} ${suffix}`.trim();
const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join(', ');

/** The full stop after a text, unless it ends with a mark of its own. */
const endOf = (text: string) => (/[.?!…]["”’)]?$/.test(text) ? '' : '.');
const ended = (text: string) => `${text}${text.endsWith('.') ? '' : '.'}`;
